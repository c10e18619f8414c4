/**
 * One response from two services: the booking, and the account that a guest's booking creates. While identity is unavailable the
 * booking is created all the same, and the account follows by mail.
 */
import { AppError } from '@passerelle/contracts/error'
import { type BookingCreated, type BookingCreatedInternally, bookingApi } from '@passerelle/contracts/http/booking'
import type { BookingContact } from '@passerelle/contracts/http/booking-contact'
import type { Caller } from '@passerelle/kit/auth'
import type { Peer } from '@passerelle/kit/peer'
import { timeoutSignal } from '@passerelle/kit/runtime'
import type { RequestHandler, Response } from 'express'
import { visitorOf } from '../middleware.ts'
import type { SessionCache } from '../session.ts'
import { callerWithSession, callService, type GuestSessionTools, sendServiceResponse, validateBody } from './call-service.ts'

type BookingTools = GuestSessionTools & {
  booking: Peer<typeof bookingApi>
  sessions: SessionCache
  /** How long a booking's response waits for its account; past it the account follows by mail. */
  accountWithinMs: number
}

const { createBooking: route } = bookingApi.routes

export function createBooking(tools: BookingTools): RequestHandler[] {
  return [
    ...validateBody(route),
    async (request, response) => {
      const caller = await callerWithSession(response, 'booking', route, tools)
      const result = await callService(request, (options) => tools.booking(caller).createBooking({ body: request.body }, options))
      const { sessionUnknown } = visitorOf(response)
      // The authorisation may be the visitor's: without the session that is not known.
      if (sessionUnknown && result.refused?.error === 'PAYMENT_UNKNOWN') throw new AppError('UPSTREAM_UNAVAILABLE', { retryAfter: 2 })
      if (result.refused) return sendServiceResponse(response, result)
      const isGuest = caller.userId === null && !sessionUnknown
      const { contact, ...booked } = result.body as BookingCreatedInternally
      const wantsAccount = booked.status === 'confirmed' && isGuest
      if (!wantsAccount) return sendServiceResponse(response, result, booked)
      const browser = { 'user-agent': request.get('user-agent') ?? '' }
      sendServiceResponse(response, result, await withAccount(booked, { contact, browser }, caller, response, tools))
    },
  ]
}

/**
 * The booking joins its account by identity's event.
 * @param guest `browser` names the device in the list of the account's sessions
 */
async function withAccount(
  booked: BookingCreated,
  { contact, browser }: { contact: BookingContact | undefined; browser: Record<string, string> },
  caller: Caller,
  response: Response,
  tools: BookingTools,
): Promise<BookingCreated> {
  try {
    // Past the deadline the call is aborted, so that identity does not show a password in a response that is no longer read.
    const signal = timeoutSignal(tools.accountWithinMs)
    const body = { bookingId: booked.id, contact }
    const account = await tools.identity(caller).accountFromBooking({ body }, { signal, headers: browser })
    await tools.sessions.dropIds(account.endedSessions)
    if (account.session) {
      response.removeHeader('set-cookie')
      tools.cookies.write(response, account.session.token, account.session.maxAgeSeconds)
    }
    if (!account.accountCreated) return booked
    return {
      ...booked,
      accountCreated: true,
      accountInfo: { username: account.username ?? '', email: account.email ?? '', password: account.password },
    }
  } catch (err) {
    tools.log.warn({ err, bookingId: booked.id }, 'the account follows by mail')
    return booked
  }
}
