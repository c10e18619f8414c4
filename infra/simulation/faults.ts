/** Which faults a run meets: a list drawn from its seed before it begins, so that a run can be repeated with some of them left out. */
import type { Chance } from './chance.ts'

export type How = 'dies before' | 'dies after' | 'lost before' | 'lost after' | 'slow' | 'twice' | (string & {})

/** At the `nth` crossing of a point; a point with `!` is what the outside does there. */
export type Fault = { point: string; nth: number; how: How }

const CROSSING: readonly How[] = [
  'dies before',
  'dies after',
  'sleeps before',
  'sleeps after',
  'lost before',
  'lost after',
  'slow',
  'twice',
]

/** Points with their weight, and how often one is passed in a run that meets no fault. */
const POINTS: readonly (readonly [point: string, weight: number, passes: number])[] = [
  ['airline.order', 5, 2],
  ['airline.find', 2, 4],
  ['airline.cancel', 4, 2],
  ['airline.madeSince', 1, 3],
  ['card.create', 1, 2],
  ['card.confirm', 2, 2],
  ['card.read', 1, 3],
  ['card.capture', 4, 2],
  ['card.cancel', 2, 2],
  ['card.refund', 4, 1],
  ['payment.claim', 2, 2],
  ['payment.capture', 4, 2],
  ['payment.release', 2, 2],
  ['payment.getPayment', 1, 2],
  ['payment.authorise', 1, 1],
  ['booking.bookings.change', 6, 12],
  ['booking.bookings.claim', 3, 30],
  ['booking.bookings.write', 3, 8],
  ['booking.bookings.insert', 2, 2],
  ['booking.inbox.insert', 2, 8],
  ['booking.mails.insert', 2, 4],
  ['booking.mails.claim', 2, 30],
  ['booking.mails.write', 2, 4],
  ['booking.receipts.insert', 2, 2],
  ['payment.payments.change', 5, 10],
  ['payment.payments.claim', 2, 40],
  ['payment.payments.write', 2, 6],
  ['payment.payments.insert', 1, 2],
  ['payment.inbox.insert', 2, 4],
  ['bus.publish', 4, 6],
  ['bus.commit', 3, 8],
  ['mail.send', 3, 4],
]

const CENTRE = [
  'booking.bookings.change',
  'booking.bookings.change',
  'airline.order',
  'airline.cancel',
  'payment.capture',
  'card.capture',
  'card.refund',
  'payment.payments.change',
]

/** What airline, card provider and search do of their own accord. */
const BEHAVIOUR: readonly (readonly [point: string, hows: readonly string[]])[] = [
  ['airline.order!', ['refused', 'accepted, comes late', 'accepted, never comes', 'offer used', 'repriced', 'unknown error, made', 'gone']],
  ['airline.cancel!', ['refused', 'gives back less', 'gives credit']],
  ['card.confirm!', ['declined', '500']],
  ['card.capture!', ['hold expired', '500', '500, done']],
  ['card.cancel!', ['500', '500, done']],
  ['card.refund!', ['500', '500, done', 'refused']],
]

/** Each as often as it weighs. */
const TARGETS = POINTS.flatMap(([point, weight, passes]) => Array.from({ length: weight }, () => ({ point, passes })))

/** The later passes of a point are rarer targets. */
const pass = (chance: Chance, passes: number) => 1 + Math.floor(passes * chance.next() ** 1.5)

export function drawFaults(chance: Chance): Fault[] {
  const faults: Fault[] = []
  for (let left = chance.int(0, 7); left > 0; left--) {
    const { point, passes } = chance.pick(TARGETS)
    faults.push({ point, nth: pass(chance, passes), how: chance.pick(CROSSING) })
  }
  for (const [point, hows] of BEHAVIOUR) if (chance.is(0.12)) faults.push({ point, nth: 1, how: chance.pick(hows) })
  // Somebody else goes on in the midst of what moves money or tickets.
  if (chance.is(0.4))
    faults.push({
      point: chance.pick(CENTRE),
      nth: chance.int(1, 4),
      how: chance.pick(['sleeps before', 'sleeps after', 'dies after', 'lost after']),
    })
  // A process that stands still for a while, or is killed at some moment, whatever it is doing.
  for (let left = chance.int(0, 3); left > 0; left--) {
    const how = chance.is(0.5) ? 'killed' : `frozen for ${chance.int(1, 60)} s`
    faults.push({ point: chance.pick(['booking-1', 'booking-2', 'payment-1', 'payment-2']), nth: chance.int(50, 30_000), how })
  }
  if (chance.is(0.4)) faults.push({ point: 'rebalance', nth: chance.int(500, 20_000), how: 'booking' })
  // Between its last look at the clock and the call the saga awaits nothing; what stands still right there is left to the sweep for orphans.
  return faults.filter(({ point, how }) => point !== 'airline.order' || how !== 'sleeps before')
}
