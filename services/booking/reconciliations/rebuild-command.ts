/** What `make rebuild-bookings` does: asks the service for the lost bookings of a day, and prints what became of each, then what still differs. */
import type { CommandDefinition } from '@passerelle/kit/command'
import { now } from '@passerelle/kit/runtime'
import { z } from 'zod'
import { answered, readDayArguments, report } from './command.ts'
import { type RebuildLine, reconciliationStore } from './store.ts'

/** Exit code 1 when something differs afterwards. */
export const rebuildCommand: CommandDefinition<z.ZodObject> = {
  service: 'booking',
  config: z.object({}),
  usage: `Makes one day's bookings again that a restored copy of the database has not, from the supplier's orders and the card provider's payments:

  make rebuild-bookings DAY=2026-11-21 [LIVE=1]           says what it would do
  make rebuild-bookings DAY=2026-11-21 [LIVE=1] APPLY=1   does it
  node services/booking/reconciliations/rebuild-main.ts --day 2026-11-21 [--live] [--apply]

Without a day: yesterday. The booking and payment services do the work, so they have to run. MONGO_URL says where the database is.`,
  async run({ args, mongo, print }) {
    const { day, mode, apply } = readDayArguments(args)
    const store = reconciliationStore(mongo)
    await store.ask(mode, day, now(), { apply })
    const answer = await answered(() => store.of(mode, day))
    const lines = answer.rebuild?.lines ?? []
    for (const line of lines) print(textOf(line))
    const count = (outcome: RebuildLine['outcome']) => lines.filter((line) => line.outcome === outcome).length
    print(`${apply ? `${count('rebuilt')} rebuilt` : `${count('would-be-rebuilt')} would be rebuilt`}, ${count('refused')} refused`)
    print(report(answer))
    return answer.differences.length > 0 ? 1 : 0
  },
}

const textOf = ({ outcome, reference, bookingId, orderId, intentId, found }: RebuildLine) =>
  [outcome, reference, bookingId, orderId, intentId, found].filter(Boolean).join('  ')
