/** Opening and reading sessions. The token is told once, to the gateway; only its hash is kept. */

import { randomBytes } from 'node:crypto'
import type { NewSession, SessionState } from '@passerelle/contracts/http/identity'
import type { Caller } from '@passerelle/kit/auth'
import { hashToken } from '@passerelle/kit/auth'
import type { z } from 'zod'
import { expiry, lifetimes, type SessionRecord } from './domain/session.ts'
import type { UserRecord } from './domain/user.ts'
import type { Store } from './store.ts'

const MAX_SESSIONS = 10

export function toState(session: SessionRecord): SessionState {
  return {
    sessionId: session._id,
    userId: session.userId,
    isAdmin: session.isAdmin,
    adminProofAt: session.adminProofAt?.toISOString() ?? null,
    expiresAt: session.expiresAt.toISOString(),
  }
}

/** A new session with a new token; the one the visitor had ends, so that no token survives a sign-in. */
export async function openSession(store: Store, user: UserRecord | null, caller: Caller, now: Date): Promise<z.output<typeof NewSession>> {
  const token = randomBytes(32).toString('base64url')
  const isAdmin = user?.isAdmin ?? false
  const session: SessionRecord = {
    _id: hashToken(token),
    userId: user?._id ?? null,
    isAdmin,
    brand: caller.brand,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: expiry({ createdAt: now, isAdmin }, now),
    adminProofAt: isAdmin ? now : null,
  }
  await store.openSession(session)
  if (caller.sessionId) await store.endSession(caller.sessionId)
  if (user) await store.trimSessions(user._id, MAX_SESSIONS)
  // The cookie may stay up to the absolute end; that an idle session ends earlier is decided here, at each use.
  return { token, maxAgeSeconds: Math.floor(lifetimes(isAdmin).absoluteMs / 1000), session: toState(session) }
}
