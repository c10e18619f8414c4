/** Answers that the page has asked for before this code was here: see app/start-first-calls.ts. */

export type FirstAnswers = { startedAt: number; answers: Record<string, Promise<Response> | undefined> }

declare global {
  var firstAnswers: FirstAnswers | undefined
}

/** Later than that an answer is no news any more, and is asked for again. */
const FRESH_MS = 10_000

/** `fetch`, which gives the answer of a call that is already under way, once. */
export function fetchOrFirst(address: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  return firstAnswer(address, init) ?? fetch(address, init)
}

function firstAnswer(address: string | URL | Request, init: RequestInit): Promise<Response> | undefined {
  const first = globalThis.firstAnswers
  const asksAnew = new Headers(init.headers).has('cache-control')
  if (!first || typeof address !== 'string' || (init.method ?? 'GET') !== 'GET' || asksAnew) return undefined
  const answer = first.answers[address]
  delete first.answers[address]
  if (!answer || Date.now() - first.startedAt > FRESH_MS) return undefined
  // A call that broke on the way is made again.
  return answer.catch(() => fetch(address, init))
}
