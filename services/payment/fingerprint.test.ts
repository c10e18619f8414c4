import { describe, expect, test } from 'vitest'
import { bookingKey, fingerprint, visitorKey } from './fingerprint.ts'

const seat = (seatId: string, segmentId = 'seg_1_1') => ({ passengerId: 'pas_1', seatId, segmentId })
const request = { amount: '274.00', currency: 'EUR', offerId: 'off_1', seats: [seat('12A'), seat('14C', 'seg_2_1')] }

describe('two requests are one', () => {
  test('when only the writing of the amount or the order of the seats differs', () => {
    for (const same of [{ amount: '274' }, { amount: '274.0' }, { amount: '0274.00' }, { seats: [...request.seats].reverse() }])
      expect(fingerprint({ ...request, ...same })).toBe(fingerprint(request))
  })

  test('but not when amount, currency, offer or a seat differs', () => {
    for (const other of [
      { amount: '274.10' },
      { amount: '2740' },
      { currency: 'USD' },
      { offerId: null },
      { seats: [seat('12A')] },
      { seats: [seat('12B'), seat('14C', 'seg_2_1')] },
    ])
      expect(fingerprint({ ...request, ...other })).not.toBe(fingerprint(request))
  })
})

test("a visitor's key counts within one visitor and mode, and gives away neither", () => {
  const mine = visitorKey({ mode: 'test', visitor: '203.0.113.7', key: 'abc' })
  expect(mine).not.toContain('203.0.113.7')
  const others = [
    visitorKey({ mode: 'live', visitor: '203.0.113.7', key: 'abc' }),
    visitorKey({ mode: 'test', visitor: '203.0.113.8', key: 'abc' }),
    visitorKey({ mode: 'test', visitor: '203.0.113.7a', key: 'bc' }),
    bookingKey('test', 'abc'),
  ]
  expect(new Set([mine, ...others]).size).toBe(5)
})
