/** The mail to an address that was signed up. */
import { brandSite } from '@passerelle/contracts/rules/brand-site'
import { mailFrom } from '@passerelle/kit/mail'
import type { Sender } from '@passerelle/kit/mail-queue'
import type { BrandReader } from '../brand-reader.ts'
import { signUpLetter } from '../domain/mail.ts'
import type { SubscriberStore } from './store.ts'

export type NewsletterMail = 'signed-up'
export type WriterTools = { subscribers: Pick<SubscriberStore, 'find'>; reader: BrandReader; publicUrl: string }

/** A subject is a subscriber's number. */
export function newsletterWriter({ subscribers, reader, publicUrl }: WriterTools): Sender<NewsletterMail>['write'] {
  return async (_template, number) => {
    const subscriber = await subscribers.find(number)
    const served = subscriber && (await reader.served(subscriber.brand))
    if (!subscriber || !served) return null
    const brand = reader.read(served)
    // Behind the # it reaches no server's log.
    const link = `${brandSite(brand.domain, publicUrl)}/unsubscribe#${subscriber.secret}`
    return { to: subscriber.email, ...mailFrom({ brand, sender: reader.sender(served) }), ...signUpLetter(brand, link) }
  }
}
