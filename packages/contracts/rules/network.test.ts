import { describe, expect, test } from 'vitest'
import { networkOf } from './network.ts'

describe('the network of an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ])('IPv4: %s is the whole address %s', (ip, network) => expect(networkOf(ip)).toBe(network))

  test.each([
    ['2001:db8:0:1:aaaa:bbbb:cccc:dddd', '2001:db8:0:1::/64'],
    ['2001:0DB8:0000:0001::1', '2001:db8:0:1::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ])('IPv6: %s is in %s', (ip, network) => expect(networkOf(ip)).toBe(network))

  test('two hosts of one /64 are one network, two /64 of one /48 are not', () => {
    expect(networkOf('2001:db8:5:6::1')).toBe(networkOf('2001:db8:5:6:ffff::2'))
    expect(networkOf('2001:db8:5:6::1')).not.toBe(networkOf('2001:db8:5:7::1'))
  })

  test.each([null, '', 'unknown', 'nonsense', '1.2.3', '1.2.3.4.5', '300.1.1.1', ':::', '1::2::3', '::ffff:1.2.3', '12345::'])(
    '%j is no address: unknown',
    (ip) => expect(networkOf(ip)).toBe('unknown'),
  )
})
