/** Opening and reading sessions. The token is returned once, to the gateway; only its hash is stored. */
import { createHash } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import type { SessionInfo } from '@passerelle/contracts/http/account'
import { ENDED_SESSIONS_HEADER, type NewSession, type SessionState } from '@passerelle/contracts/http/identity'
import type { Caller } from '@passerelle/kit/auth'
import { hashToken } from '@passerelle/kit/auth'
import { randomToken } from '@passerelle/kit/runtime'
import { expiry, lifetimes, type SessionRecord } from './domain/session.ts'
import { isStaff, type UserRecord } from './domain/user.ts'
import type { Store } from './store.ts'

const MAX_SESSIONS = 10

export function toState(session: SessionRecord): SessionState {
  return {
    sessionId: session._id,
    visitorId: session.visitorId,
    userId: session.userId,
    isAdmin: session.isAdmin,
    staffOf: session.staffOf ?? [],
    adminProofAt: session.adminProofAt?.toISOString() ?? null,
    expiresAt: session.expiresAt.toISOString(),
  }
}

/** Names a session to its owner; it opens nothing, and the session's own id cannot be found from it. */
export const sessionHandle = (sessionId: string) => createHash('sha256').update(`handle:${sessionId}`).digest('base64url').slice(0, 22)

export function toInfo({ _id, device, createdAt, lastSeenAt, expiresAt }: SessionRecord): Omit<SessionInfo, 'current'> {
  return {
    id: sessionHandle(_id),
    device: device ?? null,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}

export type Opened = {
  session: NewSession
  /** Sessions that ended with it: copies of them must not outlive the answer. */
  ended: string[]
}

const rightsOf = (user: UserRecord | null) => JSON.stringify([user?.isAdmin, user?.staffOf ?? []])

/** A guest who lost the response repeats the request with the cookie from before the sign-in. */
const KEPT_GUEST_SESSION_MS = 10 * 60_000

/**
 * A new session with a new token; the one the visitor had ends, so that no token survives a sign-in. With `keepGuestSession` it goes on for
 * ten minutes as what it was, a guest's: it reads what this visitor booked, and nothing of the account.
 * @throws PASSWORD_RACE when the account's password or role was changed since `user` was read: that change has ended its sessions, and
 * would have missed this one
 */
export async function openSession(
  store: Store,
  user: UserRecord | null,
  caller: Caller,
  now: Date,
  { keepGuestSession = false, device = null }: { keepGuestSession?: boolean; device?: string | null } = {},
): Promise<Opened> {
  const token = randomToken('', 32)
  const { isAdmin = false, staffOf = [] } = user ?? {}
  const staff = isStaff({ isAdmin, staffOf })
  const session: SessionRecord = {
    _id: hashToken(token),
    visitorId: caller.visitorId ?? randomToken('vis_', 15),
    userId: user?._id ?? null,
    isAdmin,
    staffOf,
    brand: caller.brand,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: expiry({ createdAt: now, isAdmin, staffOf }, now),
    adminProofAt: staff ? now : null,
    replaced: false,
    device,
  }
  await store.openSession(session)
  const current = user && (await store.userById(user._id))
  if (user && (current?.passwordHash !== user.passwordHash || rightsOf(current) !== rightsOf(user))) {
    await store.endSession(session._id)
    throw new AppError('PASSWORD_RACE')
  }
  const keepsGuestSession = keepGuestSession && caller.userId === null
  if (caller.sessionId && keepsGuestSession) await store.replaceSession(caller.sessionId, new Date(now.getTime() + KEPT_GUEST_SESSION_MS))
  else if (caller.sessionId) await store.endSession(caller.sessionId)
  const trimmed = user ? await store.trimSessions(user._id, MAX_SESSIONS) : []
  // The cookie may stay up to the absolute end; that an idle session ends earlier is decided here, at each use.
  const maxAgeSeconds = Math.floor(lifetimes(staff).absoluteMs / 1000)
  return {
    session: { token, maxAgeSeconds, session: toState(session) },
    ended: caller.sessionId && !keepsGuestSession ? [caller.sessionId, ...trimmed] : trimmed,
  }
}

/** Tells the gateway which sessions have ended. */
export const endedHeader = (sessionIds: readonly string[]) => ({ [ENDED_SESSIONS_HEADER]: [...new Set(sessionIds)].join(',') })

/** @throws NOT_AUTHENTICATED */
export async function signedIn({ userId }: Caller, store: Pick<Store, 'userById'>): Promise<UserRecord> {
  const user = userId ? await store.userById(userId) : null
  if (!user) throw new AppError('NOT_AUTHENTICATED')
  return user
}
