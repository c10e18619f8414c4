/** A hold belongs to the visitor that made it, so a guest has a session before the card is held. The card is gone with the request. */
import { paymentApi } from '@passerelle/contracts/http/payment'
import type { Peer } from '@passerelle/kit/peer'
import type { RequestHandler } from 'express'
import { forward, judgeBody, send } from './forward.ts'
import { callerWithSession, type GuestSessionTools } from './guest-session.ts'

const { processCard: route } = paymentApi.routes

export function processCard(tools: GuestSessionTools & { payment: Peer<typeof paymentApi> }): RequestHandler[] {
  return [
    ...judgeBody(route),
    async (request, response) => {
      const caller = await callerWithSession(response, 'payment', route, tools)
      send(response, await forward(request, (options) => tools.payment(caller).processCard({ body: request.body }, options)))
    },
  ]
}
