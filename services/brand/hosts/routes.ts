/** The calls of brandHostApi. */
import { AppError } from '@passerelle/contracts/error'
import { brandChanged } from '@passerelle/contracts/events/brand'
import type { brandHostApi, HostAndSender } from '@passerelle/contracts/http/brand-host'
import type { Audit } from '@passerelle/kit/audit'
import type { Caller } from '@passerelle/kit/auth'
import type { Handlers } from '@passerelle/kit/http'
import type { MailQueue } from '@passerelle/kit/mail-queue'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import { now, nowMs } from '@passerelle/kit/runtime'
import { requireBrand } from '@passerelle/kit/staff'
import { type BrandRecord, editedBrand } from '../domain/brand-record.ts'
import { changedSender, isProved, mailSender, noSender, type StoredSender } from '../domain/sender.ts'
import type { SenderMail } from '../senders/mails.ts'
import type { SenderLinks } from '../senders/store.ts'
import type { Store } from '../store.ts'
import type { LookUps } from './look-ups.ts'

type HostTools = {
  store: Store
  lookUps: LookUps
  links: SenderLinks
  mails: MailQueue<SenderMail>
  audit: Audit
  /** What mails come from where a brand has no address of its own. */
  mailFrom: string
}

/** Other changes of the brand may come in between; the link is used up by then. */
const PROVE_TRIES = 5

export function hostRoutes({ store, lookUps, links, mails, audit, mailFrom }: HostTools): Handlers<typeof brandHostApi> {
  const load = async (key: string, caller: Caller): Promise<BrandRecord> => {
    requireBrand(caller, key, 'BRAND_NOT_FOUND')
    const record = await store.record(key)
    if (!record) throw new AppError('BRAND_NOT_FOUND')
    return record
  }
  const senderOf = (record: BrandRecord): StoredSender => record.sender ?? noSender(editedBrand(record).name)

  const shown = async (record: BrandRecord): Promise<HostAndSender> => {
    const { host, records, lookedAt } = await lookUps.known(record)
    const sender = senderOf(record)
    const { proved: _, setAt: __, ...input } = sender
    const isOwn = isProved(sender)
    const link = isOwn || !input.fromAddress ? null : await links.newest(record._id, input.fromAddress, now())
    const used = mailSender(record.sender, editedBrand(record).name).address ?? mailFrom
    return {
      host,
      sender: {
        ...input,
        records,
        lookedAt,
        proved: isOwn,
        usedAddress: used,
        link: link && { sentAt: link.sentAt.toISOString(), expiresAt: link.expiresAt.toISOString() },
      },
    }
  }

  const write = (record: BrandRecord, sender: StoredSender, requestId: string) => {
    const sequence = record.version + 1
    const event = createOutboxEvent(brandChanged, { brandKey: record._id, version: sequence }, { sequence, at: now(), requestId })
    return store.change(record, { sender }, [event])
  }
  const sendLink = (key: string, { setAt }: StoredSender) => mails.enqueue('prove-sender', `${key}:${setAt}:${nowMs()}`)

  return {
    getHostAndSender: async ({ params, caller }) => shown(await load(params.brandKey, caller)),

    async checkRecords({ params, caller }) {
      const record = await load(params.brandKey, caller)
      await lookUps.look(record)
      return shown(record)
    },

    async saveSender({ params: { brandKey }, body, caller }) {
      const record = await load(brandKey, caller)
      const before = senderOf(record)
      const about = { action: 'brand-sender', subject: brandKey, brandKey, from: before.fromAddress, to: body.fromAddress } as const
      const sender = changedSender(before, body, nowMs())
      const changed = await audit.run(about, caller, async () => {
        const written = await write(record, sender, caller.requestId)
        if (!written) throw new AppError('BRAND_RACE')
        return written
      })
      if (before.fromAddress !== sender.fromAddress) {
        await links.drop(brandKey)
        if (sender.fromAddress !== '' && !isProved(sender)) await sendLink(brandKey, sender)
      }
      return shown(changed)
    },

    async sendSenderLink({ params: { brandKey }, caller }) {
      const record = await load(brandKey, caller)
      const sender = senderOf(record)
      await audit.run({ action: 'brand-sender-link', subject: brandKey, brandKey, to: sender.fromAddress }, caller, async () => {
        if (sender.fromAddress === '') throw new AppError('BRAND_STATE', { message: 'This brand has no From address of its own.' })
        if (isProved(sender)) throw new AppError('BRAND_STATE', { message: 'This address is proved already.' })
        await sendLink(brandKey, sender)
      })
      return shown(record)
    },

    async proveSender({ body, caller }) {
      const link = await links.use(body.token, now())
      for (let tries = 0; link && tries < PROVE_TRIES; tries++) {
        const record = await store.record(link.brandKey)
        // Another address was set since the mail was sent.
        if (record?.sender?.fromAddress !== link.address) break
        if (!(await write(record, { ...record.sender, proved: link.address }, caller.requestId))) continue
        await links.drop(link.brandKey)
        await audit.record(
          { action: 'brand-sender-proved', subject: link.brandKey, brandKey: link.brandKey, to: link.address },
          { ...caller, userId: caller.userId ?? 'link' },
        )
        return { success: true, message: `The e-mails of ${editedBrand(record).name} now come from this address.` }
      }
      throw new AppError('LINK_INVALID')
    },

    async askForCertificate({ query }) {
      const host = query.domain.toLowerCase()
      if (!(await lookUps.mayHaveCertificate(host))) throw new AppError('NOT_FOUND')
      return { host }
    },
  }
}
