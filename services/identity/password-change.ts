/** New passwords: which are refused, and what a change takes with it. */
import { AppError } from '@passerelle/contracts/error'
import { accountBookingLinked } from '@passerelle/contracts/events/identity'
import type { Caller } from '@passerelle/kit/auth'
import { hashToken } from '@passerelle/kit/auth'
import { createOutboxEvent, type OutboxEvent } from '@passerelle/kit/outbox'
import { now } from '@passerelle/kit/runtime'
import type { AccountTools } from './accounts.ts'
import { guessesFor } from './common-passwords.ts'
import { isNameOfOwner, type Owner } from './domain/password-choice.ts'
import { type UserRecord, verification } from './domain/user.ts'

/** Passwords that are among the first so many that a guesser tries are refused. */
const COMMON_REGISTERED = 10_000
/** Where four classes are asked for, the common ones are those with a capital letter, a digit and a mark hung on. */
const COMMON_CHOSEN = 100_000

/**
 * @param field of the request, for the message
 * @throws VALIDATION_ERROR
 */
export async function refuseGuessable(password: string, owner: Owner, field: 'password' | 'newPassword'): Promise<void> {
  const refuse = (message: string) => new AppError('VALIDATION_ERROR', { message, issues: [{ path: field, message }] })
  if (isNameOfOwner(password, owner)) throw refuse('Your password must not be your username or your e-mail address')
  if ((await guessesFor(password)) < (field === 'password' ? COMMON_REGISTERED : COMMON_CHOSEN))
    throw refuse('This password is one of the most common ones. Please choose another')
}

async function refuseUnfit(newPassword: string, user: UserRecord, { passwords }: AccountTools): Promise<void> {
  await refuseGuessable(newPassword, user, 'newPassword')
  if (!user.passwordHash || !(await passwords.verify(user.passwordHash, newPassword))) return
  const message = 'Your new password must not be the one that you have now'
  throw new AppError('VALIDATION_ERROR', { message, issues: [{ path: 'newPassword', message }] })
}

export type Changed = {
  user: UserRecord
  /** Ids of the account's sessions, which have all ended. */
  ended: string[]
}

export async function changePassword(user: UserRecord, newPassword: string, caller: Caller, tools: AccountTools): Promise<Changed> {
  await refuseUnfit(newPassword, user, tools)
  return replacePassword(user, await tools.passwords.hash(newPassword), false, caller, tools)
}

/**
 * With a link's secret instead of the old password. A link that came by mail verifies the address as well: the account then belongs to
 * whoever reads that mail, because every session has ended and the password is another one.
 * @throws LINK_INVALID
 */
export async function choosePassword(token: string, newPassword: string, caller: Caller, tools: AccountTools): Promise<Changed> {
  const { store, passwords } = tools
  const id = hashToken(token)
  const found = await store.linkOf(id, 'set-password', now())
  const user = found && (await store.userById(found.userId))
  if (!user) throw new AppError('LINK_INVALID')
  // Whatever may be refused or take long comes before the link is used up.
  await refuseUnfit(newPassword, user, tools)
  const passwordHash = await passwords.hash(newPassword)
  const link = await store.takeLink(id, 'set-password', now())
  if (!link) throw new AppError('LINK_INVALID')
  await store.dropLinks(user._id)
  return replacePassword(user, passwordHash, link.mailed, caller, tools)
}

async function replacePassword(
  user: UserRecord,
  passwordHash: string,
  verifies: boolean,
  caller: Caller,
  { store }: AccountTools,
): Promise<Changed> {
  const at = now()
  const { requestId } = caller
  let current: UserRecord | null = user
  // A booking that was linked just now has moved the version and is no reason to refuse; another password is.
  while (current && current.passwordHash === user.passwordHash) {
    const { version } = current
    const { change, joining } = verifies ? verification(current, at) : { change: {}, joining: [] }
    const events = joiningEvents(user._id, joining, { after: version, at, requestId })
    const next = { ...change, passwordHash, passwordChangedAt: at, mustChangePassword: false, passwordTold: true }
    const written = await store.change(current, next, events)
    if (written) return { user: written, ended: await store.endSessionsOf(user._id) }
    current = await store.userById(user._id)
  }
  throw new AppError('PASSWORD_RACE')
}

/** One for each booking that joins the account, numbered on. */
export function joiningEvents(
  userId: string,
  bookingIds: readonly string[],
  { after, at, requestId }: { after: number; at: Date; requestId: string },
): OutboxEvent[] {
  return bookingIds.map((bookingId, i) =>
    createOutboxEvent(accountBookingLinked, { userId, bookingId }, { sequence: after + 1 + i, at, requestId }),
  )
}
