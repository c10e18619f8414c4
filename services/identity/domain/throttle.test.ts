import { describe, expect, test } from 'vitest'
import { FREE_FAILURES, isForgotten, network, WINDOW_MS, waitBeforeNext } from './throttle.ts'

const lastAt = new Date('2026-11-21T10:00:00Z')
const after = (ms: number) => new Date(lastAt.getTime() + ms)

describe('waiting after failed sign-ins', () => {
  test('AAUTH-09: the first five failures cost nothing', () => {
    expect(waitBeforeNext(null, lastAt)).toBe(0)
    for (let count = 0; count < FREE_FAILURES; count++) expect(waitBeforeNext({ count, lastAt }, lastAt)).toBe(0)
  })

  test('AAUTH-09: then each failure doubles the wait, up to a minute', () => {
    const waits = Array.from({ length: 9 }, (_, i) => waitBeforeNext({ count: FREE_FAILURES + i, lastAt }, lastAt))
    expect(waits).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000])
    expect(waitBeforeNext({ count: 1_000_000, lastAt }, lastAt)).toBe(60_000)
  })

  test('the wait runs from the last failure and is over when it is over', () => {
    expect(waitBeforeNext({ count: 7, lastAt }, after(3000))).toBe(5000)
    expect(waitBeforeNext({ count: 7, lastAt }, after(8000))).toBe(0)
    expect(waitBeforeNext({ count: 7, lastAt }, after(9000))).toBe(0)
  })

  test('nobody is locked out: after a quarter of an hour the failures are forgotten', () => {
    expect(isForgotten({ count: 99, lastAt }, after(WINDOW_MS))).toBe(false)
    expect(isForgotten({ count: 99, lastAt }, after(WINDOW_MS + 1))).toBe(true)
    expect(waitBeforeNext({ count: 99, lastAt }, after(WINDOW_MS + 1))).toBe(0)
  })
})

describe('the network of an address', () => {
  const same = (...addresses: string[]) => expect(new Set(addresses.map(network)).size, addresses.join(' ')).toBe(1)
  const different = (...addresses: (string | null)[]) => expect(new Set(addresses.map(network)).size).toBe(addresses.length)

  test('is the /24 of IPv4, written as IPv6 or not', () => {
    same('192.0.2.1', '192.0.2.254', '::ffff:192.0.2.7', '::FFFF:192.0.2.7')
    different('192.0.2.1', '192.0.3.1', '::ffff:192.0.4.1', null)
  })

  test('is the /48 of IPv6, however its zeros are written', () => {
    same('2001:db8:0:1::1', '2001:db8::1', '2001:DB8:0:ffff:1:2:3:4', '2001:db8:0:0:0:0:0:9')
    different('2001:db8::1', '2001:db8:1::1', '2001:db9::1', 'fe80::1')
    same('::1', '::2', '0:0:0:0:0:0:0:1')
  })
})
