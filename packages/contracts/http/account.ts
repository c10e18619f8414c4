/** What the owner of an account does with it: sessions, a copy of the data, the end; and who administrators are. */
import { z } from 'zod'
import { addresses } from '../addresses.ts'
import { callsPer, contract } from '../route.ts'
import { Booking } from './booking.ts'
import { Done } from './common.ts'
import { ForgotPassword, User } from './identity.ts'
import { ContactMessage } from './messages.ts'

export const SessionInfo = z.object({
  /** Names the session in this list; it opens nothing. */
  id: z.string(),
  /** The session of this request. */
  current: z.boolean(),
  /** "Chrome on Windows", derived from the browser's own words at the sign-in; null when it sent none that are known. */
  device: z.string().nullable(),
  createdAt: z.string(),
  /** Updated at most once a minute. */
  lastSeenAt: z.string(),
  expiresAt: z.string(),
})
export type SessionInfo = z.infer<typeof SessionInfo>

/** Everything that is held about the owner of an account. */
export const AccountData = z.object({
  exportedAt: z.string(),
  account: User.extend({
    emailVerifiedAt: z.string().nullable(),
    acceptedTermsAt: z.string().nullable(),
    /** Key of the brand that the account was made under. */
    brand: z.string(),
  }),
  sessions: z.array(SessionInfo.omit({ current: true })),
  bookings: z.array(Booking),
  /** Sent with the address of the account; empty until it is confirmed. */
  messages: z.array(ContactMessage),
})
export type AccountData = z.infer<typeof AccountData>

export const DeleteAccount = z.object({
  password: z.string('Current password is required').min(1, 'Current password is required').max(256),
})
export type DeleteAccount = z.infer<typeof DeleteAccount>

/** Somebody who did something as an administrator. */
export const Person = z.object({ id: z.string(), username: z.string(), name: z.string(), isAdmin: z.boolean() })
export type Person = z.infer<typeof Person>

/** Somebody was given the role of an administrator or lost it, or the password was asked again. Nobody can edit it. */
export const AccessRecord = z.object({
  id: z.string(),
  at: z.string(),
  /** User id, or "operator": by a command on the servers. */
  actor: z.string(),
  action: z.enum(['admin-verified', 'admin-refused', 'admin-granted', 'admin-revoked', 'account-exported', 'account-erased']),
  /** Whose role or account it is. */
  userId: z.string(),
  /** Of a role that was given for these brands alone. */
  brands: z.array(z.string()).optional(),
})
export type AccessRecord = z.infer<typeof AccessRecord>

const limits = callsPer(900, { network: 120, session: 60 })

export const accountApi = contract('identity', {
  forgotPassword: {
    ...addresses.account.forgotPassword,
    access: 'public',
    summary: 'Send a single-use link for a new password, valid for an hour; the answer never says whether there is such an account',
    body: ForgotPassword,
    response: Done,
    errors: ['VALIDATION_ERROR', 'RATE_LIMITED'],
    limits: callsPer(3600, { network: 20, session: 5 }),
  },
  listSessions: {
    ...addresses.account.listSessions,
    access: 'user',
    summary: 'Where the account is signed in, this session first and then the last used',
    response: z.array(SessionInfo),
    errors: ['NOT_AUTHENTICATED', 'RATE_LIMITED'],
    limits,
  },
  endSession: {
    ...addresses.account.endSession,
    access: 'user',
    summary: 'End one session of the account; the one of this request ends as by signing out',
    params: z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'This session id is not valid') }),
    response: Done,
    errors: ['NOT_AUTHENTICATED', 'SESSION_NOT_FOUND', 'RATE_LIMITED'],
    limits,
  },
  endOtherSessions: {
    ...addresses.account.endOtherSessions,
    access: 'user',
    summary: 'End every session of the account but the one of this request',
    response: Done,
    errors: ['NOT_AUTHENTICATED', 'RATE_LIMITED'],
    limits,
  },
  exportAccount: {
    ...addresses.account.exportAccount,
    access: 'user',
    summary: 'A file with everything that is held about the account: profile, sessions, bookings and messages',
    response: AccountData,
    errors: ['NOT_AUTHENTICATED', 'RATE_LIMITED'],
    failure: 'Unable to export your data',
    limits: callsPer(3600, { network: 30, session: 10 }),
  },
  deleteAccount: {
    ...addresses.account.deleteAccount,
    access: 'user',
    summary: 'Delete the account and its personal data, with its password; bookings are kept and not cancelled',
    body: DeleteAccount,
    response: Done,
    errors: ['VALIDATION_ERROR', 'NOT_AUTHENTICATED', 'PASSWORD_WRONG', 'LOGIN_SLOWED', 'ACCOUNT_IS_ADMIN'],
    limits: callsPer(900, { network: 60, session: 20 }),
  },
  listPeople: {
    ...addresses.account.listPeople,
    access: 'admin',
    byBrand: true,
    summary: 'Names for the user ids of audit entries, versions and messages; a deleted account has none',
    query: z.object({ ids: z.string().regex(/^usr_[A-Za-z0-9_-]{1,40}(,usr_[A-Za-z0-9_-]{1,40}){0,49}$/, 'ids must be user ids') }),
    response: z.array(Person),
    errors: ['VALIDATION_ERROR', 'NOT_AUTHENTICATED', 'FORBIDDEN'],
  },
  listAccess: {
    ...addresses.account.listAccess,
    access: 'admin',
    summary: 'Who became an administrator, ceased to be one, proved to be one, or was refused; newest first',
    query: z.object({
      before: z
        .string()
        .regex(/^[a-f0-9]{24}$/, 'before must be the id of an entry')
        .optional(),
      limit: z.coerce.number().int().min(1).max(100).default(25),
    }),
    response: z.object({ entries: z.array(AccessRecord), next: z.string().nullable() }),
    errors: ['VALIDATION_ERROR', 'NOT_AUTHENTICATED', 'FORBIDDEN'],
  },
})
