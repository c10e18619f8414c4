/** What bookings learn from other owners. Handlers only write; workers call. */
import { accountBookingLinked, accountCreated, accountErased } from '@passerelle/contracts/events/identity'
import { paymentRefunded } from '@passerelle/contracts/events/payment'
import { type ConsumerDefinition, on } from '@passerelle/kit/bus'
import type { Store } from './store.ts'

export function bookingConsumer(store: Store, clock: () => Date): ConsumerDefinition {
  return {
    group: 'booking',
    subscriptions: [
      on(paymentRefunded, async ({ data }) => {
        if (data.bookingId) await store.markRefunded(data.bookingId, clock())
      }),
      on(accountCreated, async ({ data }) => {
        if (data.bookingId) await store.attachUser(data.bookingId, data.userId)
      }),
      on(accountBookingLinked, async ({ data }) => {
        await store.attachUser(data.bookingId, data.userId)
      }),
      on(accountErased, async ({ data }) => {
        await store.forgetUser(data.userId)
      }),
    ],
  }
}
