/**
 * One answer from two services: the booking, and the account that a guest's booking makes. The card is gone with the request. With
 * identity away the booking is made all the same, and the account follows by mail.
 */
import { AppError } from '@passerelle/contracts/error'
import { type BookingCreated, bookingApi } from '@passerelle/contracts/http/booking'
import type { Caller } from '@passerelle/kit/auth'
import type { Peer } from '@passerelle/kit/peer'
import { timeoutSignal } from '@passerelle/kit/runtime'
import type { RequestHandler, Response } from 'express'
import type { SessionCache } from '../session.ts'
import { visitorOf } from '../visitor.ts'
import { forward, judgeBody, send } from './forward.ts'
import { callerWithSession, type GuestSessionTools } from './guest-session.ts'

export type BookingTools = GuestSessionTools & {
  booking: Peer<typeof bookingApi>
  sessions: SessionCache
  /** How long a booking's answer waits for its account; past it the account follows by mail. */
  accountWithinMs: number
}

const ATTACH_MS = 1500
const { createBooking: route } = bookingApi.routes

export function createBooking(tools: BookingTools): RequestHandler[] {
  return [
    ...judgeBody(route),
    async (request, response) => {
      const caller = await callerWithSession(response, 'booking', route, tools)
      const answer = await forward(request, (options) => tools.booking(caller).createBooking({ body: request.body }, options))
      const { sessionUnknown } = visitorOf(response)
      // The hold may well be the visitor's: nobody can tell just now.
      if (sessionUnknown && answer.refused?.error === 'PAYMENT_UNKNOWN') throw new AppError('UPSTREAM_UNAVAILABLE', { retryAfter: 2 })
      if (answer.refused) return send(response, answer)
      const isGuest = caller.userId === null && !sessionUnknown
      const wantsAccount = answer.body.status === 'confirmed' && isGuest
      send(response, answer, wantsAccount ? await withAccount(answer.body, caller, response, tools) : answer.body)
    },
  ]
}

async function withAccount(booked: BookingCreated, caller: Caller, response: Response, tools: BookingTools): Promise<BookingCreated> {
  try {
    // Past the deadline the call is broken off, so that identity tells nobody a password that nobody would see.
    const signal = timeoutSignal(tools.accountWithinMs)
    const account = await tools.identity(caller).accountFromBooking({ body: { bookingId: booked.id } }, { signal })
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

/** Only sooner than the event does it: the trip is in the list when the visitor gets there. */
async function attach(bookingId: string, userId: string, caller: Caller, { booking, log }: BookingTools): Promise<void> {
  try {
    const signal = timeoutSignal(ATTACH_MS)
    await booking(caller).attachUser({ params: { id: bookingId }, body: { userId } }, { signal })
  } catch (err) {
    log.warn({ err, bookingId }, 'the booking joins its account by event')
  }
}
