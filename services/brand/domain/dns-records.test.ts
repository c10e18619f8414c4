import { expect, test } from 'vitest'
import { hostRecords, judge, provedHosts, senderRecords, type WantedRecord, withEarlier } from './dns-records.ts'

const entrance = { name: 'edge.passerelle.org', addresses: ['192.0.2.44', '2001:db8:44::10'] }
const kinds = (records: readonly WantedRecord[]) => records.map(({ type, name, value }) => `${type} ${name} ${value}`)
const a: WantedRecord = { purpose: 'address', type: 'A', name: 'rivage.org', value: '192.0.2.44' }
const right = (purpose: WantedRecord['purpose']) => ({ ...a, purpose, state: 'right' as const, found: [] })

test('a domain has addresses and www, a name below it an alias', () => {
  expect(kinds(hostRecords('rivage.org', 'abc', entrance))).toEqual([
    'TXT _passerelle.rivage.org passerelle-host=abc',
    'A rivage.org 192.0.2.44',
    'AAAA rivage.org 2001:db8:44::10',
    'CNAME www.rivage.org edge.passerelle.org',
  ])
  expect(kinds(hostRecords('flights.rivage.org', 'abc', entrance))).toEqual([
    'TXT _passerelle.flights.rivage.org passerelle-host=abc',
    'CNAME flights.rivage.org edge.passerelle.org',
  ])
  expect(kinds(hostRecords('rivage.org', 'abc', { ...entrance, addresses: [] }))[1]).toBe('CNAME rivage.org edge.passerelle.org')
})

test('an installation that knows nothing of its mail server wants no records of a sender', () => {
  expect(senderRecords('hello@rivage.org', { spfInclude: null, dkimHost: null })).toEqual([])
  expect(senderRecords('', { spfInclude: '_spf.x.org', dkimHost: null })).toEqual([])
})

test('an answer with a foreign address beside ours is wrong, and with another one of ours alone the record is missing', () => {
  expect(judge(a, ['192.0.2.44', '198.51.100.7'], entrance.addresses)).toEqual({ state: 'wrong', found: ['198.51.100.7'] })
  expect(judge(a, ['192.0.2.45'], ['192.0.2.44', '192.0.2.45'])).toEqual({ state: 'missing', found: [] })
})

test('no answer says nothing, and what was known of the same record stands', () => {
  const asked = { ...a, ...judge(a, null, []) }
  expect(asked.state).toBe('unknown')
  expect(withEarlier([asked], [right('address')])).toEqual([right('address')])
  expect(withEarlier([asked], [{ ...right('address'), value: '192.0.2.1' }])).toEqual([asked])
})

test('a host is proved by ownership and an address together; www comes after it', () => {
  expect(provedHosts('rivage.org', [right('ownership')])).toEqual([])
  expect(provedHosts('rivage.org', [right('address'), right('www')])).toEqual([])
  expect(provedHosts('rivage.org', [right('ownership'), right('address')])).toEqual(['rivage.org'])
  expect(provedHosts('rivage.org', [right('ownership'), right('address'), right('www')])).toEqual(['rivage.org', 'www.rivage.org'])
})
