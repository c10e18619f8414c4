/** Calls of the identity service. A new session's token leaves it in a header that only the gateway sees and turns into the cookie. */
import { z } from 'zod'
import { addresses } from '../addresses.ts'
import { callsPer, contract } from '../route.ts'
import { hasFourClasses, MIN_NEW_PASSWORD } from '../rules/password.ts'
import { BookingContact } from './booking-contact.ts'
import { Done, Id, LinkToken } from './common.ts'

/** Response headers from identity to the gateway, never to the browser. */
export const SESSION_HEADER = 'x-internal-session'
/** Values of SESSION_HEADER: a new session (`new <token> <seconds>`), the end of this one, or a change that copies of it must not outlive. */
export const SESSION_ENDED = 'ended'
export const SESSION_CHANGED = 'changed'
/** Ids of other sessions that have ended, comma-separated: copies of them must not outlive this answer. */
export const ENDED_SESSIONS_HEADER = 'x-internal-ended-sessions'

export const User = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  /** Proved by the link of a mail: only then bookings made with this address join the account. */
  emailVerified: z.boolean(),
  firstName: z.string(),
  lastName: z.string(),
  createdAt: z.string(),
  /** Administrator of the whole system. */
  isAdmin: z.boolean(),
  /** Keys of the brands that the user looks after without being an administrator of all. */
  staffOf: z.array(z.string()),
  /** When the password was last changed; null: never. */
  passwordChangedAt: z.string().nullable(),
  /** The password was made by the system and should be changed. */
  mustChangePassword: z.boolean(),
})
export type User = z.infer<typeof User>

const CLASSES = 'Password must contain at least one uppercase letter, one lowercase letter, one number, and one special character'
/** The least that any installation asks for; an installation may ask for more. */
export const MIN_REGISTRATION_PASSWORD = 6

export const passwordTooShort = (least: number) => `Password must be at least ${least} characters`

export const Login = z.object({
  username: z.string('Username is required').trim().min(1, 'Username is required').max(254),
  password: z.string('Password is required').min(1, 'Password is required').max(256),
})
export type Login = z.infer<typeof Login>

export const Register = z.object({
  username: z
    .string('Username must be at least 3 characters')
    .trim()
    .min(3, 'Username must be at least 3 characters')
    .max(64, 'Username cannot exceed 64 characters'),
  email: z.email('Please enter a valid email address').max(254),
  firstName: z.string('First name is required').trim().min(1, 'First name is required').max(100),
  lastName: z.string('Last name is required').trim().min(1, 'Last name is required').max(100),
  password: z
    .string(passwordTooShort(MIN_REGISTRATION_PASSWORD))
    .min(MIN_REGISTRATION_PASSWORD, passwordTooShort(MIN_REGISTRATION_PASSWORD))
    .max(256, 'Password cannot exceed 256 characters'),
  /** The time is kept with the account; it is no condition. */
  acceptedTerms: z.boolean().optional(),
})
export type Register = z.infer<typeof Register>

export const ForgotPassword = z.object({ email: z.email('Please enter a valid email address').max(254) })
export type ForgotPassword = z.infer<typeof ForgotPassword>

export const ChangePassword = z.object({
  currentPassword: z.string('Current password is required').min(1, 'Current password is required').max(256),
  newPassword: z
    .string('New password must be at least 12 characters')
    .min(MIN_NEW_PASSWORD, 'New password must be at least 12 characters')
    .max(256, 'Password cannot exceed 256 characters')
    .refine(hasFourClasses, CLASSES),
})
export type ChangePassword = z.infer<typeof ChangePassword>

export const SetPassword = z.object({ token: LinkToken, newPassword: ChangePassword.shape.newPassword })

const VerifyEmail = z.object({ token: LinkToken })

/** A session as the gateway needs it for the internal token. */
export const SessionState = z.object({
  /** SHA-256 of the cookie's value, hex. */
  sessionId: z.string(),
  /** Survives a sign-in of the same browser; owns the holds and guest bookings that it made. */
  visitorId: z.string(),
  userId: z.string().nullable(),
  isAdmin: z.boolean(),
  /** Absent in answers of an earlier release. */
  staffOf: z.array(z.string()).optional(),
  /** ISO instant of the last proof of the password by an administrator. */
  adminProofAt: z.string().nullable(),
  expiresAt: z.string(),
})
export type SessionState = z.infer<typeof SessionState>

export const NewSession = z.object({ token: z.string(), maxAgeSeconds: z.int(), session: SessionState })
export type NewSession = z.infer<typeof NewSession>

export const AccountFromBooking = z.object({
  accountCreated: z.boolean(),
  /** Null: the address belongs to an account that has not proved it, and the booking waits until it has. */
  userId: z.string().nullable(),
  username: z.string().nullable(),
  email: z.string().nullable(),
  /** Made now and returned once; null when the account existed before or was handed out already. */
  password: z.string().nullable(),
  /** The signed-in session of the new account; null for an account that existed before. */
  session: NewSession.nullable(),
  /** Ids of other sessions that ended with it. */
  endedSessions: z.array(z.string()),
})
export type AccountFromBooking = z.infer<typeof AccountFromBooking>

export const identityApi = contract('identity', {
  currentUser: {
    ...addresses.identity.currentUser,
    access: 'user',
    summary: 'The signed-in user',
    response: User,
    errors: ['NOT_AUTHENTICATED'],
  },
  login: {
    ...addresses.identity.login,
    access: 'public',
    summary: 'Sign in',
    body: Login,
    response: User,
    errors: ['VALIDATION_ERROR', 'INVALID_CREDENTIALS', 'LOGIN_SLOWED'],
    limits: [...callsPer(60, { network: 60 }), ...callsPer(900, { session: 60 })],
  },
  register: {
    ...addresses.identity.register,
    access: 'public',
    summary: 'Make an account; it does not sign in, and its address is proved by the link of a mail',
    body: Register,
    response: User,
    status: 201,
    errors: ['VALIDATION_ERROR', 'USERNAME_TAKEN', 'EMAIL_TAKEN'],
    limits: callsPer(3600, { network: 5, session: 5 }),
  },
  changePassword: {
    ...addresses.identity.changePassword,
    access: 'user',
    summary: 'Change the password; every other session ends',
    body: ChangePassword,
    response: Done,
    errors: ['VALIDATION_ERROR', 'NOT_AUTHENTICATED', 'PASSWORD_WRONG', 'LOGIN_SLOWED'],
    limits: callsPer(900, { network: 60, session: 20 }),
  },
  setPassword: {
    ...addresses.identity.setPassword,
    access: 'public',
    summary: 'Choose a password with the single-use link of a mail, which proves the address too; every session of the account ends',
    body: SetPassword,
    response: Done,
    errors: ['VALIDATION_ERROR', 'LINK_INVALID'],
    limits: callsPer(900, { network: 40, session: 20 }),
  },
  verifyEmail: {
    ...addresses.identity.verifyEmail,
    access: 'public',
    summary: 'Prove the address of an account with the single-use link of a mail; bookings that waited for it join the account',
    body: VerifyEmail,
    response: Done,
    errors: ['VALIDATION_ERROR', 'NOT_AUTHENTICATED', 'LINK_INVALID'],
    limits: callsPer(900, { network: 40 }),
  },
  sendVerifyEmail: {
    ...addresses.identity.sendVerifyEmail,
    access: 'user',
    summary: 'Send another mail with the link that proves the address',
    response: Done,
    errors: ['NOT_AUTHENTICATED', 'RATE_LIMITED'],
    limits: callsPer(3600, { network: 30, session: 5 }),
  },
  guestSession: {
    ...addresses.identity.guestSession,
    access: 'public',
    summary: 'Open a session for a visitor who has none, so that a checkout has its own limits and its own hold',
    response: Done,
    limits: callsPer(900, { network: 120 }),
  },
  logout: {
    ...addresses.identity.logout,
    access: 'public',
    summary: 'End the session',
    response: Done,
  },
  adminLogin: {
    ...addresses.identity.adminLogin,
    access: 'user',
    summary:
      'Check and refresh the administrator proof of this session; once it is older than 15 minutes the body must carry the password, which begins a new session',
    body: z.object({ password: z.string().max(256).optional() }).optional(),
    response: Done,
    errors: ['NOT_AUTHENTICATED', 'FORBIDDEN', 'REAUTH_REQUIRED', 'LOGIN_SLOWED'],
    limits: callsPer(900, { network: 60, session: 20 }),
  },
  resolveSession: {
    method: 'GET',
    path: '/internal/sessions/:id',
    access: 'internal',
    callers: ['gateway'],
    summary: 'The live session with this id, for the gateway',
    params: z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }),
    response: SessionState,
    errors: ['NOT_AUTHENTICATED'],
  },
  openGuestSession: {
    method: 'POST',
    path: '/internal/sessions',
    access: 'internal',
    callers: ['gateway'],
    summary: 'A session for a visitor who is not signed in, so that a guest can read the booking just made',
    response: NewSession,
  },
  accountFromBooking: {
    method: 'POST',
    path: '/internal/accounts/from-booking',
    access: 'internal',
    callers: ['gateway'],
    summary: 'The account of a guest booking, made or found; sooner than the event does it',
    /** Without the contact identity asks the booking service for it. */
    body: z.object({ bookingId: Id, contact: BookingContact.optional() }),
    response: AccountFromBooking,
    errors: ['BOOKING_NOT_FOUND'],
  },
})
