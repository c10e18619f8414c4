/** Looks a brand's records and certificates up, when somebody asks and by itself, and says what they are for its host and its sender. */
import type { AnsweredCertificate, BrandHost, CertificateState, DnsRecord } from '@passerelle/contracts/http/brand-host'
import type { ListedBrand } from '@passerelle/contracts/http/brand-manager'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import type { Log } from '@passerelle/kit/log'
import { now } from '@passerelle/kit/runtime'
import { claimAndRun, type WorkerDefinition } from '@passerelle/kit/worker'
import { type BrandRecord, statusOf } from '../domain/brand-record.ts'
import {
  type Entrance,
  hostRecords,
  type MailRecords,
  provedHosts,
  senderRecords,
  type WantedRecord,
  withEarlier,
} from '../domain/dns-records.ts'
import type { Store } from '../store.ts'
import type { Certificates } from './certificates.ts'
import type { NameServers } from './name-servers.ts'
import type { HostRecord, HostStore, KeptCertificate } from './store.ts'

export type LookUpTools = {
  store: Store
  hosts: HostStore
  names: NameServers
  certificates: Certificates
  entrance: Entrance
  mail: MailRecords
  log: Log
}
export type LookUps = ReturnType<typeof lookUps>

const MINUTE_MS = 60_000
/** A record that was just set is waited for, and the certificate then; what is right may be taken away. */
const AGAIN_MS = { wrong: 10 * MINUTE_MS, right: 60 * MINUTE_MS }
const LEASE_MS = 2 * MINUTE_MS
const EVERY_MS = 5000
const AT_ONCE = 4

const isOfHost = ({ purpose }: Pick<DnsRecord, 'purpose'>) => ['ownership', 'address', 'www'].includes(purpose)

export function lookUps({ store, hosts, names, certificates, entrance, mail, log }: LookUpTools) {
  const wantedOf = ({ _id, sender }: BrandRecord, { token }: HostRecord): WantedRecord[] => [
    ...(_id === DEFAULT_BRAND_KEY ? [] : hostRecords(_id, token, entrance)),
    ...senderRecords(sender?.fromAddress ?? '', mail),
  ]

  /** The records as they are wanted now, with what was found of them. */
  const knownOf = (record: BrandRecord, kept: HostRecord): DnsRecord[] =>
    withEarlier(
      wantedOf(record, kept).map((wanted) => ({ ...wanted, state: 'unknown', found: [] })),
      kept.records,
    )

  /** Asked for proved hosts alone: the others do not lead to the entrance. */
  const seenOf = async (key: string, records: readonly DnsRecord[]): Promise<KeptCertificate[]> => {
    const proved = provedHosts(key, records)
    if (proved.length === 0) return []
    const addresses = (await names.addressesOf(entrance)) ?? []
    const seen = await Promise.all(proved.map(async (host) => ({ host, answer: await certificates.look(host, addresses) })))
    return seen.flatMap(({ host, answer }) => (answer ? [{ host, ...answer }] : []))
  }

  const look = async (record: BrandRecord): Promise<void> => {
    const kept = await hosts.ofBrand(record._id)
    const lookedAt = now()
    const records = withEarlier(await names.look(wantedOf(record, kept), entrance), kept.records)
    const seen = await seenOf(record._id, records)
    const isRight = records.every(({ state }) => state === 'right') && seen.every(({ state }) => state === 'valid')
    // A host that does not lead here any more keeps its certificate until it ends.
    const earlier = (kept.certificates ?? []).filter(({ host }) => !seen.some((one) => one.host === host))
    const nextAt = new Date(lookedAt.getTime() + (isRight ? AGAIN_MS.right : AGAIN_MS.wrong))
    await hosts.keep(record._id, { records, certificates: [...seen, ...earlier], lookedAt, nextAt })
  }

  const worker: WorkerDefinition = claimAndRun({
    name: 'records',
    everyMs: EVERY_MS,
    concurrency: AT_ONCE,
    claim: () => hosts.claim(now(), new Date(now().getTime() + LEASE_MS)),
    async work({ _id }) {
      const record = await store.record(_id)
      if (record) await look(record)
    },
    log,
  })

  return {
    look,
    worker,

    /** In short, for the list of brands: nothing is looked up for it. A brand that nobody has opened has no records yet. */
    async standing(record: BrandRecord): Promise<ListedBrand['host']> {
      if (record._id === DEFAULT_BRAND_KEY) return null
      const kept = await hosts.find(record._id)
      const records = kept ? knownOf(record, kept).filter(isOfHost) : []
      return {
        looked: kept !== null && kept.lookedAt !== null,
        proved: provedHosts(record._id, records).length > 0,
        toMend: records.filter(({ state }) => state === 'missing' || state === 'wrong').length,
        certificate: kept ? answerOn(record._id, kept) : null,
      }
    },

    /** `host`: null for the default brand. */
    async known(record: BrandRecord): Promise<{ host: BrandHost | null; records: DnsRecord[]; lookedAt: string | null }> {
      const kept = await hosts.ofBrand(record._id)
      const all = knownOf(record, kept)
      const [ofHost, ofSender] = [all.filter(isOfHost), all.filter((one) => !isOfHost(one))]
      // An address that was set since then has not been looked up.
      const lookedAt = (some: readonly DnsRecord[]) =>
        some.some(({ name }) => kept.records.some((one) => one.name === name)) ? (kept.lookedAt?.toISOString() ?? null) : null
      const host =
        record._id === DEFAULT_BRAND_KEY
          ? null
          : { host: record._id, records: ofHost, lookedAt: lookedAt(ofHost), ...certificatesOf(record, kept, ofHost) }
      return { host, records: ofSender, lookedAt: lookedAt(ofSender) }
    },

    /** Whether a proxy may get a certificate for this host. Nothing is asked of DNS: whoever opens connections could make us ask. */
    async mayHaveCertificate(host: string): Promise<boolean> {
      const key = host.startsWith('www.') && host.split('.').length > 2 ? host.slice(4) : host
      const [served, kept] = await Promise.all([store.find(key), hosts.find(key)])
      return served !== null && kept !== null && key !== DEFAULT_BRAND_KEY && provedHosts(key, kept.records).includes(host)
    },
  }
}

/** One that was valid when it was seen may have ended since. */
function answerOn(host: string, { certificates = [] }: HostRecord): AnsweredCertificate | null {
  const seen = certificates.find((one) => one.host === host)
  if (!seen) return null
  const { state, endsAt } = seen
  return { state: state === 'valid' && endsAt !== null && new Date(endsAt) <= now() ? 'ended' : state, endsAt }
}

function certificatesOf(record: BrandRecord, kept: HostRecord, records: readonly DnsRecord[]): Pick<BrandHost, 'proved' | 'certificates'> {
  const proved = provedHosts(record._id, records)
  const stateOf = (host: string): CertificateState =>
    proved.includes(host) ? (statusOf(record) === 'live' ? 'ready' : 'unpublished') : 'waiting'
  const hosts = [record._id, ...records.filter(({ purpose }) => purpose === 'www').map(({ name }) => name)]
  return { proved: proved.length > 0, certificates: hosts.map((host) => ({ host, state: stateOf(host), answers: answerOn(host, kept) })) }
}
