/** A confirmed guest booking makes or finds its account: the guarantee behind the quick call. A registered account is asked to verify its address. */
import { bookingConfirmed } from '@passerelle/contracts/events/booking'
import { accountCreated } from '@passerelle/contracts/events/identity'
import { systemCaller } from '@passerelle/kit/auth'
import { type ConsumerDefinition, on } from '@passerelle/kit/bus'
import { type AccountTools, ensureAccount, neverReveal } from './accounts.ts'

export function identityConsumer(tools: AccountTools): ConsumerDefinition {
  return {
    group: 'identity',
    subscriptions: [
      on(bookingConfirmed, async ({ data, requestId, id }) => {
        if (data.userId) return
        const caller = systemCaller('identity', { brand: data.brand, mode: data.mode, requestId: requestId ?? id })
        await ensureAccount(data.bookingId, neverReveal, caller, tools)
      }),
      on(accountCreated, async ({ data }) => {
        // The welcome to the account of a booking has a link that verifies, too.
        if (data.bookingId === null) await tools.mails.enqueue('verify', `${data.userId}:created`)
      }),
    ],
  }
}
