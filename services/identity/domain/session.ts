/** How long sessions live. */
import { isStaff } from './user.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export type SessionRecord = {
  /** SHA-256 of the token, hex; the token itself is only in the cookie. */
  _id: string
  /** Handed on to the session that replaces this one at a sign-in. */
  visitorId: string
  userId: string | null
  isAdmin: boolean
  staffOf?: string[]
  brand: string
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
  adminProofAt: Date | null
  /** Another session took its place, so this one is not prolonged. */
  replaced: boolean
  /** "Chrome on Windows"; null: not known. */
  device: string | null
}

/** @param isStaff whether the account administers all brands, or some */
export function lifetimes(isStaff: boolean): { idleMs: number; absoluteMs: number } {
  return isStaff ? { idleMs: 30 * MINUTE, absoluteMs: 8 * HOUR } : { idleMs: 7 * DAY, absoluteMs: 30 * DAY }
}

/** Rolling, up to the absolute end. */
export function expiry(session: Pick<SessionRecord, 'createdAt' | 'isAdmin' | 'staffOf'>, now: Date): Date {
  const { idleMs, absoluteMs } = lifetimes(isStaff(session))
  return new Date(Math.min(now.getTime() + idleMs, session.createdAt.getTime() + absoluteMs))
}

/** Being seen is written at most once a minute. */
export function shouldTouch(session: SessionRecord, now: Date): boolean {
  return !session.replaced && now.getTime() - session.lastSeenAt.getTime() > MINUTE
}

export const ADMIN_PROOF_MS = 15 * MINUTE

export function hasAdminProof(adminProofAt: Date | null, now: Date): boolean {
  return adminProofAt !== null && now.getTime() - adminProofAt.getTime() <= ADMIN_PROOF_MS
}
