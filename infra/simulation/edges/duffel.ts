/** Instead of the supplier's client: the airline in memory, across the boundary. As there, an order of which nothing was heard is unknown. */
import type { Deadlines, Supplier } from '@passerelle/booking/duffel'
import { DeadlineError } from '@passerelle/kit/resilience'
import { LATE_MS } from '../airline.ts'
import { world } from '../runtime.ts'
import { system } from '../system.ts'

class Lost extends Error {}

export function duffelSupplier(_token: string, _url: string, _metrics: unknown, { orderMs, readMs }: Deadlines): Supplier {
  const { airline } = system().outside
  const read = <T>(name: string, ask: () => Promise<T>) =>
    world().cross(`airline.${name}`, ask, { lost: () => new DeadlineError(name, readMs), timeoutMs: readMs, latency: [30, 600] })
  return {
    order: (request) =>
      world()
        .cross('airline.order', () => airline.order(request), {
          lost: () => new Lost(),
          timeoutMs: orderMs,
          slowestMs: orderMs - LATE_MS,
          latency: [200, 4000],
        })
        .catch((error) => {
          if (error instanceof Lost) return { kind: 'unknown', reason: 'timeout' }
          throw error
        }),
    find: (...given) => read('find', () => airline.find(...given)),
    madeSince: (...given) => read('madeSince', () => airline.madeSince(...given)),
    sold: (...given) => read('sold', () => airline.sold(...given)),
    changesOf: (...given) => read('changesOf', () => airline.changesOf(...given)),
    quote: (...given) => read('quote', () => airline.quote(...given)),
    acceptChange: (...given) => read('acceptChange', () => airline.acceptChange(...given)),
    cancel: (...given) =>
      world().cross('airline.cancel', () => airline.cancel(...given), {
        lost: () => new DeadlineError('cancel', orderMs),
        timeoutMs: orderMs,
        latency: [100, 1500],
        repeatable: true,
      }),
  }
}
