/**
 * One response from two services: the booking, and the account that a guest's booking creates. While identity is unavailable the
 * booking is created all the same, and the account follows by mail.
 */
import { AppError } from '@passerelle/contracts/error'
import { type BookingCreated, bookingApi } from '@passerelle/contracts/http/booking'
import type { Caller } from '@passerelle/kit/auth'
import type { Peer } from '@passerelle/kit/peer'
import { timeoutSignal } from '@passerelle/kit/runtime'
import type { RequestHandler, Response } from 'express'
import { visitorOf } from '../middleware.ts'
import type { SessionCache } from '../session.ts'
import { callerWithSession, callService, type GuestSessionTools, sendServiceResponse, validateBody } from './call-service.ts'

export type BookingTools = GuestSessionTools & {
  booking: Peer<typeof bookingApi>
  sessions: SessionCache
  /** How long a booking's response waits for its account; past it the account follows by mail. */
  accountWithinMs: number
}

const ATTACH_MS = 1500
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
      const wantsAccount = result.body.status === 'confirmed' && isGuest
      if (!wantsAccount) return sendServiceResponse(response, result)
      const browser = { 'user-agent': request.get('user-agent') ?? '' }
      sendServiceResponse(response, result, await withAccount(result.body, caller, browser, response, tools))
    },
  ]
}

/** @param browser names the device in the list of the account's sessions */
async function withAccount(
  booked: BookingCreated,
  caller: Caller,
  browser: Record<string, string>,
  response: Response,
  tools: BookingTools,
): Promise<BookingCreated> {
  try {
    // Past the deadline the call is aborted, so that identity does not show a password in a response that is no longer read.
    const signal = timeoutSignal(tools.accountWithinMs)
    const account = await tools.identity(caller).accountFromBooking({ body: { bookingId: booked.id } }, { signal, headers: browser })
    if (account.userId) await attach(booked.id, account.userId, caller, tools)
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

/** The event does the same later; this way the trip is already in the visitor's list. */
async function attach(bookingId: string, userId: string, caller: Caller, { booking, log }: BookingTools): Promise<void> {
  try {
    const signal = timeoutSignal(ATTACH_MS)
    await booking(caller).attachUser({ params: { id: bookingId }, body: { userId } }, { signal })
  } catch (err) {
    log.warn({ err, bookingId }, 'the booking will be attached to its account by the event')
  }
}
