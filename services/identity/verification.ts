/** Whose an account's address is: shown by a link that came there by mail. Bookings that waited for it join the account in the same write. */
import { AppError } from '@passerelle/contracts/error'
import type { Caller } from '@passerelle/kit/auth'
import { hashToken } from '@passerelle/kit/auth'
import { now } from '@passerelle/kit/runtime'
import type { AccountTools } from './accounts.ts'
import { type UserRecord, verification } from './domain/user.ts'
import { joiningEvents } from './password-change.ts'

const DAY_MS = 86_400_000
/** Mails with a link that an account may ask for in a day: somebody else may be the one who gets them. */
const MOST_MAILS = 5

/**
 * The link may be used anywhere, unless bookings of others wait: then the same person must have the mailbox and the account, or a stranger
 * who registered with this address would get them as soon as its owner follows a link.
 * @throws LINK_INVALID, NOT_AUTHENTICATED
 */
export async function verifyEmail(token: string, caller: Caller, { store }: AccountTools): Promise<void> {
  const id = hashToken(token)
  const link = await store.linkOf(id, 'verify-email', now())
  let user = link && (await store.userById(link.userId))
  while (user && !user.emailVerifiedAt) {
    if (user.waitingBookings.length > 0 && caller.userId !== user._id)
      throw new AppError('NOT_AUTHENTICATED', { message: 'Please sign in to this account first, then open the link again.' })
    const at = now()
    const { change, joining } = verification(user, at)
    const events = joiningEvents(user._id, joining, { after: user.version, at, requestId: caller.requestId })
    user = (await store.change(user, change, events)) ?? (await store.userById(user._id))
  }
  if (!user) throw new AppError('LINK_INVALID')
  // Last: had it gone before the account was written, a crash would have left neither.
  await store.dropLink(id)
}

/** @throws RATE_LIMITED */
export async function sendVerifyEmail(user: UserRecord, { mails }: Pick<AccountTools, 'mails'>): Promise<void> {
  const at = now().getTime()
  const day = Math.floor(at / DAY_MS)
  for (let i = 1; i <= MOST_MAILS; i++) {
    const subject = `${user._id}:${day}-${i}`
    if (await mails.has('verify', subject)) continue
    return mails.enqueue('verify', subject)
  }
  throw new AppError('RATE_LIMITED', { retryAfter: Math.ceil(((day + 1) * DAY_MS - at) / 1000) })
}
