/** Compares whole days with the suppliers: yesterday by itself, and any day that an operator asks for. */
import type { LedgerEntry } from '@passerelle/contracts/http/payment'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { systemCaller } from '@passerelle/kit/auth'
import type { Lease } from '@passerelle/kit/lease'
import { now, nowMs, randomId } from '@passerelle/kit/runtime'
import type { WorkerDefinition } from '@passerelle/kit/worker'
import type { BookingRecord } from '../domain/booking.ts'
import { differencesOf } from '../domain/reconciliation.ts'
import type { MadeOrder } from '../duffel.ts'
import type { SagaContext } from '../transition.ts'
import type { RebuildLine, Reconciliation, ReconciliationStore } from './store.ts'

type Mode = 'test' | 'live'

const DAY_MS = 86_400_000
/** What belongs together may lie on both sides of midnight; a day is compared when its last bookings have come to rest. */
const AROUND_MS = 3_600_000
const READY_AFTER_MS = 2 * AROUND_MS
/** A supplier that could not be read is left alone for so long. */
const RETRY_AFTER_MS = 300_000

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** One replica compares: the one that has the lease. */
export function reconciliationWorker(
  context: SagaContext,
  modes: readonly Mode[],
  lease: Lease,
  reconciliations: ReconciliationStore,
  rebuild: (day: Day, apply: boolean) => Promise<RebuildLine[]>,
): WorkerDefinition {
  const { metrics, log } = context

  async function compare(asked: Reconciliation): Promise<void> {
    const { mode, day } = asked
    const doneAt = now()
    const isWhole = doneAt.getTime() >= Date.parse(day) + DAY_MS + READY_AFTER_MS
    try {
      if (asked.rebuild && !asked.rebuild.lines)
        await reconciliations.noteRebuilt(asked, await rebuild(await readDay(asked, context), asked.rebuild.apply))
      const { compared, differences } = await reconcile(asked, context)
      await reconciliations.done(asked, { doneAt, isWhole, compared, differences })
      for (const { found: _, ...difference } of differences) log.error({ ...difference, mode, day }, 'bookings and suppliers disagree')
    } catch (error) {
      log.warn({ error, mode, day }, 'the day could not be compared and is tried again')
      await reconciliations.postpone(asked, new Date(nowMs() + RETRY_AFTER_MS))
    }
  }

  return {
    name: 'reconciliation',
    everyMs: 5000,
    async run() {
      if (!(await lease.acquire())) {
        metrics.reconciledAge.reset()
        metrics.reconciliationDifferences.reset()
        return false
      }
      const yesterday = dayOf(new Date(nowMs() - DAY_MS - READY_AFTER_MS))
      for (const mode of modes) {
        const found = await reconciliations.of(mode, yesterday)
        if (!found || (found.doneAt && !found.isWhole)) await reconciliations.ask(mode, yesterday, now())
      }
      for (const asked of await reconciliations.due(now())) if (modes.includes(asked.mode)) await compare(asked)
      for (const mode of modes) {
        const last = await reconciliations.lastWhole(mode)
        if (!last) continue
        metrics.reconciledAge.set({ mode }, (nowMs() - Date.parse(last.day) - DAY_MS) / 1000)
        metrics.reconciliationDifferences.set({ mode }, last.differences.length)
      }
      return false
    },
  }
}

/** What suppliers and this service know of a day and a little around it. */
export type Day = {
  mode: Mode
  from: Date
  to: Date
  made: BookingRecord[]
  orders: MadeOrder[]
  payments: LedgerEntry[]
}

async function readDay({ mode, day }: Pick<Reconciliation, 'mode' | 'day'>, context: SagaContext): Promise<Day> {
  const { store, supplier, system } = context
  const from = new Date(day)
  const to = new Date(from.getTime() + DAY_MS)
  const span = { from: new Date(from.getTime() - AROUND_MS), to: new Date(to.getTime() + AROUND_MS) }
  const [made, since, payments] = await Promise.all([
    store.madeBetween(span.from, span.to, mode),
    supplier(mode).madeSince(span.from, system),
    ledgerOf(mode, span, context),
  ])
  return { mode, from, to, made, orders: since.filter(({ createdAt }) => createdAt < span.to), payments }
}

type Result = { compared: NonNullable<Reconciliation['compared']>; differences: Reconciliation['differences'] }

async function reconcile(asked: Pick<Reconciliation, 'mode' | 'day'>, context: SagaContext): Promise<Result> {
  const { from, to, made, orders, payments } = await readDay(asked, context)
  const known = new Set(made.map(({ _id }) => _id))
  const others = [...orders, ...payments].flatMap(({ bookingId }) => (bookingId && !known.has(bookingId) ? [bookingId] : []))
  const bookings = [...made, ...(await context.store.byIds([...new Set(others)]))]
  return {
    compared: { bookings: made.length, orders: orders.length, payments: payments.length },
    differences: differencesOf({ from, to, now: now(), bookings, orders, payments }),
  }
}

async function ledgerOf(mode: Mode, { from, to }: { from: Date; to: Date }, { payment }: SagaContext): Promise<LedgerEntry[]> {
  const caller = systemCaller('booking', { brand: DEFAULT_BRAND_KEY, mode, requestId: `reconciliation-${randomId()}` })
  const entries: LedgerEntry[] = []
  let after: string | null = null
  do {
    const query = { from: from.toISOString(), to: to.toISOString(), ...(after && { after }) }
    const page: { entries: LedgerEntry[]; after: string | null } = await payment(caller).ledger({ query })
    entries.push(...page.entries)
    after = page.after
  } while (after)
  return entries
}
