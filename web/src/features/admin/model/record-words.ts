/** What the state of a DNS record or a certificate means for a brand, in words. */
import type { AnsweredCertificate, BrandHost, DnsRecord } from '@passerelle/contracts/http/brand-host'
import type { ListedBrand } from '@passerelle/contracts/http/brand-manager'
import { countNoun } from '../../../lib/format/people.ts'
import { formatEnd } from './moment.ts'

export type Tone = 'ok' | 'warn' | 'bad' | 'wait' | 'off'
type Standing = { tone: Tone; words: string }

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
export function recordWords(record: DnsRecord, looked: boolean): Standing {
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
export function hostWords({ looked, proved, toMend }: NonNullable<ListedBrand['host']>): Standing {
  if (!looked) return { tone: 'wait', words: 'Records not looked up yet' }
  if (toMend > 0) return { tone: proved ? 'warn' : 'bad', words: `${countNoun(toMend, 'record')} to mend` }
  return proved ? { tone: 'ok', words: 'Proved' } : { tone: 'wait', words: 'Not proved' }
}

/** In the list of brands; null: nothing is known of it. */
export function listedCertificateWords({ status, host }: Pick<ListedBrand, 'status' | 'host'>): Standing | null {
  if (!host?.looked) return null
  const { certificate, proved } = host
  // Nobody is asked about a host that was never proved: none may be made for it.
  if (!certificate) return proved ? null : NONE
  const end = formatEnd(certificate.endsAt, 'without year')
  if (certificate.state === 'none') return NONE
  if (certificate.state === 'ended') return { tone: 'bad', words: `Certificate ended ${end}` }
  if (certificate.state !== 'valid') return { tone: 'bad', words: `Certificate ${REFUSED[certificate.state]}` }
  if (status !== 'live') return { tone: 'off', words: 'Certificate not renewed' }
  return { tone: 'ok', words: `Certificate to ${end}` }
}
const NONE: Standing = { tone: 'off', words: 'No certificate yet' }
const REFUSED = { 'other-name': 'of another name', untrusted: 'not trusted by browsers' } satisfies Partial<
  Record<AnsweredCertificate['state'], string>
>

/** `own`: the brand's host, without www. */
export function certificateWords({ host, state, answers }: BrandHost['certificates'][number], own: string): Standing {
  const until = {
    ready: 'renewed by itself',
    unpublished: 'renewed as soon as the brand is published',
    waiting: `renewed as soon as ${host === own ? 'the host is proved' : 'its record is right'}`,
  }[state]
  const end = formatEnd(answers?.endsAt ?? null, 'with year')
  if (answers?.state === 'valid') return { tone: state === 'ready' ? 'ok' : 'wait', words: `Valid to ${end}, ${until}` }
  if (answers?.state === 'ended') return { tone: 'bad', words: `Ended on ${end}. Browsers warn visitors` }
  if (answers && answers.state !== 'none')
    return { tone: 'bad', words: `The one that answers is ${REFUSED[answers.state]}. Browsers warn visitors` }
  if (state === 'ready')
    return answers
      ? { tone: 'wait', words: 'None answers yet: the entrance may ask for it, and renews it by itself' }
      : { tone: 'ok', words: 'May be asked for: the entrance gets and renews it by itself' }
  if (state === 'unpublished') return { tone: 'wait', words: 'Asked for as soon as the brand is published' }
  return { tone: 'wait', words: host === own ? 'Asked for as soon as the host is proved' : 'Asked for as soon as its record is right' }
}
