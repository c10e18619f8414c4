/** The calls of identityApi. */

import { randomBytes } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import { accountCreated, accountPasswordChanged } from '@passerelle/contracts/events/identity'
import {
  ENDED_SESSIONS_HEADER,
  type identityApi,
  type NewSession,
  SESSION_CHANGED,
  SESSION_ENDED,
  SESSION_HEADER,
} from '@passerelle/contracts/http/identity'
import type { Caller } from '@passerelle/kit/auth'
import { hashToken } from '@passerelle/kit/auth'
import { type Handlers, Reply } from '@passerelle/kit/http'
import { draft } from '@passerelle/kit/outbox'
import type { z } from 'zod'
import { type AccountTools, ensureAccount } from './accounts.ts'
import { expiry, hasAdminProof, shouldTouch } from './domain/session.ts'
import { isForgotten, network, waitBeforeNext } from './domain/throttle.ts'
import { keyOf, toPublic, type UserRecord } from './domain/user.ts'
import { openSession, toState } from './sessions.ts'

const newSession = (opened: z.output<typeof NewSession>) => ({ [SESSION_HEADER]: `new ${opened.token} ${opened.maxAgeSeconds}` })
const ended = (sessionIds: readonly string[]) => ({ [ENDED_SESSIONS_HEADER]: sessionIds.join(',') })

export function routes(tools: AccountTools): Handlers<typeof identityApi> {
  const { store, passwords, clock } = tools
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
      return toPublic(user)
    },

    async changePassword({ body, caller }) {
      const user = await signedIn(caller, tools)
      await checkPassword(user, user.usernameKey, body.currentPassword, caller, tools, 'PASSWORD_WRONG')
      const others = await replacePassword(user, await passwords.hash(body.newPassword), caller, tools)
      const opened = await openSession(store, user, caller, clock())
      return new Reply(
        { body: { success: true, message: 'Your password has been updated' } },
        { headers: { ...newSession(opened), ...ended(others) } },
      )
    },

    async setPassword({ body, caller }) {
      // Whatever may be refused or take long comes before the link is used up.
      const passwordHash = await passwords.hash(body.newPassword)
      const userId = await store.takeLink(hashToken(body.token), clock())
      const user = userId ? await store.userById(userId) : null
      if (!user) throw new AppError('LINK_INVALID')
      await store.dropLinks(user._id)
      const others = await replacePassword(user, passwordHash, caller, tools)
      return new Reply({ body: { success: true, message: 'Your password has been set. Please sign in.' } }, { headers: ended(others) })
    },

    async logout({ caller }) {
      if (caller.sessionId) await store.endSession(caller.sessionId)
      return new Reply({ body: { success: true, message: 'You are signed out.' } }, { headers: { [SESSION_HEADER]: SESSION_ENDED } })
    },

    async adminLogin({ body, caller, log }) {
      const user = await signedIn(caller, tools)
      if (!user.isAdmin) {
        log.warn({ userId: user._id }, 'refused as administrator')
        throw new AppError('FORBIDDEN')
      }
      const headers = { [SESSION_HEADER]: SESSION_CHANGED }
      if (body?.password !== undefined) {
        await checkPassword(user, user.usernameKey, body.password, caller, tools)
        await store.proveAdmin(caller.sessionId ?? '', clock())
        log.info({ userId: user._id }, 'verified as administrator')
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

    async accountFromBooking({ body, caller, signal }) {
      const ensured = await ensureAccount(body.bookingId, () => !signal.aborted, caller, tools)
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
  // Hashed: people type their password into the wrong field, too.
  const throttle = hashToken(`${user?._id ?? key}|${network(caller.ip)}`)
  const known = await store.failuresOf(throttle)
  refuseWhileSlowed(waitBeforeNext(known, clock()))
  if (known && isForgotten(known, clock())) await store.forgetFailures(throttle)
  // Counted as a failure before it is tried: a hundred attempts at once get no more tries than a hundred in a row.
  refuseWhileSlowed(waitBeforeNext(await store.noteFailure(throttle, clock()), clock()))
  if (!(await passwords.verify(user?.passwordHash ?? null, password))) throw new AppError(wrong)
  await store.forgetFailures(throttle)
}

function refuseWhileSlowed(waitMs: number): void {
  if (waitMs > 0) throw new AppError('LOGIN_SLOWED', { retryAfter: Math.ceil(waitMs / 1000) })
}

/** Every session of the account ends; their ids are the answer. Whoever changed the password gets a new one. */
async function replacePassword(user: UserRecord, passwordHash: string, caller: Caller, tools: AccountTools): Promise<string[]> {
  const { store, clock } = tools
  const now = clock()
  let current: UserRecord | null = user
  // A booking that was linked just now has moved the version and is no reason to refuse; another password is.
  while (current && current.passwordHash === user.passwordHash) {
    const event = draft(
      accountPasswordChanged,
      { userId: user._id },
      { sequence: current.version + 1, at: now, requestId: caller.requestId },
    )
    const change = { passwordHash, passwordChangedAt: now, mustChangePassword: false, passwordTold: true }
    if (await store.change(current, change, [event])) {
      return store.endSessionsOf(user._id)
    }
    current = await store.userById(user._id)
  }
  throw new AppError('PASSWORD_RACE')
}
