/** A forgotten password: a link by mail, and nothing that tells whether there is such an account. */
import { hashToken } from '@passerelle/kit/auth'
import type { Log } from '@passerelle/kit/log'
import { now } from '@passerelle/kit/runtime'
import type { AccountTools } from './accounts.ts'
import { keyOf } from './domain/user.ts'

const HOUR_MS = 3_600_000
/** Mails to one address in an hour: somebody else may be the one who asks. */
const MOST_MAILS = 3

/** The same work before the answer for every address; the mail is queued after it. */
export async function requestReset(email: string, { store, mails }: AccountTools, log: Log): Promise<void> {
  const at = now()
  const hour = Math.floor(at.getTime() / HOUR_MS)
  const key = hashToken(`reset|${keyOf(email)}|${hour}`)
  const [count, user] = await Promise.all([store.countRequest(key, at, new Date((hour + 1) * HOUR_MS)), store.userByEmail(keyOf(email))])
  if (user && count <= MOST_MAILS)
    mails
      .enqueue('reset', `${user._id}:${hour}-${count}`)
      .catch((err) => log.warn({ err, userId: user._id }, 'a reset mail was not queued'))
}
