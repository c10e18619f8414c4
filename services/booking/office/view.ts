/** A booking as administrators see it. */

import type { OfficeBooking, OfficeRow } from '@passerelle/contracts/http/back-office'
import type { Booking } from '@passerelle/contracts/http/booking'
import { fromMinor } from '@passerelle/contracts/rules/money'
import { actionsOf } from '../domain/attention.ts'
import { type BookingRecord, cardRefund } from '../domain/booking.ts'
import { officeState } from './store.ts'

type Place = { iata_code?: string | null; city_name?: string | null } | undefined

const placeOf = (place: Place) => ({ code: place?.iata_code ?? null, city: place?.city_name ?? null })

export function toRow(booking: BookingRecord, now: Date): OfficeRow {
  const { attention, attentionSince, offer, charge, contact } = booking
  const first = offer.slices[0]
  const back = cardRefund(booking)
  const name = `${contact.firstName} ${contact.lastName}`.trim()
  return {
    id: booking._id,
    reference: booking.reference,
    state: officeState(booking, now),
    attention: attention && attentionSince ? { reason: attention.reason, since: attentionSince.toISOString() } : null,
    brand: booking.brand,
    createdAt: booking.createdAt.toISOString(),
    traveller: name || null,
    travellers: booking.people.length,
    from: placeOf(first?.origin),
    to: placeOf(first?.destination),
    departure: first?.segments[0]?.departing_at ?? '',
    charged: { amount: fromMinor(charge.minor, charge.currency), currency: charge.currency },
    captured: booking.captured !== null,
    refunded: booking.refund?.refundedAt && back ? back : null,
  }
}

type Around = Pick<OfficeBooking, 'payment' | 'mails' | 'audit'> & { booking: Booking }

/** @param around what others keep of it, and the booking as its traveller sees it */
export function toDetail(booking: BookingRecord, around: Around, now: Date): OfficeBooking {
  const row = toRow(booking, now)
  const { email, phone } = booking.contact
  const history = booking.history ?? []
  return {
    ...row,
    ...around,
    mode: booking.mode,
    contact: email || row.traveller ? { name: row.traveller ?? '', email, phone } : null,
    userId: booking.userId,
    orderId: booking.orderId,
    tickets: booking.tickets ?? [],
    supplierCharge: booking.supplierCharge,
    markupPercent: booking.markupPercent,
    history: history.map(({ at, state, by }) => ({ at: at.toISOString(), state, by: by ?? null })),
    tries: booking.tries,
    reversal: reversalOf(booking),
    actions: actionsOf(booking, now),
  }
}

function reversalOf({ reversal, charge: { currency } }: BookingRecord): OfficeBooking['reversal'] {
  if (!reversal) return null
  const money = (minor: number) => ({ amount: fromMinor(minor, currency), currency })
  const { refundedMinor, dispute, disputedMinor, at } = reversal
  return { refunded: money(refundedMinor), dispute, disputed: money(disputedMinor), at: at.toISOString() }
}
