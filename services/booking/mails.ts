/** The text of a booking's mails, for the mail worker and for the confirmation screen. */
import { brandSite } from '@passerelle/contracts/rules/brand-site'
import type { Log } from '@passerelle/kit/log'
import { mailFrom } from '@passerelle/kit/mail'
import type { Sender } from '@passerelle/kit/mail-queue'
import type { BrandOf } from './brands/brand-copies.ts'
import type { BookingRecord } from './domain/booking.ts'
import { type QueuedMail, writeLetter } from './domain/mail.ts'
import { awaitsOutcome } from './domain/state.ts'
import { attentionLetter } from './office/attention-mail.ts'
import type { Store } from './store.ts'
import { asCaller } from './transition.ts'

export type Preview = (booking: BookingRecord) => Promise<string>

/** Plain text for the confirmation screen; empty when the brand cannot be read just now. */
export function previews(brandOf: BrandOf, publicUrl: string, log: Log): Preview {
  return async (booking) => {
    try {
      const { brand } = await brandOf(booking.brand, asCaller(booking))
      return writeLetter(booking.state === 'CONFIRMED' ? 'confirmed' : 'pending', booking, brand, brandSite(brand.domain, publicUrl)).text
    } catch (err) {
      log.warn({ err }, 'no preview of the mail')
      return ''
    }
  }
}

/** @param staffAddress where the agency reads what needs it; else the contact address of the booking's brand */
export function writer(store: Store, brandOf: BrandOf, publicUrl: string, staffAddress?: string): Sender<QueuedMail>['write'] {
  const tellStaff = async (bookingId: string) => {
    const booking = await store.byId(bookingId)
    if (!booking) return null
    const from = await brandOf(booking.brand, asCaller(booking))
    const { brand } = from
    const written = attentionLetter(booking, brand, brandSite(brand.domain, publicUrl))
    const to = staffAddress ?? brand.contact.email
    return written && to ? { to, ...mailFrom(from), ...written } : null
  }
  return async (template, subject) => {
    const [bookingId = ''] = subject.split(':')
    if (template === 'attention') return tellStaff(bookingId)
    const booking = await store.byId(bookingId)
    if (!booking?.contact.email) return null
    // The outcome is known by now and has a mail of its own.
    if (template === 'pending' && !awaitsOutcome(booking.state)) return null
    const from = await brandOf(booking.brand, asCaller(booking))
    const site = brandSite(from.brand.domain, publicUrl)
    return { to: booking.contact.email, ...mailFrom(from), ...writeLetter(template, booking, from.brand, site) }
  }
}
