import { describe, expect, it } from 'vitest'
import { readFailure } from './failure-words.ts'

describe('words of a failure', () => {
  it('OFFER-13: expired, OFFER_EXPIRED and "does not exist" mean expiry', () => {
    for (const text of ['The offer has expired', 'OFFER_EXPIRED', 'offer off_1 does not exist']) {
      expect(readFailure(text, 'booking')).toBe('expiry')
    }
  })

  it('OFFER-14: payment, card, PAYMENT_FAILED and "resource not found" mean a payment failure', () => {
    for (const text of ['The payment was refused', 'Bad card', 'PAYMENT_FAILED', 'resource not found']) {
      expect(readFailure(text, 'booking')).toBe('payment')
    }
  })

  it('PAY-22: "Your card has expired" from the payment call is about the card, not about the offer', () => {
    expect(readFailure('Your card has expired', 'payment')).toBe('payment')
  })

  it('says nothing of other words', () => {
    expect(readFailure('The kettle is broken', 'payment')).toBeNull()
  })
})
