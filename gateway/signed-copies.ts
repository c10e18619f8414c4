/**
 * Sessions as they lie in Redis: a signature over the rest, until when it holds, and the session. Whoever can write to Redis cannot make a
 * session, nor one of an administrator; an old copy that is put back is over soon.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SessionState } from '@passerelle/contracts/http/identity'

export function signedCopies(secret: Buffer) {
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest()
  return {
    write(session: SessionState, until: number): string {
      const text = JSON.stringify({ until, session })
      return `${sign(text).toString('base64url')}.${text}`
    },
    /** null for anything that was not written here for this session, or too long ago. */
    read(sessionId: string, copy: string | undefined, now: number): SessionState | null {
      const dot = copy?.indexOf('.') ?? -1
      if (!copy || dot < 0) return null
      const text = copy.slice(dot + 1)
      const given = Buffer.from(copy.slice(0, dot), 'base64url')
      const right = sign(text)
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null
      const { until, session } = JSON.parse(text) as { until: number; session: SessionState }
      return until > now && session.sessionId === sessionId && !session.isAdmin ? session : null
    },
  }
}
