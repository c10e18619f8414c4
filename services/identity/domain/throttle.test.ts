import { describe, expect, test } from 'vitest'
import { ACCOUNT, ACCOUNT_AND_NETWORK, type Failures, isForgotten, NETWORK, WINDOW_MS, waitBeforeNext } from './throttle.ts'

const lastAt = new Date('2026-11-21T10:00:00Z')
const after = (ms: number) => new Date(lastAt.getTime() + ms)
const failed = (count: number, since = lastAt): Failures => ({ count, since, lastAt })

describe('waiting after failed sign-ins', () => {
  test.each([
    ['five', 5, ACCOUNT_AND_NETWORK, 'an account from one network'],
    ['twenty', 20, NETWORK, 'one network'],
    ['fifty', 50, ACCOUNT, 'an account from anywhere'],
  ])('AAUTH-09: the first %s of %s cost nothing', (_, free, throttle) => {
    expect(waitBeforeNext(throttle, null, lastAt)).toBe(0)
    for (let count = 0; count < free; count++) expect(waitBeforeNext(throttle, failed(count), lastAt)).toBe(0)
    expect(waitBeforeNext(throttle, failed(free), lastAt)).toBeGreaterThan(0)
  })

  test('AAUTH-09: then each failure doubles the wait, up to a minute', () => {
    const waits = Array.from({ length: 9 }, (_, i) => waitBeforeNext(ACCOUNT_AND_NETWORK, failed(5 + i), lastAt))
    expect(waits).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000])
    expect(waitBeforeNext(NETWORK, failed(1_000_000), lastAt)).toBe(60_000)
  })

  test('AAUTH-09: an account that is tried from everywhere is slowed by seconds, so that its owner finds a gap', () => {
    expect(waitBeforeNext(ACCOUNT, failed(1_000_000), lastAt)).toBe(10_000)
  })

  test('the wait runs from the last failure and is over when it is over', () => {
    expect(waitBeforeNext(ACCOUNT_AND_NETWORK, failed(7), after(3000))).toBe(5000)
    expect(waitBeforeNext(ACCOUNT_AND_NETWORK, failed(7), after(8000))).toBe(0)
    expect(waitBeforeNext(ACCOUNT_AND_NETWORK, failed(7), after(9000))).toBe(0)
  })

  test('nobody is locked out: after a quarter of an hour of quiet the failures are forgotten', () => {
    expect(isForgotten(ACCOUNT_AND_NETWORK, failed(99), after(WINDOW_MS))).toBe(false)
    expect(isForgotten(ACCOUNT_AND_NETWORK, failed(99), after(WINDOW_MS + 1))).toBe(true)
    expect(waitBeforeNext(ACCOUNT_AND_NETWORK, failed(99), after(WINDOW_MS + 1))).toBe(0)
  })

  test('what many people share is forgotten a quarter of an hour after the first failure, quiet or not', () => {
    const busy = failed(99, after(-WINDOW_MS))
    for (const throttle of [NETWORK, ACCOUNT]) {
      expect(waitBeforeNext(throttle, busy, lastAt)).toBeGreaterThan(0)
      expect(waitBeforeNext(throttle, busy, after(1))).toBe(0)
    }
  })
})
