/** Single-use links; the secret is in the mail, and only its hash is kept. */
import { hashToken } from '@passerelle/kit/auth'
import { randomToken } from '@passerelle/kit/runtime'
import type { LinkRecord, Store } from './store.ts'

const LINK_MS = 24 * 3_600_000

/** @returns the link; its secret follows the #, so no server logs it */
export async function makeLink(
  store: Store,
  about: Pick<LinkRecord, 'userId' | 'use' | 'mailed'>,
  site: string,
  now: Date,
): Promise<string> {
  const secret = randomToken('', 32)
  await store.insertLink({ _id: hashToken(secret), ...about, expiresAt: new Date(now.getTime() + LINK_MS) })
  return `${site}/${about.use}#${secret}`
}
