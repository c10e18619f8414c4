/** The words of a booking's mails: plain text first, the same as HTML beside it. No password, no card, no documents. */
import type { Brand } from '@passerelle/contracts/http/brand'
import { type Letter, letter } from '@passerelle/contracts/rules/letter'
import { mailName } from '@passerelle/contracts/rules/mail-name'
import { formatExactMoney, formatMoney, fromMinor } from '@passerelle/contracts/rules/money'
import { type BookingRecord, cardRefund } from './booking.ts'
import { refundText } from './cancellation.ts'

export type MailTemplate = 'confirmed' | 'pending' | 'cancelled' | 'failed' | 'rescheduled'
/** Also what the agency is told. */
export type QueuedMail = MailTemplate | 'attention'

function flights(booking: BookingRecord): string[] {
  return booking.offer.slices.flatMap((slice) =>
    slice.segments.map((segment) => {
      const time = (local: string) => `${local.slice(0, 10)} ${local.slice(11, 16)}`
      const number = `${segment.marketing_carrier.iata_code ?? ''} ${segment.flight_number}`.trim()
      return `${segment.origin.iata_code} ${time(segment.departing_at)} to ${segment.destination.iata_code} ${time(segment.arriving_at)}, ${number}`
    }),
  )
}

const clock = ({ departing_at, arriving_at }: { departing_at: string; arriving_at: string }) =>
  `${departing_at.slice(0, 10)} ${departing_at.slice(11, 16)}, arriving ${arriving_at.slice(0, 10)} ${arriving_at.slice(11, 16)}`

/** "TP 439, CDG to LIS: was 2027-03-04 08:15, arriving ..., now ...". */
function changedFlights({ scheduleChanges }: BookingRecord): string[] {
  const moved = scheduleChanges?.at(-1)?.flights ?? []
  return moved.map(({ flight, from, to, was, now }) =>
    [`${flight}, ${from} to ${to}:`, was && `was ${clock(was)};`, now ? `now ${clock(now)}` : 'does not fly'].filter(Boolean).join(' '),
  )
}

function seats(booking: BookingRecord): string[] {
  return booking.seats.map((seat) => {
    const person = booking.people.find((one) => one.id === seat.passengerId)
    return `Seat ${seat.seatId}: ${person ? travellerName(person) : ''}`
  })
}

/** As the ticket says it where the name as typed could carry a link or a sentence. */
function travellerName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return (
    [firstName, lastName]
      .map((name) => mailName(name) ?? '')
      .filter(Boolean)
      .join(' ') || 'Traveller'
  )
}

const shown = (minor: number, currency: string) => formatMoney(fromMinor(minor, currency), currency)

function refundLines(booking: BookingRecord, paid: string): string[] {
  const otherwise = refundText(booking)
  if (otherwise.length > 0) return otherwise
  const back = cardRefund(booking)
  if (!back || Number(back.amount) === 0) return [`Nothing of the ${paid} you paid is refundable.`]
  return [`${formatExactMoney(back.amount, back.currency)} of ${paid} goes back to your card.`]
}

/** A card that was charged all the same gets back what it paid, as an administrator has decided. */
function released({ history }: BookingRecord, paid: string): string {
  const wasPaid = history?.at(-2)?.state === 'NEEDS_ATTENTION'
  return wasPaid ? `The ${paid} goes back to your card.` : `Your card was not charged: the ${paid} that was held is released.`
}

function paragraphs(template: MailTemplate, booking: BookingRecord): { subject: string; lines: string[] } {
  const { reference, charge } = booking
  const paid = shown(charge.minor, charge.currency)
  const travellers = booking.people.map(travellerName).join(', ')
  switch (template) {
    case 'confirmed':
      return {
        subject: `Booking confirmed: ${reference}`,
        lines: [
          `Your booking is confirmed. Your booking reference is ${reference}.`,
          ...(booking.airlineReference ? [`The airline's reference is ${booking.airlineReference}.`] : []),
          ...flights(booking),
          `Travellers: ${travellers}`,
          ...seats(booking),
          // One that was settled elsewhere was not paid by the card.
          `${booking.captured ? 'Paid' : 'Price'}: ${paid}, taxes included.`,
        ],
      }
    case 'pending':
      return {
        subject: `We are confirming your booking: ${reference}`,
        lines: [
          `The airline has not answered yet. We are confirming your booking ${reference} and write to you as soon as we know.`,
          ...flights(booking),
          `${paid} is held on your card. It is only taken when the airline confirms.`,
        ],
      }
    case 'cancelled':
      return {
        subject: `Booking cancelled: ${reference}`,
        lines: [`Your booking ${reference} has been cancelled.`, ...flights(booking), ...refundLines(booking, paid)],
      }
    case 'rescheduled':
      return {
        subject: `Your flight times have changed: ${reference}`,
        lines: [
          `The airline has changed the times of your booking ${reference}.`,
          ...changedFlights(booking),
          'Under Your trips you can accept the new times, or cancel for what the airline gives back.',
          'All flights as they are now:',
          ...flights(booking),
        ],
      }
    case 'failed':
      return {
        subject: `Booking not completed: ${reference}`,
        lines: [`The airline did not confirm your booking ${reference}. ${released(booking, paid)}`, ...flights(booking)],
      }
  }
}

export function writeLetter(template: MailTemplate, booking: BookingRecord, brand: Brand, siteUrl: string): Letter {
  const { subject, lines } = paragraphs(template, booking)
  const all = [
    `Dear ${mailName(booking.contact.firstName) ?? 'traveller'},`,
    ...lines,
    `Your trips: ${siteUrl}/my-trips`,
    [brand.name, brand.contact.phone, brand.contact.email].filter(Boolean).join(' · '),
  ]
  return letter(`${subject} - ${brand.name}`, brand, all)
}
