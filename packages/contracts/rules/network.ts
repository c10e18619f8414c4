/** The network that an address belongs to: what one household, company or attacker has, and what limits count by. */
import { z } from 'zod'

const Ipv4 = z.ipv4()
const Ipv6 = z.ipv6()

/**
 * An IPv4 address stands for itself, also when it is written as IPv6 (`::ffff:203.0.113.7`); an IPv6 address for its /64, which a
 * provider gives to one customer: `2001:db8:0:1::/64`. Anything else is `unknown`, one network for all of it.
 */
export function networkOf(ip: string | null): string {
  const known = networks.get(ip)
  if (known !== undefined) return known
  if (networks.size >= MOST_KNOWN) networks.clear()
  const network = readNetwork(ip)
  networks.set(ip, network)
  return network
}

/** Every request asks for its visitor's network, some of them several times. */
const networks = new Map<string | null, string>()
const MOST_KNOWN = 10_000

function readNetwork(ip: string | null): string {
  const address = ip?.trim().replace(/%.*$/, '') ?? ''
  if (Ipv4.safeParse(address).success) return plainIpv4(address)
  if (!Ipv6.safeParse(address).success) return 'unknown'
  const groups = groupsOf(address)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) return ipv4Of(groups[6] as number, groups[7] as number)
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

function plainIpv4(address: string): string {
  return address.split('.').map(Number).join('.')
}

function ipv4Of(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}

/** The eight groups of an IPv6 address, with `::` and a dotted end written out. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = withoutDots(address).split('::')
  const parse = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [before, after] = [parse(head), parse(tail ?? '')]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function withoutDots(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a, b, c, d] = bytes.map(Number) as [number, number, number, number]
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
}
