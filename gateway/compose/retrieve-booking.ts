/** A reference is easy to guess: how often one is asked for is counted, whoever asks. */
import { bookingApi } from '@passerelle/contracts/http/booking'
import type { Peer } from '@passerelle/kit/peer'
import type { RequestHandler } from 'express'
import type { BrandContext } from '../brand-context.ts'
import type { Limiter } from '../limits.ts'
import { callerFor, visitorOf } from '../visitor.ts'
import { forward, judgeBody, send } from './forward.ts'

const { retrieveBooking: route } = bookingApi.routes

export type RetrieveTools = { booking: Peer<typeof bookingApi>; brands: BrandContext; limit: Limiter }

export function retrieveBooking({ booking, brands, limit }: RetrieveTools): RequestHandler[] {
  return [
    ...judgeBody(route),
    limit('retrieveBooking', route, 'reference'),
    async (request, response) => {
      const caller = await callerFor(visitorOf(response), 'booking', route, brands)
      send(response, await forward(request, (options) => booking(caller).retrieveBooking({ body: request.body }, options)))
    },
  ]
}
