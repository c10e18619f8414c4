/** Sessions belong to identity; a copy lives for half a minute in Redis so that not every request asks. */

import { AppError } from '@passerelle/contracts/error'
import { type identityApi, SESSION_CHANGED, SESSION_ENDED, type SessionState } from '@passerelle/contracts/http/identity'
import type { Caller } from '@passerelle/kit/auth'
import { hashToken } from '@passerelle/kit/auth'
import type { Log } from '@passerelle/kit/log'
import type { Peer } from '@passerelle/kit/peer'
import type { Cache } from '@passerelle/kit/redis'
import type { Response } from 'express'
import type { SessionCookies } from './cookies.ts'
import { visitorOf } from './visitor.ts'

const COPY_MS = 30_000

export type SessionCopies = {
  /** null: the token is no good. "unknown": identity did not answer. */
  find(token: string, caller: Caller): Promise<SessionState | null | 'unknown'>
  drop(token: string): Promise<void>
  dropIds(sessionIds: readonly string[]): Promise<void>
}

export function sessionCopies(cache: Cache, identity: Peer<typeof identityApi>, log: Log): SessionCopies {
  const keyOf = (sessionId: string) => `session:${sessionId}`
  const dropIds = (sessionIds: readonly string[]) => cache.delete(...sessionIds.map(keyOf))
  return {
    async find(token, caller) {
      const id = hashToken(token)
      const copy = await cache.get(keyOf(id))
      if (copy) return JSON.parse(copy) as SessionState
      try {
        const session = await identity(caller).resolveSession({ params: { id } })
        await cache.set(keyOf(id), JSON.stringify(session), COPY_MS)
        return session
      } catch (err) {
        if (err instanceof AppError && err.code === 'NOT_AUTHENTICATED') return null
        log.warn({ err }, 'identity does not say who this is')
        return 'unknown'
      }
    },
    drop: (token) => dropIds([hashToken(token)]),
    dropIds,
  }
}

/** What identity says of the session, in a header that goes no further, becomes the cookie. */
export async function applySessionHeader(value: string, response: Response, cookies: SessionCookies, copies: SessionCopies): Promise<void> {
  const { token } = visitorOf(response)
  if (token) await copies.drop(token)
  if (value === SESSION_CHANGED) return
  if (value === SESSION_ENDED) {
    cookies.clear(response)
    response.setHeader('clear-site-data', '"cache"')
    return
  }
  const [word, fresh, seconds] = value.split(' ')
  if (word === 'new' && fresh) cookies.write(response, fresh, Number(seconds))
}
