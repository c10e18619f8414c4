/**
 * The account of a guest's booking: one function with two doors. The event is the guarantee; the internal call is the speed, and
 * the only one that may tell a made-up password, once.
 */
import { randomBytes } from 'node:crypto'
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
  nudgeRelays(): void
}

export type EnsuredAccount = { user: UserRecord; created: boolean; password: string | null }

/** `tell`: the caller passes the password on to the visitor. Null: the booking already belongs to an account. */
export async function ensureAccount(bookingId: string, tell: boolean, caller: Caller, tools: AccountTools): Promise<EnsuredAccount | null> {
  const { store, bookings } = tools
  const born = await store.userByBooking(bookingId)
  if (born) return ownAccount(born, tell, tools)
  const contact = await bookings(caller).getContact({ params: { id: bookingId } })
  if (contact.userId) return null
  const user = (await store.userByEmail(keyOf(contact.email))) ?? (await make(bookingId, contact, caller, tools))
  // The other door may have been quicker just now: then the account with this e-mail is the one of this booking.
  return user.bookingId === bookingId ? ownAccount(user, tell, tools) : link(user, bookingId, tools, caller)
}

function ownAccount(user: UserRecord, tell: boolean, tools: AccountTools): Promise<EnsuredAccount> | EnsuredAccount {
  return tell ? tellOnce(user, tools) : { user, created: true, password: null }
}

/** Two replicas, or the event and the call, may be here at once: the unique fields let one through and the other finds it. */
async function make(
  bookingId: string,
  contact: { email: string; firstName: string; lastName: string },
  caller: Caller,
  tools: AccountTools,
): Promise<UserRecord> {
  const { store, clock } = tools
  for (let attempt = 0; attempt < 1000; attempt++) {
    const username = usernameFrom(contact.email, attempt)
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
      tools.nudgeRelays()
      return user
    }
    if (taken === 'username') continue
    const other = taken === 'booking' ? await store.userByBooking(bookingId) : await store.userByEmail(keyOf(contact.email))
    if (other) return other
  }
  throw new AppError('USERNAME_TAKEN')
}

/** A password for an account that was just born and never told one; compare-and-set, so that it is told once. */
async function tellOnce(user: UserRecord, { store, passwords, mails }: AccountTools): Promise<EnsuredAccount> {
  await mails.due('welcome', user._id)
  if (user.passwordTold || user.passwordHash !== null || user.bookingId === null)
    return { user, created: user.bookingId !== null, password: null }
  const password = madeUpPassword(randomBytes(32))
  const told = await store.change(user, { passwordHash: await passwords.hash(password), passwordTold: true })
  return told ? { user: told, created: true, password } : { user, created: true, password: null }
}

async function link(user: UserRecord, bookingId: string, tools: AccountTools, caller: Caller): Promise<EnsuredAccount> {
  let current: UserRecord | null = user
  while (current && !current.linkedBookings.includes(bookingId)) {
    const event = draft(
      accountBookingLinked,
      { userId: user._id, bookingId },
      { sequence: current.version + 1, at: tools.clock(), requestId: caller.requestId },
    )
    if (await tools.store.change(current, { linkedBookings: [...current.linkedBookings, bookingId].slice(-200) }, [event])) {
      tools.nudgeRelays()
      break
    }
    current = await tools.store.userById(user._id)
  }
  await tools.mails.due('linked', `${user._id}:${bookingId}`)
  return { user, created: false, password: null }
}
