/** Bookings in the back office, for tests: one whose cancellation the airline has not confirmed, and a list of every state. */
import type { OfficeBooking, OfficePage, OfficeRow, OfficeState } from '@passerelle/contracts/http/back-office'
import { booking } from '../../booking/model/booking.fixture.ts'

const usd = (amount: string) => ({ amount, currency: 'USD' })
const [out] = booking.bookingData.slices

const row: OfficeRow = {
  id: 'bk_1',
  reference: '7KQX2M9D',
  state: 'attention',
  attention: { reason: 'cancel-unanswered', since: '2026-11-23T07:49:14Z' },
  brand: 'default',
  createdAt: '2026-11-21T13:07:31Z',
  traveller: 'Camille Moreau',
  travellers: 2,
  from: { code: 'CDG', city: 'Paris' },
  to: { code: 'JFK', city: 'New York' },
  departure: out?.departure_time ?? '',
  charged: usd('2077.00'),
  captured: true,
  refunded: null,
}

const at = (time: string, state: string, by: string | null = null) => ({ at: `2026-11-${time}Z`, state, by })

export const officeBooking: OfficeBooking = {
  ...row,
  mode: 'test',
  booking: { ...booking, status: 'pending', cancelRequested: true },
  contact: { name: 'Camille Moreau', email: 'camille.moreau@example.com', phone: '+33699001824' },
  userId: 'usr_camille',
  orderId: 'ord_0000AZ7c4Kq9WmT2xN',
  tickets: [
    { number: '0572100481533', passengerIds: ['pas_1'] },
    { number: '0572100481534', passengerIds: ['pas_3'] },
  ],
  supplierCharge: usd('1688.60'),
  markupPercent: 23,
  history: [
    at('21T13:07:31', 'REQUESTED'),
    at('21T13:07:33', 'ORDERING'),
    at('21T13:07:39', 'ORDERED'),
    at('21T13:07:40', 'CONFIRMED'),
    at('23T07:41:11', 'CANCEL_REQUESTED'),
    at('23T07:49:14', 'NEEDS_ATTENTION'),
  ],
  tries: 36,
  payment: {
    ...{ id: 'pay_1', state: 'captured', amountMinor: 207_700, currency: 'USD', mode: 'test', offerId: 'oft_1', bookingId: 'bk_1' },
    ...{ refundedMinor: 0, cardLast4: '4242' },
  },
  mails: [
    { template: 'confirmed', state: 'sent', at: '2026-11-21T13:07:42Z' },
    { template: 'attention', state: 'sent', at: '2026-11-23T07:49:16Z' },
  ],
  audit: [
    {
      ...{ id: 'aud_1', at: '2026-11-23T09:58:00Z', actor: 'usr_sofia', action: 'booking-retried', subject: '7KQX2M9D' },
      ...{ brandKey: 'default', from: 'NEEDS_ATTENTION', to: 'NEEDS_ATTENTION', note: null, refused: null },
    },
  ],
  reversal: null,
  actions: { retry: true, refund: { suggested: usd('1688.60'), most: usd('2077.00') }, settle: ['stands', 'ended'] },
}

const others: [OfficeState, string, string, Partial<OfficeRow>][] = [
  ['pending', 'B3R8WT6N', 'Inès Roux', { captured: false, charged: usd('864.00') }],
  ['confirmed', '5NWK7C4T', 'Oscar Lindqvist', { brand: 'aurora.example' }],
  ['cancelled', 'W4J7PC2H', 'Daniel Okafor', { refunded: usd('2041.00') }],
  ['completed', 'V5H3TD8P', 'Jonas Weber', {}],
  ['failed', 'Q8M2RK4X', 'Priya Nair', { captured: false }],
]

export const officePage: OfficePage = {
  bookings: [
    row,
    ...others.map(([state, reference, traveller, change]) => ({
      ...row,
      id: reference,
      attention: null,
      state,
      reference,
      traveller,
      ...change,
    })),
  ],
  next: 'Q8M2RK4X',
  counts: { attention: 1, pending: 6, confirmed: 201, completed: 58, cancelled: 32, failed: 2 },
}

export const waitingPage: OfficePage = { ...officePage, bookings: [row], next: null }
