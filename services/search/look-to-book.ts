/**
 * Look-to-book: how many searches the supplier was asked for per order, over thirty days, against what the contract with it allows. Near
 * the allowance new searches are slowed, so that the ratio never costs money; what is cached is shown as always. Test mode costs nothing.
 */
import type { Mode } from '@passerelle/contracts/http/common'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import { now } from '@passerelle/kit/runtime'
import type { Store } from './store.ts'

export type LookToBook = {
  /** By how much new searches are to be slowed: 1 is not at all. */
  slowdown(mode: Mode): number
  /** Reads what all replicas have counted. While the database is away the last figures hold. */
  refresh(): Promise<void>
}

type LookToBookTools = {
  store: Pick<Store, 'totals'>
  /** Searches that an order pays for. */
  perOrder: number
  /** Searches of thirty days that are allowed besides, so that a new agency can begin. */
  free: number
  metrics: Pick<Metrics, 'lookToBookUsed'>
  log: Log
}

const DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000
/** From this part of the allowance on, and by how much. */
const SLOWED = [
  { from: 1, by: 10 },
  { from: 0.8, by: 4 },
]

export function createLookToBook({ store, perOrder, free, metrics, log }: LookToBookTools): LookToBook {
  let used = 0
  return {
    slowdown: (mode) => (mode === 'live' ? (SLOWED.find(({ from }) => used >= from)?.by ?? 1) : 1),
    async refresh() {
      try {
        const since = new Date(now().getTime() - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
        const { searches, orders } = await store.totals('live', since)
        used = searches / (free + orders * perOrder)
        metrics.lookToBookUsed.set(used)
      } catch (err) {
        log.warn({ err }, 'the searches per order could not be read')
      }
    },
  }
}
