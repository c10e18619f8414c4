/** What `make reconcile` does: asks the service for a day, waits, and prints every difference. */
import { parseArgs } from 'node:util'
import { type CommandDefinition, UsageError } from '@passerelle/kit/command'
import { delay, now, nowMs } from '@passerelle/kit/runtime'
import { z } from 'zod'
import { dayOf } from './reconcile.ts'
import { type Reconciliation, reconciliationStore } from './store.ts'

const DAY_MS = 86_400_000
/** A replica that has died keeps the lease of this work for three minutes. */
const WAIT_MS = 240_000
const LOOK_MS = 500

/** Exit code 1 when there are differences. */
export const reconcileCommand: CommandDefinition<z.ZodObject> = {
  service: 'booking',
  config: z.object({}),
  usage: `Compares one day's bookings with the supplier's orders and the card provider's payments:

  make reconcile DAY=2026-11-21 [LIVE=1]
  node services/booking/reconciliations/main.ts --day 2026-11-21 [--live]

Without a day: yesterday. The booking service does the work, so it has to run. MONGO_URL says where its database is (make start prints it).`,
  async run({ args, mongo, print }) {
    const { day, mode } = readDayArguments(args)
    const store = reconciliationStore(mongo)
    await store.ask(mode, day, now())
    const answer = await answered(() => store.of(mode, day))
    print(report(answer))
    return answer.differences.length > 0 ? 1 : 0
  },
}

/** The day once the service has compared it. @throws UsageError when nobody does */
export async function answered(read: () => Promise<Reconciliation | null>): Promise<Reconciliation> {
  for (const until = nowMs() + WAIT_MS; nowMs() < until; await delay(LOOK_MS)) {
    const found = await read()
    if (found?.doneAt) return found
  }
  throw new UsageError('the booking service has not answered: does it run, with this database and this mode?')
}

export function report({ day, mode, compared, differences }: Reconciliation): string {
  const { bookings = 0, orders = 0, payments = 0 } = compared ?? {}
  return [
    `${day}, ${mode} mode: ${bookings} bookings, ${orders} orders and ${payments} payments compared, ${differences.length} differences`,
    ...differences.map(({ kind, reference, bookingId, orderId, intentId, found }) =>
      [kind, reference, bookingId, orderId, intentId, found].filter(Boolean).join('  '),
    ),
  ].join('\n')
}

const flag = { type: 'boolean', default: false } as const

/** @throws UsageError */
export function readDayArguments(args: string[]): { day: string; mode: 'test' | 'live'; apply: boolean } {
  try {
    const { values } = parseArgs({ args, options: { day: { type: 'string' }, live: flag, apply: flag } })
    const day = values.day || dayOf(new Date(nowMs() - DAY_MS))
    if (!z.iso.date().safeParse(day).success) throw new UsageError(`"${day}" is no day: write it as 2026-11-21`)
    return { day, mode: values.live ? 'live' : 'test', apply: values.apply }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message)
  }
}
