/**
 * One answer from two services: the booking, and the account that a guest's booking makes. The body passes through as bytes, card
 * and all, and is gone with the request. With identity away the booking is made all the same, and the account follows by mail.
 */
import { AppError, type ErrorBody } from '@passerelle/contracts/error'
import { type BookingCreated, bookingApi } from '@passerelle/contracts/http/booking'
import type { identityApi } from '@passerelle/contracts/http/identity'
import { type Caller, TOKEN_HEADER, type Tokens } from '@passerelle/kit/auth'
import { BODY_LIMIT_BYTES } from '@passerelle/kit/http'
import type { Log } from '@passerelle/kit/log'
import type { Peer } from '@passerelle/kit/peer'
import { withDeadline } from '@passerelle/kit/resilience'
import express, { type Request, type RequestHandler, type Response } from 'express'
import type { SessionCookies } from '../cookies.ts'
import type { SessionCopies } from '../session.ts'
import type { Surroundings } from '../surroundings.ts'
import { callerFor, visitorOf } from '../visitor.ts'

export type BookingTools = {
  bookingUrl: string
  booking: Peer<typeof bookingApi>
  identity: Peer<typeof identityApi>
  tokens: Tokens
  surroundings: Surroundings
  cookies: SessionCookies
  copies: SessionCopies
  log: Log
  /** How long a booking's answer waits for its account; past it the account follows by mail. */
  accountWithinMs: number
}

const ATTACH_MS = 1500
const { createBooking: route } = bookingApi.routes

const raw = express.raw({ limit: BODY_LIMIT_BYTES, type: () => true })

export function createBooking(tools: BookingTools): RequestHandler[] {
  return [
    raw,
    async (request, response) => {
      const visitor = visitorOf(response)
      const caller = await callerFor(visitor, 'booking', route, tools.surroundings)
      // Whoever brought a session that nobody can vouch for right now keeps it.
      if (!caller.sessionId && !visitor.sessionUnknown) caller.sessionId = await openGuestSession(caller, response, tools)
      const answer = await forward(request, caller, tools)
      response.status(answer.status).setHeader('cache-control', 'no-store')
      if (answer.retryAfter) response.setHeader('retry-after', answer.retryAfter)
      if (answer.status >= 300) return void response.json(answer.body)
      const booked = answer.body as BookingCreated
      const wantsAccount = booked.status === 'confirmed' && caller.userId === null && !visitor.sessionUnknown
      response.json(wantsAccount ? await withAccount(booked, caller, response, tools) : booked)
    },
  ]
}

/** So that a guest can read the booking that was just made, for a day. */
async function openGuestSession(
  caller: Caller,
  response: Response,
  { identity, cookies, log, accountWithinMs }: BookingTools,
): Promise<string | null> {
  try {
    const opened = await withDeadline('guest session', accountWithinMs / 2, identity(caller).openGuestSession())
    cookies.write(response, opened.token, opened.maxAgeSeconds)
    return opened.session.sessionId
  } catch (err) {
    log.warn({ err }, 'no guest session; the booking goes on')
    return null
  }
}

type Answer = { status: number; body: BookingCreated | ErrorBody; retryAfter: string | null }

async function forward(request: Request, caller: Caller, { bookingUrl, tokens }: BookingTools): Promise<Answer> {
  const key = request.get('idempotency-key')
  const type = request.get('content-type')
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  try {
    const response = await fetch(new URL(route.path, bookingUrl), {
      method: 'POST',
      headers: {
        [TOKEN_HEADER]: await tokens.mint('booking', caller),
        ...(type && { 'content-type': type }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
      signal: AbortSignal.timeout(route.timeoutMs),
    })
    return { status: response.status, body: (await response.json()) as BookingCreated, retryAfter: response.headers.get('retry-after') }
  } catch (cause) {
    const timedOut = cause instanceof Error && cause.name === 'TimeoutError'
    throw new AppError(timedOut ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNAVAILABLE', { cause, retryAfter: 2 })
  }
}

async function withAccount(booked: BookingCreated, caller: Caller, response: Response, tools: BookingTools): Promise<BookingCreated> {
  try {
    // Past the deadline the call is broken off, so that identity tells nobody a password that nobody would see.
    const signal = AbortSignal.timeout(tools.accountWithinMs)
    const account = await tools.identity(caller).accountFromBooking({ body: { bookingId: booked.id } }, { signal })
    await attach(booked.id, account.userId, caller, tools)
    if (account.session) {
      response.removeHeader('set-cookie')
      tools.cookies.write(response, account.session.token, account.session.maxAgeSeconds)
      const { token } = visitorOf(response)
      if (token) await tools.copies.drop(token)
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
    const signal = AbortSignal.timeout(ATTACH_MS)
    await booking(caller).attachUser({ params: { id: bookingId }, body: { userId } }, { signal })
  } catch (err) {
    log.warn({ err, bookingId }, 'the booking joins its account by event')
  }
}
