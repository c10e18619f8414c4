/** What the state of a DNS record means for a brand, in words. */
import type { BrandHost, DnsRecord } from '@passerelle/contracts/http/brand-host'
import type { ListedBrand } from '@passerelle/contracts/http/brand-manager'
import { countNoun } from '../../../lib/format/people.ts'

export type Tone = 'ok' | 'warn' | 'bad' | 'wait'

const MISSING: Record<DnsRecord['purpose'], (record: DnsRecord) => string> = {
  ownership: () => 'Missing. It proves that the host is yours',
  address: ({ name, type }) => (type === 'AAAA' ? 'Missing. Visitors on IPv6 alone do not get here' : `Missing. ${name} does not open`),
  www: ({ name }) => `Missing. ${name} does not open`,
  spf: () => 'Missing. Mails may be taken for spam',
  dkim: () => 'Missing. Mails may be taken for spam',
}

const WRONG: Record<DnsRecord['purpose'], (record: DnsRecord) => string> = {
  ownership: () => 'It proves nothing here',
  address: ({ type }) => `Visitors${type === 'AAAA' ? ' on IPv6' : ''} reach another server`,
  www: () => 'Visitors reach another server',
  spf: ({ found, value }) =>
    found.length > 1 ? 'Two of them count as none' : `Add ${/include:\S+/.exec(value)?.[0] ?? 'ours'} to it, before its last word`,
  dkim: () => 'Signatures are looked for at another place',
}

/** `looked`: whether DNS was asked since the record is wanted. */
export function recordWords(record: DnsRecord, looked: boolean): { tone: Tone; words: string } {
  const { state, purpose, found } = record
  if (state === 'right') return { tone: 'ok', words: purpose === 'ownership' ? 'Right. Proves that the host is yours' : 'Right' }
  if (state === 'wrong') return { tone: 'warn', words: `Wrong: found ${found.join(' and ')}. ${WRONG[purpose](record)}` }
  if (state === 'missing') return { tone: 'bad', words: MISSING[purpose](record) }
  return { tone: 'wait', words: looked ? 'No answer from its name servers' : 'Not looked up yet' }
}

type Badge = { tone: 'positive' | 'warning' | 'neutral'; words: string }

export function recordsBadge(records: readonly DnsRecord[]): Badge {
  const [right, mend] = [
    records.filter(({ state }) => state === 'right').length,
    records.filter(({ state }) => state === 'wrong' || state === 'missing').length,
  ]
  if (mend > 0) return { tone: 'warning', words: `${mend} of ${records.length} to mend` }
  return right === records.length ? { tone: 'positive', words: 'All right' } : { tone: 'neutral', words: 'Not looked up yet' }
}

/** In the list of brands. */
export function hostWords({ looked, proved, toMend }: NonNullable<ListedBrand['host']>): { tone: Tone; words: string } {
  if (!looked) return { tone: 'wait', words: 'Records not looked up yet' }
  if (toMend > 0) return { tone: proved ? 'warn' : 'bad', words: `${countNoun(toMend, 'record')} to mend` }
  return proved ? { tone: 'ok', words: 'Proved' } : { tone: 'wait', words: 'Not proved' }
}

export function certificateWords({ host, state }: BrandHost['certificates'][number], own: string): { tone: Tone; words: string } {
  if (state === 'ready') return { tone: 'ok', words: 'May be asked for: the entrance gets and renews it by itself' }
  if (state === 'unpublished') return { tone: 'wait', words: 'Asked for as soon as the brand is published' }
  return { tone: 'wait', words: host === own ? 'Asked for as soon as the host is proved' : 'Asked for as soon as its record is right' }
}
