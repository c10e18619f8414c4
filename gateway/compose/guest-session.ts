/** What a guest makes belongs to his session: whoever has none gets one before the call that makes something. */
import type { identityApi } from '@passerelle/contracts/http/identity'
import type { Route, ServiceName } from '@passerelle/contracts/route'
import type { Caller } from '@passerelle/kit/auth'
import type { Log } from '@passerelle/kit/log'
import type { Peer } from '@passerelle/kit/peer'
import { withDeadline } from '@passerelle/kit/resilience'
import type { Response } from 'express'
import type { BrandContext } from '../brand-context.ts'
import type { SessionCookies } from '../cookies.ts'
import { callerFor, visitorOf } from '../visitor.ts'

export type GuestSessionTools = {
  identity: Peer<typeof identityApi>
  brands: BrandContext
  cookies: SessionCookies
  log: Log
  /** A visitor waits no longer for it; without it the call goes on. */
  sessionWithinMs: number
}

/** The visitor as a caller with a session, where one could be had. */
export async function callerWithSession(response: Response, service: ServiceName, route: Route, tools: GuestSessionTools): Promise<Caller> {
  const visitor = visitorOf(response)
  const caller = await callerFor(visitor, service, route, tools.brands)
  // Whoever brought a session that nobody can vouch for right now keeps it.
  return caller.sessionId || visitor.sessionUnknown ? caller : { ...caller, ...(await openGuestSession(caller, response, tools)) }
}

async function openGuestSession(
  caller: Caller,
  response: Response,
  { identity, cookies, log, sessionWithinMs }: GuestSessionTools,
): Promise<Partial<Pick<Caller, 'sessionId' | 'visitorId'>>> {
  try {
    const opened = await withDeadline('guest session', sessionWithinMs, identity(caller).openGuestSession())
    cookies.write(response, opened.token, opened.maxAgeSeconds)
    const { sessionId, visitorId } = opened.session
    return { sessionId, visitorId }
  } catch (err) {
    log.warn({ err }, 'no guest session; the call goes on')
    return {}
  }
}
