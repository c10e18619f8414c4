/** What the brand service needs for hosts and senders, from its settings. */
import { isIP } from 'node:net'
import type { Audit } from '@passerelle/kit/audit'
import type { Log } from '@passerelle/kit/log'
import type { MailQueue } from '@passerelle/kit/mail-queue'
import { z } from 'zod'
import { type SenderMail, senderWriter } from '../senders/mails.ts'
import { senderLinks } from '../senders/store.ts'
import type { Store } from '../store.ts'
import { certificates } from './certificates.ts'
import { lookUps } from './look-ups.ts'
import { nameServers } from './name-servers.ts'
import { hostRoutes } from './routes.ts'
import { hostStore } from './store.ts'

const List = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
const HostName = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9])?$/, 'must be a host name')

export const hostConfig = {
  /** Where the hosts of brands lead: the name of the entrance, by default that of PUBLIC_URL, and its addresses. */
  HOST_TARGET: HostName.optional(),
  HOST_ADDRESSES: List.refine((list) => list.every((one) => isIP(one) > 0), 'must be addresses with commas between them').transform(
    (list) => list.map(canonical),
  ),
  /** Where the certificates of hosts are seen, such as edge:443, in place of the entrance's addresses; it may be in a network of its own. */
  HOST_TLS_ADDRESS: z
    .string()
    .regex(/^(\[[0-9a-fA-F:]+\]|[a-zA-Z0-9_.-]+):\d{1,5}$/, 'must be a name or an address, a colon and a port')
    .transform((text) => ({ host: text.slice(0, text.lastIndexOf(':')).replace(/[[\]]/g, ''), port: Number(/\d+$/.exec(text)?.[0]) }))
    .refine(({ port }) => port > 0 && port < 65_536, 'must have a port from 1 to 65535')
    .optional(),
  /** What the mail server asks of the domains it sends for: the name that their SPF record includes, and the one that its DKIM key is kept under. */
  MAIL_SPF_INCLUDE: HostName.optional(),
  MAIL_DKIM_HOST: HostName.refine((name) => name.split('.')[1] === '_domainkey', 'must begin with a selector and ._domainkey').optional(),
  /** Name servers to ask in place of the machine's own, such as 127.0.0.1:5353. */
  DNS_SERVERS: List,
}
type HostConfig = z.output<z.ZodObject<typeof hostConfig>> & { PUBLIC_URL: string; MAIL_FROM: string }

/** As DNS answers are written. */
const canonical = (address: string) => (isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address)

type Parts = {
  config: HostConfig
  mongo: Parameters<typeof hostStore>[0]
  store: Store
  mails: MailQueue<SenderMail>
  audit: Audit
  log: Log
}

export function hostParts({ config, mongo, store, mails, audit, log }: Parts) {
  const { hostname } = new URL(config.PUBLIC_URL)
  const entrance = { name: config.HOST_TARGET ?? hostname, addresses: config.HOST_ADDRESSES }
  const mail = { spfInclude: config.MAIL_SPF_INCLUDE ?? null, dkimHost: config.MAIL_DKIM_HOST ?? null }
  const ofBrands = lookUps({
    ...{ store, hosts: hostStore(mongo), entrance, mail, log },
    names: nameServers(config.DNS_SERVERS),
    certificates: certificates(config.HOST_TLS_ADDRESS ?? null),
  })
  const links = senderLinks(mongo)
  return {
    ownHosts: [hostname, entrance.name].map((name) => name.replace(/^www\./, '')),
    routes: hostRoutes({ store, lookUps: ofBrands, links, mails, audit, mailFrom: config.MAIL_FROM }),
    standing: ofBrands.standing,
    worker: ofBrands.worker,
    write: senderWriter({ store, links, publicUrl: config.PUBLIC_URL }),
  }
}
