import type { AppError } from '@passerelle/contracts/error'
import { Booking } from '@passerelle/contracts/http/booking'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { describe, expect, test } from 'vitest'
import { bookingRecord, quote } from './booking.fixture.ts'
import { type BookingRecord, cappedRefund, flightTimes, isListed, refundable, toPublic } from './booking.ts'
import { cancelAnswer, cancelDecision } from './cancellation.ts'
import { writeLetter } from './mail.ts'
import { mayBecome, publicStatus, sagaStates } from './state.ts'

const now = new Date('2026-11-21T10:10:00Z')
const cardRefund = { kind: 'card', minor: 18_250, credit: null, refundedAt: null } as const
const thrown = (work: () => unknown): AppError => {
  try {
    work()
  } catch (error) {
    return error as AppError
  }
  throw new Error('nothing was thrown')
}

describe('what the public sees', () => {
  test('ABOOK-28, ABOOK-29, R-106: the answer fits the contract and names the provider id duffelBookingId', () => {
    const view = toPublic(bookingRecord(), now)
    expect(Booking.parse(view)).toEqual(view)
    expect(view).toMatchObject({ status: 'confirmed', duffelBookingId: 'K7TM2PQX0123456789AB', bookingReference: 'K7TM2PQX' })
  })

  test('R-16: the supplier amount stays in bookingData, what was charged stands beside it', () => {
    const view = toPublic(bookingRecord(), now)
    expect(view.charged).toEqual({ amount: '274.00', currency: 'EUR' })
    expect(view.bookingData.total_amount).toBe('222.50')
  })

  test('no document and no supplier id is in the answer', () => {
    const text = JSON.stringify(toPublic(bookingRecord(), now))
    for (const secret of ['ord_1', 'off_1', 'pas_a', 'sealed', 'pay_1', 'ines@example.org']) expect(text).not.toContain(secret)
  })

  test('ABOOK-27, R-56: a booking whose last flight has landed reads completed', () => {
    expect(publicStatus('CONFIRMED', bookingRecord().lastArrival, new Date('2027-03-11T20:36:00Z'))).toBe('completed')
    expect(publicStatus('CONFIRMED', bookingRecord().lastArrival, new Date('2027-03-11T20:34:00Z'))).toBe('confirmed')
  })

  test('ABOOK-26: final states lead nowhere', () => {
    for (const final of ['FAILED', 'REFUNDED', 'COMPLETED'] as const) expect(sagaStates.filter((to) => mayBecome(final, to))).toEqual([])
  })

  test('a failed booking is listed only when the traveller had asked to cancel it', () => {
    expect(isListed(bookingRecord({ state: 'FAILED' }))).toBe(false)
    expect(isListed(bookingRecord({ state: 'FAILED', pendingCancellation: true }))).toBe(true)
  })

  test('first take-off and last landing are instants of their own time zones', () =>
    expect(flightTimes(quote.offer.slices)).toEqual({
      firstDeparture: new Date('2027-03-04T07:15:00Z'),
      lastArrival: new Date('2027-03-11T20:35:00Z'),
    }))
})

describe('cancelling', () => {
  test('R-55: the refundable supplier amount goes back, the markup does not', () => {
    expect(refundable(bookingRecord(), now)).toEqual({ allowed: true, refundMinor: 18_250 })
    expect(toPublic(bookingRecord(), now).cancellation).toEqual({ refund: { amount: '182.50', currency: 'EUR' } })
  })

  test('never more than was paid and never less than nothing', () => {
    expect(cappedRefund(bookingRecord(), '999.00')).toBe(27_400)
    expect(cappedRefund(bookingRecord(), '-10.00')).toBe(0)
  })

  test('ABOOK-23: a non-refundable ticket cannot be cancelled', () => {
    const fixed = bookingRecord()
    fixed.offer = { ...fixed.offer, conditions: { ...fixed.offer.conditions, refund: { allowed: false, penalty: null } } }
    expect(thrown(() => cancelDecision(fixed, now)).code).toBe('BOOKING_NOT_CANCELLABLE')
    expect(toPublic(fixed, now).bookingData.conditions.cancellation_options).toEqual([])
  })

  test('a booking says whether its fare can take another date', () => {
    const booked = bookingRecord()
    for (const changeable of [true, false]) {
      booked.offer = { ...booked.offer, conditions: { ...booked.offer.conditions, changeable } }
      expect(toPublic(booked, now).bookingData.conditions.changeable).toBe(changeable)
    }
  })

  test('R-58: neither can one whose flights have left or landed', () => {
    expect(thrown(() => cancelDecision(bookingRecord(), new Date('2027-03-05T00:00:00Z'))).code).toBe('BOOKING_NOT_CANCELLABLE')
    expect(thrown(() => cancelDecision(bookingRecord(), new Date('2027-03-12T00:00:00Z'))).code).toBe('BOOKING_STATE')
  })

  test('R-52, R-54: a pending booking remembers the cancellation, a cancelled one has nothing left to do', () => {
    expect(cancelDecision(bookingRecord({ state: 'ORDER_UNKNOWN' }), now)).toBe('remember')
    expect(cancelDecision(bookingRecord({ state: 'REFUNDED' }), now)).toBe('nothing')
    expect(cancelDecision(bookingRecord(), now)).toBe('request')
  })

  test('R-54: a later call answers that the booking is already cancelled', () => {
    const gone = bookingRecord({ state: 'ORDER_CANCELLED', refund: cardRefund })
    expect(cancelAnswer(gone, gone, now)).toMatchObject({ success: true, message: 'Booking is already cancelled' })
    expect(cancelAnswer(bookingRecord(), gone, now)).toMatchObject({
      success: true,
      refund: { amount: '182.50', currency: 'EUR' },
      status: 'cancelled',
    })
  })

  test('ABOOK-24: credit and a refund that our team arranges are named instead of money for the card', () => {
    const credit = { kind: 'credit', minor: 0, credit: { amount: '182.50', currency: 'EUR' }, refundedAt: null } as const
    const operator = { kind: 'operator', minor: 0, credit: null, refundedAt: null } as const
    const answer = (refund: BookingRecord['refund']) =>
      cancelAnswer(bookingRecord(), bookingRecord({ state: 'ORDER_CANCELLED', refund }), now)
    expect(answer(credit)).toMatchObject({
      success: true,
      refund: null,
      refundKind: 'credit',
      airlineCredit: { amount: '182.50', currency: 'EUR' },
      message:
        'Your booking has been successfully cancelled. The airline holds €182.50 for you as credit for a later flight. Nothing goes back to your card.',
    })
    expect(answer(operator)).toMatchObject({
      refund: null,
      refundKind: 'operator',
      airlineCredit: null,
      message: 'Your booking has been successfully cancelled. Your refund is being arranged by our team.',
    })
    expect(answer(cardRefund)).toMatchObject({ refundKind: 'card', message: 'Your booking has been successfully cancelled.' })
    expect(toPublic(bookingRecord(), now)).toMatchObject({ refund: null, refundKind: null, airlineCredit: null })
  })

  test('ABOOK-25: what can no longer be cancelled says that it could not be', () => {
    const pendingForGood = bookingRecord({ state: 'NEEDS_ATTENTION' })
    expect(thrown(() => cancelDecision(pendingForGood, now))).toMatchObject({
      code: 'BOOKING_STATE',
      message: 'Unable to cancel booking: it can no longer be changed.',
    })
  })

  test('ABOOK-25: an airline that does not play along is a failure', () => {
    expect(thrown(() => cancelAnswer(bookingRecord(), bookingRecord({ cancelNote: 'refused' }), now)).code).toBe('BOOKING_NOT_CANCELLABLE')
    expect(thrown(() => cancelAnswer(bookingRecord(), bookingRecord(), now)).message).toBe(
      'Unable to cancel booking. Please try again later or contact customer support.',
    )
  })
})

describe('mails', () => {
  const brand = {
    name: 'Atlas <Voyages>',
    domain: 'atlas.example',
    logo: '',
    social: { facebook: '', twitter: '', instagram: '' },
    theme: { primary: '#a8452a', secondary: '#33241d', accent: '#e3a63f', background: '#faf5ec', text: '#2a1d16', font: '' },
    contact: { email: 'contact@atlas.example', phone: '+33 1 84 80 00 10', address: '' },
    content: defaultBrand.content,
  }

  test('R-100: the confirmation names reference, flights, travellers and what was charged', () => {
    const { subject, text } = writeLetter('confirmed', bookingRecord(), brand, 'http://localhost:8080')
    expect(subject).toBe('Booking confirmed: K7TM2PQX - Atlas <Voyages>')
    for (const part of ['K7TM2PQX', 'CDG 2027-03-04 08:15 to LIS', '€274', 'Ines Moreau', 'http://localhost:8080/my-trips'])
      expect(text).toContain(part)
  })

  test('CONF-12: names cannot bring markup into a mail', () => {
    const booking = bookingRecord({ contact: { email: 'a@b.fr', phone: '', firstName: '<script>alert(1)</script>', lastName: 'X' } })
    const { html } = writeLetter('confirmed', booking, brand, 'http://localhost:8080')
    expect(html).not.toContain('<script>')
    expect(html).not.toContain('Atlas <Voyages>')
  })

  test('the cancellation says what is credit with the airline, and what our team arranges', () => {
    const text = (refund: BookingRecord['refund']) => writeLetter('cancelled', bookingRecord({ refund }), brand, 'x').text
    const credit = { kind: 'credit', minor: 0, credit: { amount: '182.50', currency: 'USD' }, refundedAt: null } as const
    expect(text(credit)).toContain('The airline holds $182.50 for you as credit for a later flight. Nothing goes back to your card.')
    expect(text({ kind: 'operator', minor: 0, credit: null, refundedAt: null })).toContain('Your refund is being arranged by our team.')
    expect(text({ kind: 'none', minor: 0, credit: null, refundedAt: null })).toContain('Nothing of the €274 you paid is refundable.')
  })

  test('the cancellation says what goes back', () =>
    expect(writeLetter('cancelled', bookingRecord({ refund: cardRefund }), brand, 'x').text).toContain('€182.50 of €274'))
})
