/** The calls of identityApi. */
import { randomBytes } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import { accountCreated, accountPasswordChanged } from '@passerelle/contracts/events/identity'
import { type identityApi, type NewSession, SESSION_CHANGED, SESSION_ENDED, SESSION_HEADER } from '@passerelle/contracts/http/identity'
import type { Caller } from '@passerelle/kit/auth'
import { type Handlers, Reply } from '@passerelle/kit/http'
import { draft } from '@passerelle/kit/outbox'
import type { z } from 'zod'
import { type AccountTools, ensureAccount } from './accounts.ts'
import { expiry, hasAdminProof, shouldTouch } from './domain/session.ts'
import { network, waitBeforeNext } from './domain/throttle.ts'
import { keyOf, toPublic, type UserRecord } from './domain/user.ts'
import { hashToken, openSession, toState } from './sessions.ts'

const newSession = (opened: z.output<typeof NewSession>) => ({ [SESSION_HEADER]: `new ${opened.token} ${opened.maxAgeSeconds}` })

export function routes(tools: AccountTools): Handlers<typeof identityApi> {
  const { store, passwords, clock, nudgeRelays } = tools
  return {
    async currentUser({ caller }) {
      return toPublic(await signedIn(caller, tools))
    },

    async login({ body, caller }) {
      const key = keyOf(body.username)
      const user = await store.userByLogin(key)
      await checkPassword(user, key, body.password, caller, tools)
      const opened = await openSession(store, user as UserRecord, caller, clock())
      return new Reply({ body: toPublic(user as UserRecord) }, { headers: newSession(opened) })
    },

    async register({ body, caller }) {
      const user: UserRecord = {
        _id: `usr_${randomBytes(12).toString('base64url')}`,
        version: 1,
        username: body.username,
        usernameKey: keyOf(body.username),
        email: body.email,
        emailKey: keyOf(body.email),
        firstName: body.firstName,
        lastName: body.lastName,
        passwordHash: await passwords.hash(body.password),
        passwordChangedAt: null,
        mustChangePassword: false,
        createdAt: clock(),
        acceptedTermsAt: body.acceptedTerms ? clock() : null,
        isAdmin: false,
        bookingId: null,
        passwordTold: false,
        linkedBookings: [],
      }
      const event = draft(accountCreated, { userId: user._id, bookingId: null }, { sequence: 1, at: clock(), requestId: caller.requestId })
      const taken = await store.insertUser(user, [event])
      if (taken) throw new AppError(taken === 'email' ? 'EMAIL_TAKEN' : 'USERNAME_TAKEN')
      nudgeRelays()
      return toPublic(user)
    },

    async changePassword({ body, caller }) {
      const user = await signedIn(caller, tools)
      await checkPassword(user, user.usernameKey, body.currentPassword, caller, tools, 'PASSWORD_WRONG')
      await replacePassword(user, body.newPassword, caller, tools)
      const opened = await openSession(store, user, caller, clock())
      return new Reply({ body: { success: true, message: 'Your password has been updated' } }, { headers: newSession(opened) })
    },

    async setPassword({ body, caller }) {
      const userId = await store.takeLink(hashToken(body.token), clock())
      const user = userId ? await store.userById(userId) : null
      if (!user) throw new AppError('LINK_INVALID')
      await replacePassword(user, body.newPassword, caller, tools)
      return { success: true, message: 'Your password has been set. Please sign in.' }
    },

    async logout({ caller }) {
      if (caller.sessionId) await store.endSession(caller.sessionId)
      return new Reply({ body: { success: true, message: 'You are signed out.' } }, { headers: { [SESSION_HEADER]: SESSION_ENDED } })
    },

    async adminLogin({ body, caller }) {
      const user = await signedIn(caller, tools)
      if (!user.isAdmin) throw new AppError('FORBIDDEN')
      const headers = { [SESSION_HEADER]: SESSION_CHANGED }
      if (body?.password !== undefined) {
        await checkPassword(user, user.usernameKey, body.password, caller, tools)
        await store.proveAdmin(caller.sessionId ?? '', clock())
        return new Reply({ body: { success: true, message: 'You are verified as an administrator.' } }, { headers })
      }
      const session = await store.liveSession(caller.sessionId ?? '', clock())
      if (!hasAdminProof(session?.adminProofAt?.toISOString() ?? null, clock())) throw new AppError('REAUTH_REQUIRED')
      return { success: true, message: 'You are verified as an administrator.' }
    },

    async resolveSession({ params }) {
      const now = clock()
      const session = await store.liveSession(params.id, now)
      if (!session) throw new AppError('NOT_AUTHENTICATED')
      if (shouldTouch(session, now)) {
        session.expiresAt = expiry(session, now)
        await store.touch(session._id, now, session.expiresAt)
      }
      return toState(session)
    },

    async openGuestSession({ caller }) {
      return openSession(store, null, { ...caller, sessionId: null }, clock())
    },

    async accountFromBooking({ body, caller }) {
      const ensured = await ensureAccount(body.bookingId, true, caller, tools)
      if (!ensured) throw new AppError('BOOKING_NOT_FOUND')
      const { user, created, password } = ensured
      // Only whoever is told the password is signed in: a repeat, or somebody who typed another person's e-mail, is not.
      const session = created && password !== null ? await openSession(store, user, caller, clock()) : null
      return {
        accountCreated: created,
        userId: user._id,
        username: created ? user.username : null,
        email: created ? user.email : null,
        password,
        session,
      }
    },
  }
}

async function signedIn(caller: Caller, { store }: AccountTools): Promise<UserRecord> {
  const user = caller.userId ? await store.userById(caller.userId) : null
  if (!user) throw new AppError('NOT_AUTHENTICATED')
  return user
}

/** The same message and the same work whether the user is unknown or the password wrong. */
async function checkPassword(
  user: UserRecord | null,
  key: string,
  password: string,
  caller: Caller,
  { store, passwords, clock }: AccountTools,
  wrong: 'INVALID_CREDENTIALS' | 'PASSWORD_WRONG' = 'INVALID_CREDENTIALS',
): Promise<void> {
  const throttle = `${key}|${network(caller.ip)}`
  const wait = waitBeforeNext(await store.failuresOf(throttle), clock())
  if (wait > 0) throw new AppError('LOGIN_SLOWED', { retryAfter: Math.ceil(wait / 1000) })
  if (!(await passwords.verify(user?.passwordHash ?? null, password))) {
    await store.noteFailure(throttle, clock())
    throw new AppError(wrong)
  }
  await store.forgetFailures(throttle)
}

/** Every session of the account ends; whoever changed it gets a new one. */
async function replacePassword(user: UserRecord, password: string, caller: Caller, tools: AccountTools): Promise<void> {
  const { store, passwords, clock, nudgeRelays } = tools
  const now = clock()
  const passwordHash = await passwords.hash(password)
  const event = draft(accountPasswordChanged, { userId: user._id }, { sequence: user.version + 1, at: now, requestId: caller.requestId })
  const changed = await store.change(user, { passwordHash, passwordChangedAt: now, mustChangePassword: false, passwordTold: true }, [event])
  if (!changed) throw new AppError('PASSWORD_RACE')
  await store.endSessionsOf(user._id)
  nudgeRelays()
}
