/** The mail that asks whoever reads a From address whether it is theirs. */
import { letter } from '@passerelle/contracts/rules/letter'
import type { Sender } from '@passerelle/kit/mail-queue'
import { now } from '@passerelle/kit/runtime'
import { editedBrand } from '../domain/brand-record.ts'
import { isProved } from '../domain/sender.ts'
import type { Store } from '../store.ts'
import type { SenderLinks } from './store.ts'

export type SenderMail = 'prove-sender'
export type WriterTools = { store: Store; links: SenderLinks; publicUrl: string }

/** A subject is a brand's key, when the address was set, and when the link was asked for, with colons between them. */
export function senderWriter({ store, links, publicUrl }: WriterTools): Sender<SenderMail>['write'] {
  return async (_template, subject) => {
    const [key = '', setAt] = subject.split(':')
    const record = await store.record(key)
    const sender = record?.sender
    if (!record || !sender || sender.fromAddress === '' || isProved(sender)) return null
    // Another address was set since.
    if (String(sender.setAt) !== setAt) return null
    const brand = editedBrand(record)
    const secret = await links.make(key, sender.fromAddress, now())
    // On the installation's own site: the brand's host may lead nowhere yet. Behind the # it reaches no server's log.
    const link = `${publicUrl.replace(/\/$/, '')}/confirm-sender#${secret}`
    const words = letter(`Please confirm the sender address - ${brand.name}`, brand, [
      `An administrator of ${brand.name} wants the e-mails of ${brand.name} to come from this address.`,
      `If that is right, confirm it with this link, which works once and for 24 hours: ${link}`,
      'If you know nothing of it, do not use the link, and nothing happens.',
    ])
    return { to: sender.fromAddress, fromName: sender.fromName, ...words }
  }
}
