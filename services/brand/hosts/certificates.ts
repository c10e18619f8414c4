/** Opens a connection to the entrance in the name of a host, and says which certificate answers there. */
import { once } from 'node:events'
import { BlockList, isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net'
import { connect } from 'node:tls'
import type { AnsweredCertificate } from '@passerelle/contracts/http/brand-host'
import { withDeadline } from '@passerelle/kit/resilience'
import { now } from '@passerelle/kit/runtime'

const DEADLINE_MS = 3000
const PORT = 443

export type Certificates = {
  /**
   * @param addresses of the entrance: never those that the owner of a host chose; those of private networks are left out
   * @returns null when there is no address to ask at. Never throws.
   */
  look(host: string, addresses: readonly string[]): Promise<AnsweredCertificate | null>
}

/**
 * @param at asked in place of the addresses on port 443; null: none was set
 * @param deadlineMs of one connection
 */
export function certificates(at: { host: string; port: number } | null, deadlineMs = DEADLINE_MS): Certificates {
  return {
    async look(host, addresses) {
      const open = addresses.filter(isPublic)
      if (!at && open.length === 0) return null
      return answerOf(host, at ?? oneOf(host, open, PORT), deadlineMs)
    },
  }
}

/**
 * @param to where a connection is opened, in the name of `host`
 * @returns `none` also when nobody listens or the deadline passes; never throws
 */
export async function answerOf(host: string, to: TcpNetConnectOpts, deadlineMs: number): Promise<AnsweredCertificate> {
  // Nothing is sent or read: the certificate is what is wanted, whatever it is.
  const socket = connect({ ...to, servername: host, rejectUnauthorized: false, checkServerIdentity: () => undefined })
  socket.on('error', () => undefined)
  try {
    await withDeadline('TLS', deadlineMs, once(socket, 'secureConnect'))
    const certificate = socket.getPeerX509Certificate()
    if (!certificate) return NONE
    const ends = certificate.validToDate
    const state = !certificate.checkHost(host, { subject: 'never' })
      ? 'other-name'
      : ends <= now()
        ? 'ended'
        : socket.authorized
          ? 'valid'
          : 'untrusted'
    return { state, endsAt: ends.toISOString() }
  } catch {
    return NONE
  } finally {
    socket.destroy()
  }
}
const NONE: AnsweredCertificate = { state: 'none', endsAt: null }

/** A connection to whichever address answers first; the name of the host is not looked up again. */
export function oneOf(host: string, addresses: readonly string[], port: number): TcpNetConnectOpts {
  const known = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_host, _options, found) => found(null, known)
  return { host, port, autoSelectFamily: true, lookup }
}

const closed = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  closed.addSubnet(network, bits)
const internet6 = new BlockList()
internet6.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is one of the internet, and not of this machine or its networks. */
export const isPublic = (address: string): boolean =>
  isIP(address) === 6 ? internet6.check(address, 'ipv6') : isIP(address) === 4 && !closed.check(address)
