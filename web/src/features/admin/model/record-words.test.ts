import type { DnsRecord } from '@passerelle/contracts/http/brand-host'
import { describe, expect, it } from 'vitest'
import { certificateWords, recordsBadge, recordWords } from './record-words.ts'

const record = (changes: Partial<DnsRecord>): DnsRecord => ({
  purpose: 'address',
  type: 'A',
  name: 'aurora.example',
  value: '192.0.2.44',
  state: 'right',
  found: [],
  ...changes,
})

describe('a record', () => {
  it('says what its state means for visitors and mails', () => {
    const words = (changes: Partial<DnsRecord>) => recordWords(record(changes), true).words
    expect(words({ purpose: 'ownership', type: 'TXT' })).toBe('Right. Proves that the host is yours')
    expect(words({})).toBe('Right')
    expect(words({ type: 'AAAA', state: 'wrong', found: ['2001:db8:9::1'] })).toBe(
      'Wrong: found 2001:db8:9::1. Visitors on IPv6 reach another server',
    )
    expect(words({ purpose: 'www', type: 'CNAME', name: 'www.aurora.example', state: 'missing' })).toBe(
      'Missing. www.aurora.example does not open',
    )
    const spf = { purpose: 'spf', type: 'TXT', value: 'v=spf1 include:_spf.x.org ~all', state: 'wrong' } as const
    expect(words({ ...spf, found: ['v=spf1 mx -all'] })).toContain('Add include:_spf.x.org to it')
    expect(words({ ...spf, found: ['v=spf1 a', 'v=spf1 b'] })).toContain('Two of them count as none')
  })

  it('tells one that nobody has looked up from one that nobody answered for', () => {
    expect(recordWords(record({ state: 'unknown' }), false).words).toBe('Not looked up yet')
    expect(recordWords(record({ state: 'unknown' }), true).words).toBe('No answer from its name servers')
  })
})

describe('several records', () => {
  it('are counted where something is to mend', () => {
    expect(recordsBadge([record({}), record({ state: 'wrong' }), record({ state: 'missing' })]).words).toBe('2 of 3 to mend')
    expect(recordsBadge([record({})])).toEqual({ tone: 'positive', words: 'All right' })
    expect(recordsBadge([record({}), record({ state: 'unknown' })]).tone).toBe('neutral')
  })
})

it('a certificate waits for the host, its www record or the publication', () => {
  const words = (host: string, state: 'ready' | 'unpublished' | 'waiting') => certificateWords({ host, state }, 'aurora.example').words
  expect(words('aurora.example', 'waiting')).toContain('the host is proved')
  expect(words('www.aurora.example', 'waiting')).toContain('its record is right')
  expect(words('aurora.example', 'unpublished')).toContain('the brand is published')
  expect(words('aurora.example', 'ready')).toContain('May be asked for')
})
