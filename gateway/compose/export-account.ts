/** One file from three services: the account, its bookings, and the messages that were sent with its confirmed address. */
import { type AccountData, accountApi } from '@passerelle/contracts/http/account'
import type { bookingApi } from '@passerelle/contracts/http/booking'
import type { messagesApi } from '@passerelle/contracts/http/messages'
import type { Peer } from '@passerelle/kit/peer'
import type { RequestHandler } from 'express'
import { type BrandContext, callerFor } from '../caller.ts'
import { visitorOf } from '../middleware.ts'
import { callService, sendServiceResponse } from './call-service.ts'

const { exportAccount: route } = accountApi.routes

type ExportTools = {
  account: Peer<typeof accountApi>
  booking: Peer<typeof bookingApi>
  messages: Peer<typeof messagesApi>
  brands: BrandContext
}

export function exportAccount({ account, booking, messages, brands }: ExportTools): RequestHandler[] {
  return [
    async (request, response) => {
      const caller = await callerFor(visitorOf(response), 'booking', route, brands)
      const answer = await callService(request, (options) => account(caller).exportAccount(undefined, options))
      if (answer.refused) return sendServiceResponse(response, answer)
      const { email, emailVerified } = answer.body.account
      const [bookings, sent] = await Promise.all([
        booking(caller).listBookings(),
        emailVerified ? messages(caller).messagesOf({ body: { email } }) : [],
      ])
      const data: AccountData = { ...answer.body, bookings, messages: sent }
      response.setHeader('content-disposition', 'attachment; filename="my-data.json"')
      sendServiceResponse(response, answer, data)
    },
  ]
}
