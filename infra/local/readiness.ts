/** When a system may be called running: every process is ready, and every service answers through the gateway. */
import { delay } from '@passerelle/kit/runtime'

/** `refused`: the status by which the service itself says no to a call that asks for nothing. */
export type Probe = { what: string; url: string; method?: string; refused?: number }

/** One call for each service, which no visitor can be harmed by. */
export function throughGateway(url: string): Probe[] {
  return [
    { what: 'brand', url: `${url}/api/system/mode` },
    { what: 'search', url: `${url}/api/flights/search`, refused: 400 },
    { what: 'identity', url: `${url}/api/auth/user`, refused: 401 },
    { what: 'booking', url: `${url}/api/bookings`, refused: 401 },
    { what: 'payment', url: `${url}/api/payments/webhook/test`, method: 'POST', refused: 400 },
  ]
}

const TRIES = 1200
const ANSWER_MS = 5000

/** Waits a minute at most. @throws what `failed` makes of the first one that does not answer as it should */
export async function allAnswer(probes: readonly Probe[], failed: (what: string) => Error): Promise<void> {
  await Promise.all(
    probes.map(async ({ what, url, method = 'GET', refused = 200 }) => {
      for (let i = 0; i < TRIES; i++) {
        const answer = await fetch(url, { method, signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined)
        await answer?.body?.cancel()
        if (answer?.ok || answer?.status === refused) return
        await delay(50)
      }
      throw failed(what)
    }),
  )
}
