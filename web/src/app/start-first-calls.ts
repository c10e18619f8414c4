/** Stands in the page itself, before its files: the first calls run while the code that reads their answers is on its way. */
import { firstCalls } from './first-calls.ts'

const signedOut = document.querySelector<HTMLMetaElement>('meta[name="session"]')?.content === 'none'

globalThis.firstAnswers = {
  startedAt: Date.now(),
  answers: Object.fromEntries(
    firstCalls(window.location, { signedOut, fresh: window.history.state === null }).map((address) => {
      const answer = fetch(address, { credentials: 'include', cache: 'no-store', headers: { accept: 'application/json' } })
      // Whoever reads the answer hears of a failure; until then it is nobody's.
      answer.catch(() => undefined)
      return [address, answer]
    }),
  ),
}
