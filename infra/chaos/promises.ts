/** What visitors were told, in answers and mails, against what was so at that moment: I14. */
import { fromMinor, toMinor } from '@passerelle/contracts/rules/money'
import { type Finding, mailsOf, none, SECOND, time, type View } from './finding.ts'
import type { Journey } from './journeys.ts'

const NOT_CHARGED = /not charged/i
export function promises(view: View, journeys: readonly Journey[]): Finding[] {
  const { byId, byReference, intentsOf, payments } = view
  const answers = journeys.flatMap((journey) =>
    journey.answers.map((answer, i) => ({ ...answer, journey, last: i === journey.answers.length - 1 })),
  )
  const mails = mailsOf(view)
  const capturedAt = (paymentId: string | null) =>
    Math.min(...(intentsOf.get(paymentId ?? '') ?? []).map((intent) => time(intent.capturedAt)), Number.POSITIVE_INFINITY)
  const heardNotCharged = [
    ...answers
      .filter(({ text, step }) => step === 'book' && NOT_CHARGED.test(text))
      .map(({ at, last, journey }) => ({ at, asksAgain: !last, paymentId: journey.paymentId })),
    ...mails
      .filter(({ text }) => NOT_CHARGED.test(text))
      .map(({ at, reference }) => ({ at, asksAgain: false, paymentId: byReference.get(reference)?.paymentId ?? null })),
  ]
  const heardBooked = [
    ...answers.flatMap(({ at, booking }) => (booking?.status === 'confirmed' ? [{ at, booking: byId.get(booking.id) }] : [])),
    ...mails.filter(({ kind }) => kind === 'Booking confirmed').map(({ at, reference }) => ({ at, booking: byReference.get(reference) })),
  ]
  const isFalse = ({ at, booking }: (typeof heardBooked)[number]) => {
    const order = booking && view.ordersOf.get(booking._id)?.find((one) => time(one.created_at) <= at)
    return !order || capturedAt(booking.paymentId) > at
  }
  const heardPending = [
    ...answers.flatMap(({ at, booking }) => (booking?.status === 'pending' ? [{ at, id: booking.id }] : [])),
    ...mails
      .filter(({ kind }) => kind.startsWith('We are'))
      .map(({ at, reference }) => ({ at, id: byReference.get(reference)?._id ?? '' })),
  ]
  const endsOf = Map.groupBy(
    [
      ...answers.flatMap(({ at, booking }) => (booking && booking.status !== 'pending' ? [{ at, id: booking.id }] : [])),
      ...mails
        .filter(({ kind }) => !kind.startsWith('We are'))
        .map(({ at, reference }) => ({ at, id: byReference.get(reference)?._id ?? '' })),
    ],
    ({ id }) => id,
  )
  const booked = journeys.flatMap((journey) => (journey.booked && journey.price ? [{ ...journey.booked, price: journey.price }] : []))
  const known = new Set(payments.map(({ _id }) => _id))
  return [
    none('I14', '"not charged" is true, and stays so unless the visitor asks again', heardNotCharged, ({ at, asksAgain, paymentId }) => {
      const charged = capturedAt(paymentId)
      return asksAgain ? charged + SECOND <= at : Number.isFinite(charged)
    }),
    none('I14', '"booked" is said when there is a ticket and it is paid', heardBooked, isFalse),
    none('I14', 'every "pending" is followed by an end that somebody is told', heardPending, ({ at, id }) => {
      return !endsOf.get(id)?.some((end) => end.at >= at)
    }),
    none('told', 'every acknowledged booking is stored under its reference, at the price that was shown', booked, (told) => {
      const stored = byId.get(told.id)
      const { minor, currency } = stored?.charge ?? { minor: -1, currency: told.price.currency }
      return (
        stored?.reference !== told.bookingReference ||
        fromMinor(minor, currency) !== fromMinor(toMinor(told.price.amount, currency), currency)
      )
    }),
    none(
      'told',
      'every acknowledged payment is stored',
      journeys.flatMap(({ paymentId }) => paymentId ?? []),
      (id) => !known.has(id),
    ),
    none('I4', 'every visitor was answered with one booking', journeys, ({ answers }) => {
      return new Set(answers.flatMap(({ booking }) => booking?.id ?? [])).size > 1
    }),
  ]
}
