/** A booking reference is short enough to guess, so calls are also limited by reference. */
import { bookingApi } from '@passerelle/contracts/http/booking'
import type { Peer } from '@passerelle/kit/peer'
import type { RequestHandler } from 'express'
import { type BrandContext, callerFor } from '../caller.ts'
import type { RateLimits } from '../limits.ts'
import { enforceReferenceLimits, visitorOf } from '../middleware.ts'
import { callService, sendServiceResponse, validateBody } from './call-service.ts'

const { retrieveBooking: route } = bookingApi.routes

type RetrieveTools = { booking: Peer<typeof bookingApi>; brands: BrandContext; limits: RateLimits }

export function retrieveBooking({ booking, brands, limits }: RetrieveTools): RequestHandler[] {
  return [
    ...validateBody(route),
    enforceReferenceLimits(limits, 'retrieveBooking', route),
    async (request, response) => {
      const caller = await callerFor(visitorOf(response), 'booking', route, brands)
      const result = await callService(request, (options) => booking(caller).retrieveBooking({ body: request.body }, options))
      sendServiceResponse(response, result)
    },
  ]
}
