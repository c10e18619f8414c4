/** Account mails, written when they are sent: a link in one is made at that moment and only its hash is kept. */

import { randomBytes } from 'node:crypto'
import type { bookingApi } from '@passerelle/contracts/http/booking'
import type { brandApi } from '@passerelle/contracts/http/brand'
import { brandSite } from '@passerelle/contracts/rules/brand-site'
import { hashToken, systemCaller } from '@passerelle/kit/auth'
import type { Sender } from '@passerelle/kit/mail-queue'
import type { Peer } from '@passerelle/kit/peer'
import { type AccountMail, writeLetter } from './domain/mail.ts'

import type { Store } from './store.ts'

const LINK_MS = 24 * 3_600_000

/** A single-use link to choose a password; returns its address. */
export async function passwordLink(store: Store, userId: string, site: string, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await store.insertLink({ _id: hashToken(token), userId, expiresAt: new Date(now.getTime() + LINK_MS) })
  return `${site}/set-password#${token}`
}

export type WriterTools = {
  store: Store
  brands: Peer<typeof brandApi>
  bookings: Peer<typeof bookingApi>
  publicUrl: string
  clock(): Date
}

export function writer({ store, brands, bookings, publicUrl, clock }: WriterTools): Sender<AccountMail>['write'] {
  return async (template, subject) => {
    const [userId = '', linked] = subject.split(':')
    const user = await store.userById(userId)
    if (!user) return null
    const caller = systemCaller('identity', { brand: 'default', mode: 'test', requestId: `mail-${template}` })
    const bookingId = linked ?? user.bookingId
    const booking = bookingId ? await bookings(caller).getContact({ params: { id: bookingId } }) : null
    const { brand } = await brands(caller).brandSettings({ params: { brandKey: booking?.brand ?? 'default' } })
    const site = brandSite(brand.domain, publicUrl)
    const link = template === 'welcome' ? await passwordLink(store, user._id, site, clock()) : undefined
    const about = { ...(link && { link }), ...(booking && { reference: booking.reference }) }
    return { to: user.email, fromName: brand.name, ...writeLetter(template, user, brand, site, about) }
  }
}
