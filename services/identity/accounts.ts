/**
 * The account of a guest's booking: one function with two doors. The event is the guarantee; the internal call is the speed, and
 * the only one that may tell a made-up password, once.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import { accountBookingLinked, accountCreated } from '@passerelle/contracts/events/identity'
import type { bookingApi } from '@passerelle/contracts/http/booking'
import type { Caller } from '@passerelle/kit/auth'
import type { MailQueue } from '@passerelle/kit/mail-queue'
import { draft } from '@passerelle/kit/outbox'
import type { Peer } from '@passerelle/kit/peer'
import type { AccountMail } from './domain/mail.ts'
import { keyOf, madeUpPassword, type UserRecord, usernameFrom } from './domain/user.ts'
import type { Passwords } from './passwords.ts'
import type { Store } from './store.ts'

export type AccountTools = {
  store: Store
  passwords: Passwords
  bookings: Peer<typeof bookingApi>
  mails: MailQueue<AccountMail>
  clock(): Date
}

export type EnsuredAccount = { user: UserRecord; created: boolean; password: string | null }

/** Whether somebody is waiting who passes a password on to the visitor; asked at the last moment. */
export type Listening = () => boolean
export const nobodyListens: Listening = () => false

/** Null: the booking already belongs to an account. */
export async function ensureAccount(
  bookingId: string,
  listening: Listening,
  caller: Caller,
  tools: AccountTools,
): Promise<EnsuredAccount | null> {
  const { store, bookings } = tools
  const born = await store.userByBooking(bookingId)
  if (born) return tellOnce(born, listening, tools)
  const contact = await bookings(caller).getContact({ params: { id: bookingId } })
  if (contact.userId) return null
  const user = (await store.userByEmail(keyOf(contact.email))) ?? (await make(bookingId, contact, caller, tools))
  // The other door may have been quicker just now: then the account with this e-mail is the one of this booking.
  return user.bookingId === bookingId ? tellOnce(user, listening, tools) : link(user, bookingId, tools, caller)
}

/** Two replicas, or the event and the call, may be here at once: the unique fields let one through and the other finds it. */
async function make(
  bookingId: string,
  contact: { email: string; firstName: string; lastName: string },
  caller: Caller,
  tools: AccountTools,
): Promise<UserRecord> {
  const { store, clock } = tools
  for (let attempt = 0; attempt < 20; attempt++) {
    // "info" is taken a thousand times: after a few tries in a row a number is drawn.
    const username = usernameFrom(contact.email, attempt < 10 ? attempt : randomInt(10, 1_000_000))
    const user: UserRecord = {
      _id: `usr_${randomBytes(12).toString('base64url')}`,
      version: 1,
      username,
      usernameKey: keyOf(username),
      email: contact.email,
      emailKey: keyOf(contact.email),
      firstName: contact.firstName,
      lastName: contact.lastName,
      passwordHash: null,
      passwordChangedAt: null,
      mustChangePassword: true,
      createdAt: clock(),
      acceptedTermsAt: null,
      isAdmin: false,
      bookingId,
      passwordTold: false,
      linkedBookings: [],
    }
    const event = draft(accountCreated, { userId: user._id, bookingId }, { sequence: 1, at: clock(), requestId: caller.requestId })
    const taken = await store.insertUser(user, [event])
    if (taken === null) {
      await tools.mails.due('welcome', user._id)
      return user
    }
    if (taken === 'username') continue
    const other = taken === 'booking' ? await store.userByBooking(bookingId) : await store.userByEmail(keyOf(contact.email))
    if (other) return other
  }
  throw new AppError('USERNAME_TAKEN')
}

/** A password for an account that was just born and never told one; compare-and-set, so that it is told once. */
async function tellOnce(user: UserRecord, listening: Listening, { store, passwords, mails }: AccountTools): Promise<EnsuredAccount> {
  // Also here: whoever made the account may have gone down before the mail was noted.
  await mails.due('welcome', user._id)
  const untold = { user, created: true, password: null }
  if (!isUntold(user) || !listening()) return untold
  const password = madeUpPassword(randomBytes(32))
  const passwordHash = await passwords.hash(password)
  let current: UserRecord | null = user
  // Another booking that joins the account in this moment moves its version and nothing else.
  while (current && isUntold(current) && listening()) {
    const told = await store.change(current, { passwordHash, passwordTold: true })
    if (told) return { user: told, created: true, password }
    current = await store.userById(user._id)
  }
  return untold
}

const isUntold = (user: UserRecord) => !user.passwordTold && user.passwordHash === null

async function link(user: UserRecord, bookingId: string, tools: AccountTools, caller: Caller): Promise<EnsuredAccount> {
  let current: UserRecord | null = user
  while (current && !current.linkedBookings.includes(bookingId)) {
    const event = draft(
      accountBookingLinked,
      { userId: user._id, bookingId },
      { sequence: current.version + 1, at: tools.clock(), requestId: caller.requestId },
    )
    if (await tools.store.change(current, { linkedBookings: [...current.linkedBookings, bookingId].slice(-200) }, [event])) {
      break
    }
    current = await tools.store.userById(user._id)
  }
  await tools.mails.due('linked', `${user._id}:${bookingId}`)
  return { user, created: false, password: null }
}
