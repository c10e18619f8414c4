import { expect, test } from 'vitest'
import { bookingRecord, quote } from './booking.fixture.ts'
import { receiptLines, receiptOf } from './receipt.ts'

const { price } = quote.offer
const seat = (amount: string) => ({
  passengerId: 'pas_1',
  segmentId: 'seg_1_1',
  seatId: '12A',
  price: { amount, currency: 'EUR' },
  supplierAmount: '16.00',
})
const booking = bookingRecord()
const withPrice = { ...booking, offer: { ...booking.offer, price } }

test('base, tax and seats are what the customer was shown, and together the charge', () => {
  expect(receiptLines({ ...withPrice, seats: [seat('20.00'), seat('11.00')], charge: { minor: 30_500, currency: 'EUR' } })).toEqual([
    { item: 'base', amount: '221.00' },
    { item: 'tax', amount: '53.00' },
    { item: 'seats', amount: '31.00' },
  ])
})

test('a fare without tax has no line for it', () => {
  const offer = { ...booking.offer, price: { ...price, base: '274.00', tax: '0.00' } }
  expect(receiptLines({ ...booking, offer })).toEqual([{ item: 'base', amount: '274.00' }])
})

test('without a kept price, or with one that is not what was charged, the flights are one line', () => {
  expect(receiptLines(booking)).toEqual([{ item: 'flights', amount: '274.00' }])
  expect(receiptLines({ ...withPrice, seats: [seat('20.00')] })).toEqual([
    { item: 'flights', amount: '254.00' },
    { item: 'seats', amount: '20.00' },
  ])
})

test('a number in test mode cannot be taken for one of live mode', () => {
  const paidAt = new Date('2026-11-21T10:05:00Z')
  expect(receiptOf(booking, 42, paidAt).number).toBe('TEST-000042')
  expect(receiptOf({ ...booking, mode: 'live' }, 1_234_567, paidAt).number).toBe('1234567')
})
