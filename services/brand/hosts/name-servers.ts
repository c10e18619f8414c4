/** Asks DNS, each question with a deadline. */
import { Resolver } from 'node:dns/promises'
import type { DnsRecord } from '@passerelle/contracts/http/brand-host'
import { withDeadline } from '@passerelle/kit/resilience'
import { type Answer, type Entrance, judge, type WantedRecord } from '../domain/dns-records.ts'

/** Of one try; the second server, or the same again, gets as long. */
const TRY_MS = 1500
const TRIES = 2
const DEADLINE_MS = 5000

/** There is such a name server, and it says that there is no such record. */
const NOTHING = new Set(['ENODATA', 'ENOTFOUND'])

export type NameServers = {
  /** What each record is found to be. Never throws: without an answer the state is `unknown`. */
  look(wanted: readonly WantedRecord[], entrance: Entrance): Promise<DnsRecord[]>
  /** Those that are set, or those of its name; null: DNS gave no answer. */
  addressesOf(entrance: Entrance): Promise<Answer>
}

/**
 * @param servers addresses with or without a port, such as `127.0.0.1:5353`; empty: those of the machine
 * @param deadlineMs of one question
 */
export function nameServers(servers: readonly string[], deadlineMs = DEADLINE_MS): NameServers {
  const ask = async (type: DnsRecord['type'], name: string): Promise<Answer> => {
    const resolver = new Resolver({ timeout: Math.min(TRY_MS, deadlineMs), tries: TRIES })
    if (servers.length > 0) resolver.setServers(servers)
    const question = {
      TXT: async () => (await resolver.resolveTxt(name)).map((parts) => parts.join('')),
      A: () => resolver.resolve4(name),
      AAAA: () => resolver.resolve6(name),
      CNAME: () => resolver.resolveCname(name),
    }[type]
    try {
      return await withDeadline('DNS', deadlineMs, question())
    } catch (error) {
      resolver.cancel()
      return NOTHING.has((error as { code?: string }).code ?? '') ? [] : null
    }
  }

  const addressesUnder = async (name: string): Promise<Answer> => {
    const [four, six] = await Promise.all([ask('A', name), ask('AAAA', name)])
    return four === null || six === null ? null : [...four, ...six]
  }

  const answerTo = async ({ type, name }: WantedRecord): Promise<Answer> => {
    const answer = await ask(type, name)
    // An alias at the top of a domain is answered as the addresses it leads to.
    return type === 'CNAME' && answer?.length === 0 ? addressesUnder(name) : answer
  }
  const addressesOf = async ({ name, addresses }: Entrance): Promise<Answer> => (addresses.length > 0 ? addresses : addressesUnder(name))

  return {
    addressesOf,

    async look(wanted, entrance) {
      const leads = wanted.some(({ purpose }) => purpose === 'address' || purpose === 'www')
      const [own, ...answers] = await Promise.all([leads ? addressesOf(entrance) : [], ...wanted.map(answerTo)])
      return wanted.map((record, index) => ({ ...record, ...judge(record, answers[index] ?? null, own ?? []) }))
    },
  }
}
