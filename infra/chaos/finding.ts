/** A line of the checker, and what is known arranged so that lines can be asked of it. */
import type { Booking, Evidence, Ledgers } from './evidence.ts'

/** `violations` are the first few of what breaks the line, as they are. */
export type Finding = { id: string; what: string; of: number; violations: unknown[] }

/** The ledger of cards keeps whole seconds. */
export const SECOND = 1000

export type Order = Ledgers['orders'][number]
export type Intent = Ledgers['intents'][number]

export const time = (text: string | null): number => (text === null ? Number.POSITIVE_INFINITY : Date.parse(text))
export const none = <T>(id: string, what: string, all: readonly T[], violates: (one: T) => unknown): Finding => ({
  ...{ id, what, of: all.length },
  violations: all.filter(violates),
})
export const distinct = (id: string, what: string, values: readonly string[]): Finding => {
  const groups = [...Map.groupBy(values, (value) => value)]
  return none(id, what, groups, ([, those]) => those.length > 1)
}

export function viewOf(evidence: Evidence) {
  const bookingIdOf = new Map(evidence.payments.map(({ _id, bookingId }) => [_id, bookingId]))
  const ordersOf = Map.groupBy(evidence.orders, ({ metadata }) => metadata.booking_id ?? '')
  const intentsOf = Map.groupBy(evidence.intents, ({ metadata }) => metadata.payment_id ?? '')
  return {
    ...evidence,
    ordersOf,
    intentsOf,
    byId: new Map(evidence.bookings.map((booking) => [booking._id, booking])),
    byReference: new Map(evidence.bookings.map((booking) => [booking.reference, booking])),
    bookingIdOf: ({ metadata }: Intent) => bookingIdOf.get(metadata.payment_id ?? '') ?? 'none',
    liveOrder: (id: string): Order | undefined => ordersOf.get(id)?.find(({ cancelled_at }) => !cancelled_at),
    captured: ({ paymentId }: Pick<Booking, 'paymentId'>): Intent | undefined =>
      intentsOf.get(paymentId)?.find(({ captured }) => captured > 0),
  }
}
export type View = ReturnType<typeof viewOf>

const MAIL = /^(Booking confirmed|We are confirming your booking|Booking cancelled|Booking not completed): (\w{8})/
export const mailsOf = ({ messages }: Pick<View, 'messages'>) =>
  messages.flatMap(({ subject, text, messageId, receivedAt }) => {
    const [, kind = '', reference = ''] = MAIL.exec(subject) ?? []
    return reference ? [{ kind, reference, text, messageId, at: Date.parse(receivedAt) }] : []
  })
