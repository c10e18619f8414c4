/** Load in an open model: what is due is started when it is due, however slow the answers are. */
import { delay } from '@passerelle/kit/runtime'

const ROUTES = ['BOD-TLS', 'NCE-MRS', 'HEL-TLL', 'EDI-GLA', 'AJA-BIA', 'BFS-DUB', 'LTN-LHR', 'BTS-VIE']
const DAY_MS = 86_400_000

/** One of `ROUTES.length * 300` searches. */
export function searchQuery(index: number): string {
  const [origin = '', destination = ''] = (ROUTES[index % ROUTES.length] ?? '').split('-')
  const date = new Date(Date.now() + (20 + (Math.floor(index / ROUTES.length) % 300)) * DAY_MS).toISOString().slice(0, 10)
  return new URLSearchParams({ origin, destination, departureDate: date, limit: '10' }).toString()
}

export type Load<T> = {
  done: T[]
  begun: number
  /** Not started because too many were under way. */
  dropped: number
  underWay(): number
  /** Resolves when no more is begun. */
  ended(): Promise<void>
  /** Starts no more, waits for those under way, and returns all. */
  stop(): Promise<T[]>
}

/** Begins `work` `perSecond` times a second, but no more than `atOnce` at once and `most` in all. */
export function steadily<T>(perSecond: number, atOnce: number, work: () => Promise<T>, most = Number.POSITIVE_INFINITY): Load<T> {
  const running = new Set<Promise<void>>()
  let stopping = false
  const load: Load<T> = {
    done: [],
    begun: 0,
    dropped: 0,
    underWay: () => running.size,
    ended: async () => void (await beginning),
    async stop() {
      stopping = true
      await beginning
      await Promise.all(running)
      return load.done
    },
  }
  const beginOne = () => {
    load.begun++
    const one = work().then((result) => {
      load.done.push(result)
      running.delete(one)
    })
    running.add(one)
  }
  const beginAll = async () => {
    const began = performance.now()
    for (let n = 0; !stopping && load.begun < most; n++) {
      await delay(Math.max(0, began + (n * 1000) / perSecond - performance.now()))
      if (running.size >= atOnce) load.dropped++
      else if (!stopping) beginOne()
    }
  }
  const beginning = beginAll()
  return load
}

/** `reason`: the code of a refusal, or why there was no answer. */
export type Read = { at: number; ms: number; status: number; cache: string | null; reason?: string }

/** `perSecond` searches out of `searches`, the k-th as often as 1/k. */
export function startSearches(url: string, options: { perSecond: number; random(): number; searches: number }): Load<Read> {
  const cumulated: number[] = []
  for (let rank = 1; rank <= options.searches; rank++) cumulated.push((cumulated.at(-1) ?? 0) + 1 / rank)
  const pick = () => {
    const drawn = options.random() * (cumulated.at(-1) ?? 0)
    return cumulated.findIndex((upTo) => drawn < upTo)
  }
  return startReads(options.perSecond, () => `${url}/api/flights/search?${searchQuery(pick())}`)
}

/** `perSecond` GETs of what `address` says. Bodies are read and thrown away. */
export function startReads(perSecond: number, address: () => string): Load<Read> {
  return steadily(perSecond, 400, async () => {
    const at = performance.now()
    let cache: string | null = null
    try {
      const answer = await fetch(address(), { signal: AbortSignal.timeout(20_000) })
      cache = answer.headers.get('x-cache')
      const whole = await answer.text()
      const read = { at, ms: performance.now() - at, status: answer.status, cache }
      return answer.ok ? read : { ...read, reason: `${/"error":"(\w+)"/.exec(whole)?.[1]} ${answer.headers.get('x-request-id')}` }
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } }
      return { at, ms: performance.now() - at, status: 0, cache, reason: cause?.code ?? name }
    }
  })
}
