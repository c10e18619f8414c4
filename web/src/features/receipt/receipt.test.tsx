import { describe, expect, it } from 'vitest'
import { render } from '../../lib/render.fixture.tsx'
import { booking } from '../booking/model/booking.fixture.ts'
import { ReceiptSheet } from './ReceiptSheet.tsx'
import { receipt } from './receipt.fixture.ts'
import type { ReceiptPage } from './receipt-text.ts'

const textOf = (change: Partial<ReceiptPage['booking']> = {}, more: Partial<ReceiptPage> = {}) =>
  render(<ReceiptSheet receipt={{ ...receipt, ...more, booking: { ...booking, ...change } }} />).text
const cancelled = { status: 'cancelled', cancelledAt: '2026-11-22T10:00:00Z', refundKind: 'card' } as const

describe('a receipt', () => {
  it('names number, seller, references, payer, flights and passengers', () => {
    const text = textOf()
    for (const part of [
      'Receipt number 000042',
      'Date of payment Nov 21, 2026',
      'Booking reference 7KQX2M9D',
      'Airline reference QX4T7L',
      'Paid by Camille Moreau',
      'Quai de la Loire, 75019 Paris',
      'hello@passerelle.example, +33 1 99 00 42 19',
      'Camille Moreau, Léa Moreau (child)',
      'Paris (CDG)',
    ])
      expect(text).toContain(part)
  })

  it('shows what was paid line by line, in the currency of the charge, and of the card its last four digits alone', () => {
    const text = textOf()
    expect(text).toContain('Amount, USD')
    expect(text).toContain('Base fare, 2 passengers $1,412 Taxes and fees $572 Seats')
    expect(text).toContain('Total paid $2,077')
    expect(text).toContain('Paid with the card ending 4242.')
    expect(text).not.toContain('refund.')
  })

  it('shows a refund, when it was made, and what is left', () => {
    const back = textOf({ ...cancelled, refund: { amount: '1689.50', currency: 'USD', refundedAt: '2026-11-23T12:00:00Z' } })
    expect(back).toContain('Partly refunded')
    expect(back).toContain('Refunded to the card ending 4242 on Nov 23, 2026 −$1,689.50 Paid after the refund $387.50')
    expect(textOf({ ...cancelled, refund: { amount: '2077.00', currency: 'USD', refundedAt: null } })).toContain(
      'On its way back to the card ending 4242 −$2,077',
    )
  })

  it('says of a cancelled booking whose card gets nothing what became of the money', () => {
    expect(textOf({ ...cancelled, refundKind: 'credit', airlineCredit: { amount: '90.00', currency: 'USD' } })).toContain(
      'The airline holds $90 for you as credit',
    )
    expect(textOf({ ...cancelled, refundKind: 'operator' })).toContain('Your refund is being arranged by our team.')
  })

  it('says that a booking of test mode charged nobody', () => {
    expect(textOf({}, { number: 'TEST-000001' })).toContain('in test mode: nobody was charged')
    expect(textOf()).not.toContain('test mode')
  })

  it('has neither payer nor passengers when those are forgotten', () => {
    const passengers = booking.bookingData.passengers.map((one) => ({ ...one, given_name: '', family_name: '', ticketName: null }))
    const text = textOf({ bookingData: { ...booking.bookingData, passengers } }, { paidBy: null })
    expect(text).not.toMatch(/Paid by|Passengers/)
    expect(text).toContain('Total paid $2,077')
  })
})
