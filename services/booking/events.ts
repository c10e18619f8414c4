/** The consumers of this service: what bookings learn from other services, and the mails that their own events make due. */
import { bookingCancelled, bookingConfirmed, bookingFailed, bookingPending, bookingRescheduled } from '@passerelle/contracts/events/booking'
import { brandChanged } from '@passerelle/contracts/events/brand'
import { accountBookingLinked, accountCreated, accountErased } from '@passerelle/contracts/events/identity'
import { paymentRefunded, paymentReversed } from '@passerelle/contracts/events/payment'
import type { Audit } from '@passerelle/kit/audit'
import { type ConsumerDefinition, on } from '@passerelle/kit/bus'
import type { MailQueue } from '@passerelle/kit/mail-queue'
import type { BrandCopyStore } from './brands/store.ts'
import type { QueuedMail } from './domain/mail.ts'
import { recordRefund, recordReversal } from './refund.ts'
import type { SagaContext } from './transition.ts'

/** Handlers only write; workers call. */
export function bookingConsumer(
  context: SagaContext,
  copies: Pick<BrandCopyStore, 'noteChange'>,
  audit: Pick<Audit, 'dropNotes'>,
): ConsumerDefinition {
  const { store } = context
  return {
    group: 'booking',
    subscriptions: [
      on(paymentRefunded, async ({ data }) => {
        if (data.bookingId) await recordRefund(data.bookingId, context)
      }),
      on(paymentReversed, async ({ data }) => {
        if (data.bookingId) await recordReversal(data.bookingId, data, context)
      }),
      on(accountCreated, async ({ data }) => {
        if (data.bookingId) await store.attachUser(data.bookingId, data.userId)
      }),
      on(accountBookingLinked, async ({ data }) => {
        await store.attachUser(data.bookingId, data.userId)
      }),
      on(accountErased, async ({ data }) => {
        // Before the bookings lose their owner, by which a repeat finds them.
        await audit.dropNotes(await store.referencesOf(data.userId))
        await store.forgetUser(data.userId)
      }),
      on(brandChanged, async ({ data }) => {
        await copies.noteChange(data.brandKey, data.version)
      }),
    ],
  }
}

export function mailConsumer(queue: MailQueue<QueuedMail>): ConsumerDefinition {
  const enqueue = (template: QueuedMail) => (event: { data: { bookingId: string }; sequence: number }) =>
    queue.enqueue(template, event.data.bookingId, event.sequence)
  return {
    group: 'booking-mail',
    subscriptions: [
      on(bookingConfirmed, enqueue('confirmed')),
      on(bookingPending, enqueue('pending')),
      on(bookingCancelled, enqueue('cancelled')),
      on(bookingRescheduled, ({ data, sequence }) => queue.enqueue('rescheduled', `${data.bookingId}:${data.changeId}`, sequence)),
      on(bookingFailed, async (event) => {
        // A visitor who still waits at the screen reads it there; only a visitor who was told "pending" gets a letter.
        if (await queue.has('pending', event.data.bookingId)) await enqueue('failed')(event)
      }),
    ],
  }
}
