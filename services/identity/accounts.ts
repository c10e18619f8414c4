/**
 * The account of a guest's booking. Called by the event's consumer, which guarantees it, and by the gateway, which is faster and is the
 * only caller that may be given the generated password, once.
 */
import { AppError } from '@passerelle/contracts/error'
import { accountBookingLinked, accountCreated } from '@passerelle/contracts/events/identity'
import type { bookingApi } from '@passerelle/contracts/http/booking'
import type { BookingContact } from '@passerelle/contracts/http/booking-contact'
import type { Caller } from '@passerelle/kit/auth'
import type { MailQueue } from '@passerelle/kit/mail-queue'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import type { Peer } from '@passerelle/kit/peer'
import { now, randomBytes, randomInt, randomToken } from '@passerelle/kit/runtime'
import type { AccountMail } from './domain/mail.ts'
import { keyOf, madeUpPassword, newUser, type UserRecord, usernameFrom, withBooking } from './domain/user.ts'
import type { Passwords } from './passwords.ts'
import type { Store } from './store.ts'

export type AccountTools = {
  store: Store
  passwords: Passwords
  bookings: Peer<typeof bookingApi>
  mails: MailQueue<AccountMail>
  /** The least length of a password at registration. */
  passwordMin: number
}

type EnsuredAccount = {
  user: UserRecord
  created: boolean
  password: string | null
  /** The account's address is not verified, and the booking waits until it is. */
  waits: boolean
}

/** Whether a caller is still waiting to pass the password on to the visitor; checked just before it is stored. */
type CanReveal = () => boolean
export const neverReveal: CanReveal = () => false

/** Null: the booking already belongs to an account, or its account was deleted. */
export async function ensureAccount(
  bookingId: string,
  canReveal: CanReveal,
  caller: Caller,
  tools: AccountTools,
  /** Of the booking, where the caller has it. */
  given?: BookingContact,
): Promise<EnsuredAccount | null> {
  const { store, bookings } = tools
  const made = await store.userByBooking(bookingId)
  if (made?.erasedAt) return null
  if (made) return revealPasswordOnce(made, canReveal, tools)
  const contact = given ?? (await bookings(caller).getContact({ params: { id: bookingId } }))
  if (contact.userId) return null
  const user = (await store.userByEmail(keyOf(contact.email))) ?? (await make(bookingId, contact, caller, tools))
  // A concurrent run may have made this account for the same booking.
  return user.bookingId === bookingId ? revealPasswordOnce(user, canReveal, tools) : join(user, bookingId, tools, caller)
}

/** Safe to run concurrently: the unique indexes let one insert through, and the other finds its account. */
async function make(
  bookingId: string,
  contact: { email: string; firstName: string; lastName: string; brand: string },
  caller: Caller,
  tools: AccountTools,
): Promise<UserRecord> {
  const { store } = tools
  for (let attempt = 0; attempt < 20; attempt++) {
    // A common name such as "info" is taken many times: after ten tries the suffix is random.
    const username = usernameFrom(contact.email, attempt < 10 ? attempt : randomInt(10, 1_000_000))
    const user = newUser({
      _id: randomToken('usr_', 12),
      username,
      email: contact.email,
      firstName: contact.firstName,
      lastName: contact.lastName,
      mustChangePassword: true,
      createdAt: now(),
      brand: contact.brand,
      bookingId,
    })
    const event = createOutboxEvent(
      accountCreated,
      { userId: user._id, bookingId },
      { sequence: 1, at: now(), requestId: caller.requestId },
    )
    const taken = await store.insertUser(user, [event])
    if (taken === null) {
      await tools.mails.enqueue('welcome', user._id)
      return user
    }
    if (taken === 'username') continue
    const other = taken === 'booking' ? await store.userByBooking(bookingId) : await store.userByEmail(keyOf(contact.email))
    if (other) return other
  }
  throw new AppError('USERNAME_TAKEN')
}

/** Sets and returns a password for an account that has none; compare-and-set, so that it is returned once. */
async function revealPasswordOnce(
  user: UserRecord,
  canReveal: CanReveal,
  { store, passwords, mails }: AccountTools,
): Promise<EnsuredAccount> {
  // Repeated here in case the process that made the account stopped before it queued the mail.
  await mails.enqueue('welcome', user._id)
  const unrevealed = { user, created: true, password: null, waits: false }
  if (!isUnrevealed(user) || !canReveal()) return unrevealed
  const password = madeUpPassword(randomBytes(32))
  const passwordHash = await passwords.hash(password)
  let current: UserRecord | null = user
  // A booking that joins the account concurrently changes its version only.
  while (current && isUnrevealed(current) && canReveal()) {
    const changed = await store.change(current, { passwordHash, passwordTold: true })
    if (changed) return { user: changed, created: true, password, waits: false }
    current = await store.userById(user._id)
  }
  return unrevealed
}

const isUnrevealed = (user: UserRecord) => !user.passwordTold && user.passwordHash === null

const isKnown = (user: UserRecord, bookingId: string) => user.linkedBookings.includes(bookingId) || user.waitingBookings.includes(bookingId)

/** Anyone can book or register with any address, so the booking joins at once only if the account has verified it. */
async function join(user: UserRecord, bookingId: string, tools: AccountTools, caller: Caller): Promise<EnsuredAccount> {
  const { store, mails } = tools
  let current: UserRecord = user
  while (!isKnown(current, bookingId)) {
    const about = { sequence: current.version + 1, at: now(), requestId: caller.requestId }
    const events = current.emailVerifiedAt ? [createOutboxEvent(accountBookingLinked, { userId: user._id, bookingId }, about)] : []
    const next = (await store.change(current, withBooking(current, bookingId), events)) ?? (await store.userById(user._id))
    if (!next) break
    current = next
  }
  const waits = current.waitingBookings.includes(bookingId)
  await mails.enqueue(waits ? 'waiting' : 'linked', `${user._id}:${bookingId}`)
  return { user: current, created: false, password: null, waits }
}
