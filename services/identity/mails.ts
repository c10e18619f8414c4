/** Account mails, written when they are sent: a link in one is made at that moment and only its hash is kept. */

import type { bookingApi } from '@passerelle/contracts/http/booking'
import type { brandApi } from '@passerelle/contracts/http/brand'
import { brandSite } from '@passerelle/contracts/rules/brand-site'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { systemCaller } from '@passerelle/kit/auth'
import { mailFrom } from '@passerelle/kit/mail'
import type { Sender } from '@passerelle/kit/mail-queue'
import type { Peer } from '@passerelle/kit/peer'
import { now } from '@passerelle/kit/runtime'
import { type AccountMail, writeLetter } from './domain/mail.ts'
import type { UserRecord } from './domain/user.ts'
import { makeLink, RESET_LINK_MS } from './links.ts'
import type { LinkUse, Store } from './store.ts'

export type WriterTools = {
  store: Store
  brands: Peer<typeof brandApi>
  bookings: Peer<typeof bookingApi>
  publicUrl: string
}

const LINKS: Partial<Record<AccountMail, LinkUse>> = {
  welcome: 'set-password',
  waiting: 'set-password',
  verify: 'verify-email',
  reset: 'set-password',
}

/** A subject is an account's id, and after a colon the id of the booking in question or what tells this mail from the one before. */
export function writer({ store, brands, bookings, publicUrl }: WriterTools): Sender<AccountMail>['write'] {
  return async (template, subject) => {
    const [userId = '', about] = subject.split(':')
    const user = await store.userById(userId)
    const current = user && currentTemplate(template, user)
    if (!current) return null
    const caller = systemCaller('identity', { brand: 'default', mode: 'test', requestId: `mail-${template}` })
    const bookingId = template === 'linked' || template === 'waiting' ? about : template === 'welcome' ? user.bookingId : null
    const booking = bookingId ? await bookings(caller).getContact({ params: { id: bookingId } }) : null
    const from = await brands(caller).brandSettings({ params: { brandKey: booking?.brand ?? user.brand ?? DEFAULT_BRAND_KEY } })
    const { brand } = from
    const site = brandSite(brand.domain, publicUrl)
    const use = LINKS[current]
    const link = use && (await makeLink(store, { userId, use, mailed: true }, site, now(), current === 'reset' ? RESET_LINK_MS : undefined))
    const facts = { ...(link && { link }), ...(booking && { reference: booking.reference }) }
    return { to: user.email, ...mailFrom(from), ...writeLetter(current, user, brand, site, facts) }
  }
}

/** The template that fits the account now: its address may have been verified since the mail was queued. */
function currentTemplate(template: AccountMail, { emailVerifiedAt }: UserRecord): AccountMail | null {
  if (!emailVerifiedAt) return template
  return template === 'waiting' ? 'linked' : template === 'verify' ? null : template
}
