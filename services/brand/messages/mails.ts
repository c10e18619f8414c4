/** Writes the mails about messages when they are sent, so that nothing personal stands in the queue. */
import { brandSite } from '@passerelle/contracts/rules/brand-site'
import { mailFrom } from '@passerelle/kit/mail'
import type { Sender } from '@passerelle/kit/mail-queue'
import type { BrandReader } from '../brand-reader.ts'
import { acknowledgement, answerLetter, type MessageMail, receivedLetter } from '../domain/mail.ts'
import type { MessageStore } from './store.ts'

export type WriterTools = { messages: MessageStore; reader: BrandReader; publicUrl: string }

/** A subject is a message's id, and after a colon the number of an answer. */
export function messageWriter({ messages, reader, publicUrl }: WriterTools): Sender<MessageMail>['write'] {
  return async (template, subject) => {
    const [id = '', number] = subject.split(':')
    const record = await messages.find(id)
    const served = record && (await reader.served(record.brandKey))
    if (!record || !served) return null
    const brand = reader.read(served)
    const from = mailFrom({ brand, sender: reader.sender(served) })
    const site = brandSite(brand.domain, publicUrl)
    const message = { ...record, id, receivedAt: record.receivedAt.toISOString() }
    if (template === 'received') {
      const to = brand.contact.email
      return to === '' ? null : { to, ...from, replyTo: record.email, ...receivedLetter(message, brand, site) }
    }
    const toSender = { to: record.email, ...(brand.contact.email && { replyTo: brand.contact.email }), ...from }
    if (template === 'acknowledged') return { ...toSender, ...acknowledgement(message, brand, site) }
    const answer = record.answers[Number(number)]
    return answer ? { ...toSender, ...answerLetter(message, answer.text, brand) } : null
  }
}
