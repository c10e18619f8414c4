import { keyedHash } from '@passerelle/kit/keyed-hash'
import { describe, expect, test } from 'vitest'
import * as keys from './fingerprint.ts'

const hash = keyedHash('a key of the tests')
const fingerprint = (request: keys.Fingerprinted) => keys.fingerprint(request, hash)
const visitorKey = (scope: Parameters<typeof keys.visitorKey>[0]) => keys.visitorKey(scope, hash)
const bookingKey = (mode: string, key: string) => keys.bookingKey(mode, key, hash)

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

test('what can be guessed cannot be confirmed without the key: another key makes another hash of the same request', () => {
  const other = keyedHash('another key')
  const scope = { mode: 'test', visitor: '203.0.113.7', key: 'abc' }
  expect(keys.visitorKey(scope, other)).not.toBe(visitorKey(scope))
  expect(keys.fingerprint(request, other)).not.toBe(fingerprint(request))
  expect(keys.bookingKey('test', 'abc', other)).not.toBe(bookingKey('test', 'abc'))
})
