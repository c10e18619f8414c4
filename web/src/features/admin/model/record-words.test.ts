import type { DnsRecord } from '@passerelle/contracts/http/brand-host'
import { describe, expect, it } from 'vitest'
import { certificateWords, listedCertificateWords, recordsBadge, recordWords } from './record-words.ts'

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

describe('a certificate', () => {
  type Certificate = Parameters<typeof certificateWords>[0]
  const endsAt = '2027-02-08T23:30:00.000Z'
  const words = (state: Certificate['state'], answers?: Certificate['answers'], host = 'aurora.example') =>
    certificateWords({ host, state, answers }, 'aurora.example').words

  it('waits for the host, its www record or the publication', () => {
    expect(words('waiting', null)).toBe('Asked for as soon as the host is proved')
    expect(words('waiting', null, 'www.aurora.example')).toBe('Asked for as soon as its record is right')
    expect(words('unpublished', { state: 'none', endsAt: null })).toBe('Asked for as soon as the brand is published')
    expect(words('ready', { state: 'none', endsAt: null })).toContain('None answers yet')
  })

  it('is valid to the day of its end on the agency’s clock, and says what browsers do with another', () => {
    expect(words('ready', { state: 'valid', endsAt })).toBe('Valid to Feb 9, 2027, renewed by itself')
    expect(words('unpublished', { state: 'valid', endsAt })).toBe('Valid to Feb 9, 2027, renewed as soon as the brand is published')
    expect(words('ready', { state: 'ended', endsAt })).toBe('Ended on Feb 9, 2027. Browsers warn visitors')
    expect(words('ready', { state: 'other-name', endsAt })).toBe('The one that answers is of another name. Browsers warn visitors')
    expect(words('ready', { state: 'untrusted', endsAt })).toContain('not trusted by browsers')
  })

  it('is not known of an answer of the release before, which has no such field', () => {
    expect(words('ready')).toContain('May be asked for')
    expect(listedCertificateWords({ status: 'live', host: { looked: true, proved: true, toMend: 0 } })).toBeNull()
  })

  it('stands in the list of brands in short', () => {
    const listed = (certificate: Certificate['answers'], status: 'live' | 'deactivated' = 'live', proved = true) =>
      listedCertificateWords({ status, host: { looked: true, proved, toMend: 0, certificate } })?.words
    expect(listed({ state: 'valid', endsAt })).toBe('Certificate to Feb 9')
    expect(listed({ state: 'valid', endsAt }, 'deactivated')).toBe('Certificate not renewed')
    expect(listed({ state: 'ended', endsAt })).toBe('Certificate ended Feb 9')
    expect(listed({ state: 'other-name', endsAt })).toBe('Certificate of another name')
    expect(listed({ state: 'none', endsAt: null })).toBe('No certificate yet')
    expect(listed(null, 'live', false)).toBe('No certificate yet')
  })
})
