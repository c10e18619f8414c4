/** Whose a hold is: the visitor's or the user's that made it. */
import type { Payment } from './payment.ts'

/** What a request says about who is behind it. The system's own calls, such as those of a booking that goes on, say nothing. */
export type Asking = { visitorId: string | null; userId: string | null; sessionId: string | null; ip: string | null }

export function isSystem({ visitorId, userId, sessionId, ip }: Asking): boolean {
  return visitorId === null && userId === null && sessionId === null && ip === null
}

/**
 * The system may use any hold, a visitor only their own: made by the same browser, or by the same user wherever they are signed in. A hold
 * that was made while no session could be had belongs to whoever knows its id.
 */
export function mayUse({ visitorId, userId }: Pick<Payment, 'visitorId' | 'userId'>, asking: Asking): boolean {
  if (isSystem(asking) || (visitorId === null && userId === null)) return true
  return (visitorId !== null && visitorId === asking.visitorId) || (userId !== null && userId === asking.userId)
}
