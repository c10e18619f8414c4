/** Single-use links; the secret is in the mail, and only its hash is kept. */
import { hashToken } from '@passerelle/kit/auth'
import { randomToken } from '@passerelle/kit/runtime'
import type { LinkRecord, Store } from './store.ts'

const HOUR_MS = 3_600_000
const LINK_MS = 24 * HOUR_MS
/** Of a link that somebody asked for who has forgotten the password. */
export const RESET_LINK_MS = HOUR_MS

/** @returns the link; its secret follows the #, so no server logs it */
export async function makeLink(
  store: Store,
  about: Pick<LinkRecord, 'userId' | 'use' | 'mailed'>,
  site: string,
  now: Date,
  lastsMs = LINK_MS,
): Promise<string> {
  const secret = randomToken('', 32)
  await store.insertLink({ _id: hashToken(secret), ...about, expiresAt: new Date(now.getTime() + lastsMs) })
  return `${site}/${about.use}#${secret}`
}
