/** Which DNS records a brand's host and sender need, and what an answer of DNS says of each. Nothing is asked here. */
import type { DnsRecord } from '@passerelle/contracts/http/brand-host'

/** Where hosts lead: a name for a CNAME, and addresses for names that cannot have one. */
export type Entrance = { name: string; addresses: readonly string[] }
/** What the mail server asks of a domain; null: nothing that this installation knows of. */
export type MailRecords = { spfInclude: string | null; dkimHost: string | null }

export type WantedRecord = Pick<DnsRecord, 'purpose' | 'type' | 'name' | 'value'>
/** Values as they were found; null: DNS gave no answer at all. */
export type Answer = readonly string[] | null

const FOUND_SHOWN = 3
const FOUND_LENGTH = 120

export const ownershipValue = (token: string) => `passerelle-host=${token}`

const isV6 = (address: string) => address.includes(':')

/** A name directly below its ending, such as `aurora.example`, cannot have a CNAME beside its other records. */
const isApex = (host: string) => host.split('.').length === 2

export function hostRecords(host: string, token: string, { name, addresses }: Entrance): WantedRecord[] {
  const ownership: WantedRecord = { purpose: 'ownership', type: 'TXT', name: `_passerelle.${host}`, value: ownershipValue(token) }
  const direct = addresses.map((value): WantedRecord => ({ purpose: 'address', type: isV6(value) ? 'AAAA' : 'A', name: host, value }))
  const alias: WantedRecord = { purpose: 'address', type: 'CNAME', name: host, value: name }
  const www: WantedRecord = { purpose: 'www', type: 'CNAME', name: `www.${host}`, value: name }
  if (!isApex(host)) return [ownership, alias]
  return [ownership, ...(direct.length > 0 ? direct : [alias]), www]
}

export function senderRecords(address: string, { spfInclude, dkimHost }: MailRecords): WantedRecord[] {
  const domain = address.split('@')[1]?.toLowerCase()
  if (!domain) return []
  const [selector] = dkimHost?.split('.') ?? []
  return [
    ...(spfInclude ? [{ purpose: 'spf', type: 'TXT', name: domain, value: `v=spf1 include:${spfInclude} ~all` } as const] : []),
    ...(dkimHost ? [{ purpose: 'dkim', type: 'CNAME', name: `${selector}._domainkey.${domain}`, value: dkimHost } as const] : []),
  ]
}

/** Records of that type and name which are about the same thing: a domain has many TXT records. */
function aboutThis({ purpose, type }: WantedRecord, found: readonly string[]): readonly string[] {
  if (purpose === 'ownership') return found.filter((text) => text.startsWith('passerelle-host='))
  if (purpose === 'spf') return found.filter((text) => /^v=spf1( |$)/i.test(text))
  return type === 'CNAME' ? found.map((name) => name.toLowerCase().replace(/\.$/, '')) : found
}

function isRight({ purpose, type, value }: WantedRecord, found: string, entrance: readonly string[]): boolean {
  if (purpose === 'spf') {
    const [, include = ''] = /(include:\S+)/.exec(value) ?? []
    return found.toLowerCase().split(/\s+/).includes(include)
  }
  if (type === 'A' || type === 'AAAA') return entrance.includes(found)
  // A name server that puts the addresses in the place of the alias leads to the same server.
  return found === value || (purpose !== 'dkim' && type === 'CNAME' && entrance.includes(found))
}

/** @param entrance addresses of the platform: an answer with one of them and a foreign one leads half of the visitors astray */
export function judge(wanted: WantedRecord, answer: Answer, entrance: readonly string[]): Pick<DnsRecord, 'state' | 'found'> {
  if (answer === null) return { state: 'unknown', found: [] }
  const found = aboutThis(wanted, answer)
  const foreign = found.filter((one) => !isRight(wanted, one, entrance))
  // Two SPF records are none, and several ownership records are those of several installations.
  const isOne = wanted.purpose === 'ownership' ? foreign.length < found.length : foreign.length === 0
  const isThere = wanted.type === 'A' || wanted.type === 'AAAA' ? found.includes(wanted.value) : found.length > 0
  const several = wanted.purpose === 'spf' && found.length > 1
  if (isThere && isOne && !several) return { state: 'right', found: [] }
  const wrong = several ? found : foreign
  if (wrong.length === 0) return { state: 'missing', found: [] }
  return { state: 'wrong', found: wrong.slice(0, FOUND_SHOWN).map(shown) }
}

/** Whoever has the domain writes what is found there. */
const shown = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').slice(0, FOUND_LENGTH)

/** Without an answer what was known stands: a name server that is away takes no proof back. */
export function withEarlier(records: readonly DnsRecord[], earlier: readonly DnsRecord[]): DnsRecord[] {
  const known = ({ type, name, value, state }: DnsRecord) =>
    state === 'unknown' ? earlier.find((one) => one.type === type && one.name === name && one.value === value) : undefined
  return records.map((record) => known(record) ?? record)
}

/** Hosts that a certificate may be asked for: the brand's own, and www below it where that leads here. */
export function provedHosts(host: string, records: readonly DnsRecord[]): string[] {
  const right = (purpose: DnsRecord['purpose']) => records.some((record) => record.purpose === purpose && record.state === 'right')
  if (!right('ownership') || !right('address')) return []
  return [host, ...(right('www') ? [`www.${host}`] : [])]
}
