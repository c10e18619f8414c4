/** Calls of the identity service. A new session's token leaves it in a header that only the gateway sees and turns into the cookie. */
import { z } from 'zod'
import { contract } from '../route.ts'
import { Done, Id } from './common.ts'

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
  firstName: z.string(),
  lastName: z.string(),
  createdAt: z.string(),
  isAdmin: z.boolean(),
  /** When the password was last changed; null: never. */
  passwordChangedAt: z.string().nullable(),
  /** The password was made by the system and should be changed. */
  mustChangePassword: z.boolean(),
})
export type User = z.infer<typeof User>

const CLASSES = 'Password must contain at least one uppercase letter, one lowercase letter, one number, and one special character'
export const MIN_REGISTRATION_PASSWORD = 6
export const MIN_NEW_PASSWORD = 12

export function hasFourClasses(password: string): boolean {
  return [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z0-9]/].every((one) => one.test(password))
}

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
    .string('Password must be at least 6 characters')
    .min(MIN_REGISTRATION_PASSWORD, 'Password must be at least 6 characters')
    .max(256, 'Password cannot exceed 256 characters'),
  /** The time is kept with the account; it is no condition. */
  acceptedTerms: z.boolean().optional(),
})
export type Register = z.infer<typeof Register>

export const ChangePassword = z.object({
  currentPassword: z.string('Current password is required').min(1, 'Current password is required').max(256),
  newPassword: z
    .string('New password must be at least 12 characters')
    .min(MIN_NEW_PASSWORD, 'New password must be at least 12 characters')
    .max(256, 'Password cannot exceed 256 characters')
    .refine(hasFourClasses, CLASSES),
})
export type ChangePassword = z.infer<typeof ChangePassword>

export const SetPassword = z.object({ token: z.string().min(20).max(200), newPassword: ChangePassword.shape.newPassword })
export type SetPassword = z.infer<typeof SetPassword>

/** A session as the gateway needs it for the internal token. */
export const SessionState = z.object({
  /** SHA-256 of the cookie's value, hex. */
  sessionId: z.string(),
  userId: z.string().nullable(),
  isAdmin: z.boolean(),
  /** ISO instant of the last proof of the password by an administrator. */
  adminProofAt: z.string().nullable(),
  expiresAt: z.string(),
})
export type SessionState = z.infer<typeof SessionState>

export const NewSession = z.object({ token: z.string(), maxAgeSeconds: z.int(), session: SessionState })
export type NewSession = z.infer<typeof NewSession>

export const AccountFromBooking = z.object({
  accountCreated: z.boolean(),
  userId: z.string(),
  username: z.string().nullable(),
  email: z.string().nullable(),
  /** Made now and returned once; null when the account existed before or was handed out already. */
  password: z.string().nullable(),
  /** The signed-in session of the new account; null for an account that existed before. */
  session: NewSession.nullable(),
})
export type AccountFromBooking = z.infer<typeof AccountFromBooking>

export const identityApi = contract('identity', {
  currentUser: {
    method: 'GET',
    path: '/api/auth/user',
    access: 'user',
    summary: 'The signed-in user',
    response: User,
    errors: ['NOT_AUTHENTICATED'],
  },
  login: {
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    summary: 'Sign in',
    body: Login,
    response: User,
    errors: ['VALIDATION_ERROR', 'INVALID_CREDENTIALS', 'LOGIN_SLOWED'],
    limits: [{ max: 60, seconds: 60, by: 'ip' }],
  },
  register: {
    method: 'POST',
    path: '/api/auth/register',
    access: 'public',
    summary: 'Make an account; it does not sign in',
    body: Register,
    response: User,
    status: 201,
    errors: ['VALIDATION_ERROR', 'USERNAME_TAKEN', 'EMAIL_TAKEN'],
    limits: [{ max: 30, seconds: 3600, by: 'ip' }],
  },
  changePassword: {
    method: 'POST',
    path: '/api/auth/change-password',
    access: 'user',
    summary: 'Change the password; every other session ends',
    body: ChangePassword,
    response: Done,
    errors: ['VALIDATION_ERROR', 'NOT_AUTHENTICATED', 'PASSWORD_WRONG', 'LOGIN_SLOWED'],
    limits: [{ max: 20, seconds: 900, by: 'session' }],
  },
  setPassword: {
    method: 'POST',
    path: '/api/auth/set-password',
    access: 'public',
    summary: 'Choose a password with the single-use link of a mail; every session of the account ends',
    body: SetPassword,
    response: Done,
    errors: ['VALIDATION_ERROR', 'LINK_INVALID'],
    limits: [{ max: 20, seconds: 900, by: 'ip' }],
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    access: 'public',
    summary: 'End the session',
    response: Done,
  },
  adminLogin: {
    method: 'POST',
    path: '/api/admin/login',
    access: 'user',
    summary: 'Check and refresh the administrator proof of this session; the body may carry the password',
    body: z.object({ password: z.string().max(256).optional() }).optional(),
    response: Done,
    errors: ['NOT_AUTHENTICATED', 'FORBIDDEN', 'REAUTH_REQUIRED', 'LOGIN_SLOWED'],
    limits: [{ max: 20, seconds: 900, by: 'session' }],
  },
  resolveSession: {
    method: 'GET',
    path: '/internal/sessions/:id',
    access: 'internal',
    summary: 'The live session with this id, for the gateway',
    params: z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }),
    response: SessionState,
    errors: ['NOT_AUTHENTICATED'],
  },
  openGuestSession: {
    method: 'POST',
    path: '/internal/sessions',
    access: 'internal',
    summary: 'A session for a visitor who is not signed in, so that a guest can read the booking just made',
    response: NewSession,
  },
  accountFromBooking: {
    method: 'POST',
    path: '/internal/accounts/from-booking',
    access: 'internal',
    summary: 'The account of a guest booking, made or found; the quick door beside the event',
    body: z.object({ bookingId: Id }),
    response: AccountFromBooking,
    errors: ['BOOKING_NOT_FOUND'],
  },
})
