/** An authorisation belongs to the visitor who made it, so a guest gets a session before the card is authorised. */
import { paymentApi } from '@passerelle/contracts/http/payment'
import type { Peer } from '@passerelle/kit/peer'
import type { RequestHandler } from 'express'
import { callerWithSession, callService, type GuestSessionTools, sendServiceResponse, validateBody } from './call-service.ts'

const { processCard: route } = paymentApi.routes

export function processCard(tools: GuestSessionTools & { payment: Peer<typeof paymentApi> }): RequestHandler[] {
  return [
    ...validateBody(route),
    async (request, response) => {
      const caller = await callerWithSession(response, 'payment', route, tools)
      const result = await callService(request, (options) => tools.payment(caller).processCard({ body: request.body }, options))
      sendServiceResponse(response, result)
    },
  ]
}
