/**
 * The last net under the saga: live orders at the supplier that no booking of ours stands for. An order is cancelled only when its own
 * booking says that it failed and was not paid. One that we know nothing of may be a ticket that somebody paid for: the database may
 * be a restored copy, the supplier's account may be shared. An operator is told of it once, and nothing is done.
 */
import type { Lease } from '@passerelle/kit/lease'
import { nowMs } from '@passerelle/kit/runtime'
import type { WorkerDefinition } from '@passerelle/kit/worker'
import { isPaid } from './capture.ts'
import type { BookingRecord } from './domain/booking.ts'
import type { SupplierOrder } from './domain/order.ts'
import { isOpen } from './domain/state.ts'
import type { SagaContext } from './transition.ts'

type Mode = 'test' | 'live'
type LiveOrder = SupplierOrder & { bookingId: string | null; mode: Mode }

/** fine: never looked at again. kept: a failed booking's order that the airline does not take back; an operator has been told. */
type Verdict = 'fine' | 'kept'

const LISTED_MS = 24 * 3_600_000

/** One replica sweeps: the one that has the lease. What it has judged for good it does not read again. */
export function orphanWorker(context: SagaContext, modes: readonly Mode[], lease: Lease): WorkerDefinition {
  const { store, metrics, log } = context
  const verdicts = new Map<string, Verdict>()
  const reported = new Set<string>()

  const report = (order: LiveOrder, message: string) => {
    if (!reported.has(order.id)) log.error({ orderId: order.id, bookingId: order.bookingId }, message)
    reported.add(order.id)
  }

  /** True when the order is an orphan that stays. */
  const judge = async (order: LiveOrder, booking: BookingRecord | undefined): Promise<boolean> => {
    const judgement = judgeOrder(order, booking)
    if (judgement === 'fine') verdicts.set(order.id, 'fine')
    if (judgement === 'unknown') report(order, 'a live order belongs to no booking of this system: an operator must look')
    if (judgement !== 'failed' || !booking) return judgement === 'unknown'
    const ended = await undo(order, booking, context)
    if (ended === 'cancelled') log.error({ orderId: order.id, bookingId: booking._id }, 'the order of a failed booking was cancelled')
    if (ended === 'kept') {
      verdicts.set(order.id, 'kept')
      report(order, 'the order of a failed booking was paid or cannot be cancelled: an operator must look')
    }
    return ended !== 'cancelled'
  }

  return {
    name: 'orphan-orders',
    everyMs: 60_000,
    async run() {
      if (!(await lease.acquire())) {
        metrics.orphanOrders.set(0)
        return false
      }
      const live = await liveOrders(modes, context)
      forgetOthers([verdicts, reported], new Set(live.map(({ id }) => id)))
      const open = live.filter(({ id }) => !verdicts.has(id))
      const ids = [...new Set(open.flatMap(({ bookingId }) => bookingId ?? []))]
      const bookings = new Map((await store.byIds(ids)).map((booking) => [booking._id, booking]))
      let orphans = live.filter(({ id }) => verdicts.get(id) === 'kept').length
      for (const order of open) if (await judge(order, bookings.get(order.bookingId ?? ''))) orphans += 1
      metrics.orphanOrders.set(orphans)
      return false
    },
  }
}

/**
 * What a live order at the supplier is to us. fine: the order of a booking that is closed and has it. undecided: its booking is still at
 * work on it. failed: its booking says that there is none. unknown: no booking of ours stands for it.
 */
type OrderJudgement = 'fine' | 'undecided' | 'failed' | 'unknown'

function judgeOrder(order: Pick<SupplierOrder, 'id'>, booking: Pick<BookingRecord, 'state' | 'orderId'> | undefined): OrderJudgement {
  if (!booking) return 'unknown'
  if (booking.state === 'FAILED') return 'failed'
  if (isOpen(booking.state) || booking.state === 'NEEDS_ATTENTION') return 'undecided'
  return booking.orderId === order.id ? 'fine' : 'unknown'
}

async function liveOrders(modes: readonly Mode[], { supplier, system }: SagaContext): Promise<LiveOrder[]> {
  const since = new Date(nowMs() - LISTED_MS)
  const lists = await Promise.all(
    modes.map(async (mode) => (await supplier(mode).madeSince(since, system)).map((order) => ({ ...order, mode }))),
  )
  return lists.flat().filter(({ cancelled }) => !cancelled)
}

/** again: it could not be told or done now. */
async function undo(order: LiveOrder, booking: BookingRecord, context: SagaContext): Promise<'cancelled' | 'kept' | 'again'> {
  try {
    if (await isPaid(booking, context)) return 'kept'
    const outcome = await context.supplier(order.mode).cancel(order.id, null)
    return outcome.kind === 'cancelled' ? 'cancelled' : 'kept'
  } catch (err) {
    context.log.warn({ err, orderId: order.id, bookingId: booking._id }, 'the order of a failed booking will be cancelled later')
    return 'again'
  }
}

/** Orders that the supplier lists no more, or that are cancelled by now. */
function forgetOthers(kept: readonly (Map<string, unknown> | Set<string>)[], listed: ReadonlySet<string>): void {
  for (const known of kept) for (const id of [...known.keys()]) if (!listed.has(id)) known.delete(id)
}
