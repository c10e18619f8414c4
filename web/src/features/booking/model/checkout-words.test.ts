import { describe, expect, it } from 'vitest'
import { attemptWords } from './attempt-words.ts'
import { booking, offer } from './booking.fixture.ts'
import { lostSeatsText } from './lost-seats.ts'
import type { PassengerValues } from './passenger-form.ts'
import { paymentText } from './payment-text.ts'

const notice = { kind: 'payment', title: 'Card Payment Failed', declined: true, cardLast4: '0002', retryAt: null } as const

describe('a card that did not pay', () => {
  it('PAY-13: a decline names the card, says that nothing was charged and asks for another one', () => {
    expect(paymentText({ ...notice, message: 'Your card was declined.' })).toBe(
      'Your bank declined the card ending 0002. Nothing was charged; try another card. Your passengers and seats are kept.',
    )
    expect(paymentText({ ...notice, message: 'Your card has expired.' })).toBe(
      'Card ending 0002: Your card has expired. Nothing was charged; try another card. Your passengers and seats are kept.',
    )
  })

  it('too many declined cards: the time of day at which one can try again', () => {
    const retryAt = new Date(2026, 10, 21, 14, 5).getTime()
    const message = 'Too many declined cards. Please try again in 28 minutes, or contact us.'
    expect(paymentText({ ...notice, declined: false, retryAt, message })).toBe(
      'Too many declined cards. Nothing was charged. You can try again at 14:05.',
    )
  })
})

describe('seats that were lost', () => {
  const passengers = [{ id: 'pas_1', firstName: 'Camille', lastName: 'Moreau' }] as PassengerValues[]
  const seat = (seatId: string, segmentId: string) => ({ passengerId: 'pas_1', seatId, segmentId })

  it('are named with traveller and flight', () => {
    const text = lostSeatsText({ message: 'm', lost: [seat('24A', 'seg_1_1')] }, passengers, offer)
    expect(text).toBe('Seat 24A for Camille Moreau on AF 006, Paris to New York, has just been taken.')
    expect(lostSeatsText({ message: 'm', lost: [seat('24A', 'seg_1_1'), seat('7C', 'x')] }, passengers, offer)).toBe(
      'Seats 24A for Camille Moreau on AF 006, Paris to New York, and 7C for Camille Moreau have just been taken.',
    )
  })

  it('are told in the words of the server when it does not know which', () => {
    expect(lostSeatsText({ message: 'A seat was taken.', lost: null }, passengers, offer)).toBe('A seat was taken.')
  })
})

describe('a payment that was left', () => {
  const none = { outcome: 'none', booking: null, failure: null } as const

  it('is looked for until the server can tell', () => {
    expect(attemptWords(null, false)).toMatchObject({ settled: false, bookingId: null })
    expect(attemptWords(null, true)).toMatchObject({ settled: false })
    expect(attemptWords(none, false)).toMatchObject({ settled: false })
  })

  it('that booked says the reference, and leads to the booking', () => {
    const words = attemptWords({ outcome: 'confirmed', booking, failure: null }, false)
    expect(words).toMatchObject({ tone: 'positive', bookingId: 'bk_1', settled: true })
    expect(words.title).toBe('Your booking went through. Its reference is 7KQX2M9D.')
  })

  it('CONF-08: that is still being confirmed says so, and that nothing was charged yet', () => {
    const words = attemptWords({ outcome: 'pending', booking, failure: null }, true)
    expect(words).toMatchObject({ title: 'Your booking 7KQX2M9D is still being confirmed.', settled: false, bookingId: 'bk_1' })
    expect(words.text).toContain('not charged')
  })

  it('that booked nothing says that nothing was charged, once', () => {
    const over = attemptWords(none, true)
    expect(over).toMatchObject({ settled: true, bookingId: null })
    expect(over.text).toContain('Your card was not charged')
    const refused = attemptWords(
      { outcome: 'failed', booking, failure: { code: 'BOOKING_FAILED', message: 'It failed. Your card was not charged.' } },
      false,
    )
    expect(refused.text).toBe('It failed. Your card was not charged.')
    expect(attemptWords({ outcome: 'cancelled', booking, failure: null }, false)).toMatchObject({ settled: true, bookingId: null })
  })
})
