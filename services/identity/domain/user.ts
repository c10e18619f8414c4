/** Accounts: what is kept, what the public sees, and the names and passwords the system makes up. */

import type { User } from '@passerelle/contracts/http/identity'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { hasFourClasses } from '@passerelle/contracts/rules/password'

export type UserRecord = {
  _id: string
  version: number
  username: string
  /** Lower case, unique. */
  usernameKey: string
  email: string
  emailKey: string
  /** When a link that came by mail to this address was used; null: never, so it may be anybody's. */
  emailVerifiedAt: Date | null
  firstName: string
  lastName: string
  /** PHC string; null: no password yet, only a link can set one. */
  passwordHash: string | null
  passwordChangedAt: Date | null
  mustChangePassword: boolean
  createdAt: Date
  /** Key of the brand that it was made under: in its name mails are sent that no booking is the reason of. */
  brand: string
  acceptedTermsAt: Date | null
  /** Administrator of the whole system. */
  isAdmin: boolean
  /** Brands that it looks after without being an administrator of all; absent in accounts of an earlier release. */
  staffOf?: string[]
  /** The guest booking this account was made from. */
  bookingId: string | null
  /** The generated password has been returned once. */
  passwordTold: boolean
  /** Bookings of guests who gave this address and that joined the account because it was verified. */
  linkedBookings: string[]
  /** Bookings of guests who gave this address while it was not verified. */
  waitingBookings: string[]
  /** Its owner has deleted it: nothing is left but the ids, so that a late event makes no new account. */
  erasedAt: Date | null
}

/** Administers something. */
export const isStaff = ({ isAdmin, staffOf = [] }: Pick<UserRecord, 'isAdmin' | 'staffOf'>) => isAdmin || staffOf.length > 0

/** An account with nothing but what is given. */
export function newUser(about: Pick<UserRecord, '_id' | 'username' | 'email' | 'createdAt'> & Partial<UserRecord>): UserRecord {
  return {
    version: 1,
    usernameKey: keyOf(about.username),
    emailKey: keyOf(about.email),
    emailVerifiedAt: null,
    firstName: '',
    lastName: '',
    passwordHash: null,
    passwordChangedAt: null,
    mustChangePassword: false,
    brand: DEFAULT_BRAND_KEY,
    acceptedTermsAt: null,
    isAdmin: false,
    staffOf: [],
    bookingId: null,
    passwordTold: false,
    linkedBookings: [],
    waitingBookings: [],
    erasedAt: null,
    ...about,
  }
}

/** The newest of each are kept. */
const MOST_LINKED = 200
const MOST_WAITING = 50

/** A guest's booking with the account's address: it joins a verified account, and waits for one that is not. */
export function withBooking(user: UserRecord, bookingId: string): Pick<UserRecord, 'linkedBookings'> | Pick<UserRecord, 'waitingBookings'> {
  return user.emailVerifiedAt
    ? { linkedBookings: [...user.linkedBookings, bookingId].slice(-MOST_LINKED) }
    : { waitingBookings: [...user.waitingBookings, bookingId].slice(-MOST_WAITING) }
}

/** What verifying the address changes: everything that waited joins. Nothing when it was verified before. */
export function verification(user: UserRecord, now: Date): { change: Partial<UserRecord>; joining: readonly string[] } {
  if (user.emailVerifiedAt) return { change: {}, joining: [] }
  const linkedBookings = [...user.linkedBookings, ...user.waitingBookings].slice(-MOST_LINKED)
  return { change: { emailVerifiedAt: now, linkedBookings, waitingBookings: [] }, joining: user.waitingBookings }
}

/** Everything personal goes; the unique fields get values that nobody can have. */
export function erased(user: UserRecord, now: Date): Omit<UserRecord, '_id' | 'version'> {
  const nobody = `erased:${user._id}`
  const { _id, version, ...fields } = newUser({ _id: user._id, username: nobody, email: '', createdAt: user.createdAt })
  return { ...fields, emailKey: nobody, bookingId: user.bookingId, passwordTold: true, erasedAt: now }
}

/** What the user may see of the account; the hash has no field here. */
export function toPublic(user: UserRecord): User {
  return {
    id: user._id,
    username: user.username,
    email: user.email,
    emailVerified: user.emailVerifiedAt !== null,
    firstName: user.firstName,
    lastName: user.lastName,
    createdAt: user.createdAt.toISOString(),
    isAdmin: user.isAdmin,
    staffOf: user.staffOf ?? [],
    passwordChangedAt: user.passwordChangedAt?.toISOString() ?? null,
    mustChangePassword: user.mustChangePassword,
  }
}

export const keyOf = (text: string) => text.trim().normalize('NFC').toLowerCase()

/** "ines.moreau@example.org" -> "ines.moreau"; `attempt` makes it unique: "ines.moreau2". */
export function usernameFrom(email: string, attempt: number): string {
  const base = (email.split('@')[0] ?? '').replace(/[^A-Za-z0-9._-]/g, '').slice(0, 40)
  const name = base.length >= 3 ? base : `traveller${base}`
  return attempt === 0 ? name : `${name}${attempt + 1}`
}

const SETS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789', '!#$%*+-=?@']
const ALL = SETS.join('')

/** 16 characters with all four classes, from 32 random bytes; letters and digits that look alike are left out. */
export function madeUpPassword(bytes: Uint8Array): string {
  const pick = (set: string, byte: number) => set[byte % set.length] ?? ''
  const letters = Array.from({ length: 16 }, (_, i) => pick(SETS[i] ?? ALL, bytes[i] ?? 0))
  for (let i = letters.length - 1; i > 0; i--) {
    const j = (bytes[16 + i] ?? 0) % (i + 1)
    const kept = letters[i] ?? ''
    letters[i] = letters[j] ?? ''
    letters[j] = kept
  }
  const password = letters.join('')
  if (!hasFourClasses(password)) throw new RangeError('not enough random bytes')
  return password
}
