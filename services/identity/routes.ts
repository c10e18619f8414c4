/** The calls of identityApi. */
import { AppError } from '@passerelle/contracts/error'
import { accountCreated } from '@passerelle/contracts/events/identity'
import { type identityApi, passwordTooShort, SESSION_CHANGED, SESSION_ENDED, SESSION_HEADER } from '@passerelle/contracts/http/identity'
import { type Handlers, Reply } from '@passerelle/kit/http'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import { now, randomToken } from '@passerelle/kit/runtime'
import { type AccountTools, ensureAccount } from './accounts.ts'
import { deviceOf } from './device.ts'
import { expiry, hasAdminProof, shouldTouch } from './domain/session.ts'
import { isStaff, keyOf, newUser, toPublic, type UserRecord } from './domain/user.ts'
import { changePassword, choosePassword, refuseGuessable } from './password-change.ts'
import { endedHeader, type Opened, openSession, signedIn, toState } from './sessions.ts'
import { checkPassword } from './sign-in.ts'
import type { AuditEntry } from './store.ts'
import { sendVerifyEmail, verifyEmail } from './verification.ts'

const newSession = ({ session, ended: others }: Opened, more: readonly string[] = []) => ({
  [SESSION_HEADER]: `new ${session.token} ${session.maxAgeSeconds}`,
  ...endedHeader([...others, ...more]),
})

export function routes(tools: AccountTools): Handlers<typeof identityApi> {
  const { store, passwords } = tools
  return {
    async currentUser({ caller }) {
      return toPublic(await signedIn(caller, store))
    },

    async login({ body, caller, header, log }) {
      const name = keyOf(body.username)
      const user = await store.userByLogin(name)
      try {
        await checkPassword({ user, name, password: body.password, caller }, tools)
      } catch (error) {
        // Nobody's name is not logged: people type their password into the wrong field, too.
        if (error instanceof AppError) log.warn({ userId: user?._id ?? null, code: error.code }, 'a sign-in failed')
        throw error
      }
      const opened = await openSession(store, user as UserRecord, caller, now(), { device: deviceOf(header('user-agent')) })
      log.info({ userId: user?._id }, 'somebody signed in')
      return new Reply({ body: toPublic(user as UserRecord) }, { headers: newSession(opened) })
    },

    async register({ body, caller }) {
      if (body.password.length < tools.passwordMin) {
        const message = passwordTooShort(tools.passwordMin)
        throw new AppError('VALIDATION_ERROR', { message, issues: [{ path: 'password', message }] })
      }
      await refuseGuessable(body.password, body, 'password')
      const user = newUser({
        _id: randomToken('usr_', 12),
        username: body.username,
        email: body.email,
        firstName: body.firstName,
        lastName: body.lastName,
        passwordHash: await passwords.hash(body.password),
        createdAt: now(),
        brand: caller.brand,
        acceptedTermsAt: body.acceptedTerms ? now() : null,
      })
      const event = createOutboxEvent(
        accountCreated,
        { userId: user._id, bookingId: null },
        { sequence: 1, at: now(), requestId: caller.requestId },
      )
      const taken = await store.insertUser(user, [event])
      if (taken) throw new AppError(taken === 'email' ? 'EMAIL_TAKEN' : 'USERNAME_TAKEN')
      return toPublic(user)
    },

    async changePassword({ body, caller, header, log }) {
      const user = await signedIn(caller, store)
      const attempt = { user, name: user.usernameKey, password: body.currentPassword, caller }
      await checkPassword({ ...attempt, wrong: 'PASSWORD_WRONG' }, tools)
      const changed = await changePassword(user, body.newPassword, caller, tools)
      log.info({ userId: user._id }, 'a password was changed')
      const opened = await openSession(store, changed.user, caller, now(), { device: deviceOf(header('user-agent')) })
      const headers = newSession(opened, changed.ended)
      return new Reply({ body: { success: true, message: 'Your password has been updated' } }, { headers })
    },

    async setPassword({ body, caller, log }) {
      const changed = await choosePassword(body.token, body.newPassword, caller, tools)
      log.info({ userId: changed.user._id }, 'a password was chosen with a link')
      const headers = endedHeader(changed.ended)
      return new Reply({ body: { success: true, message: 'Your password has been set. Please sign in.' } }, { headers })
    },

    async verifyEmail({ body, caller }) {
      await verifyEmail(body.token, caller, tools)
      return { success: true, message: 'Your e-mail address is confirmed.' }
    },

    async sendVerifyEmail({ caller }) {
      const user = await signedIn(caller, store)
      if (user.emailVerifiedAt) return { success: true, message: 'Your e-mail address is confirmed already.' }
      await sendVerifyEmail(user, tools)
      return { success: true, message: 'We have sent you an e-mail with a link.' }
    },

    async guestSession({ caller }) {
      const body = { success: true, message: 'You have a session.' }
      if (caller.sessionId) return body
      return new Reply({ body }, { headers: newSession(await openSession(store, null, caller, now())) })
    },

    async logout({ caller, log }) {
      if (caller.sessionId) await store.endSession(caller.sessionId)
      if (caller.userId) log.info({ userId: caller.userId }, 'somebody signed out')
      return new Reply({ body: { success: true, message: 'You are signed out.' } }, { headers: { [SESSION_HEADER]: SESSION_ENDED } })
    },

    async adminLogin({ body, caller, log, header }) {
      const user = await signedIn(caller, store)
      const record = async (action: AuditEntry['action']) => {
        log.info({ userId: user._id, action }, 'administrator check')
        await store.record({ at: now(), actor: user._id, action, userId: user._id, requestId: caller.requestId })
      }
      if (!isStaff(user)) {
        await record('admin-refused')
        throw new AppError('FORBIDDEN')
      }
      const session = await store.liveSession(caller.sessionId ?? '', now())
      if (!session) throw new AppError('NOT_AUTHENTICATED')
      const answer = { body: { success: true, message: 'You are verified as an administrator.' } }
      if (body?.password !== undefined) {
        await checkPassword({ user, name: user.usernameKey, password: body.password, caller }, tools)
        // A sign-in like any other: the token from before it opens nothing any more.
        const opened = await openSession(store, user, caller, now(), { device: deviceOf(header('user-agent')) })
        await record('admin-verified')
        return new Reply(answer, { headers: newSession(opened) })
      }
      if (!hasAdminProof(session.adminProofAt, now())) throw new AppError('REAUTH_REQUIRED')
      await store.proveAdmin(session._id, now())
      await record('admin-verified')
      return new Reply(answer, { headers: { [SESSION_HEADER]: SESSION_CHANGED } })
    },

    async resolveSession({ params }) {
      const at = now()
      const session = await store.liveSession(params.id, at)
      if (!session) throw new AppError('NOT_AUTHENTICATED')
      if (shouldTouch(session, at)) {
        session.expiresAt = expiry(session, at)
        await store.touch(session._id, at, session.expiresAt)
      }
      return toState(session)
    },

    async openGuestSession({ caller }) {
      const { session } = await openSession(store, null, { ...caller, sessionId: null, visitorId: null }, now())
      return session
    },

    async accountFromBooking({ body, caller, signal, header }) {
      const ensured = await ensureAccount(body.bookingId, () => !signal.aborted, caller, tools, body.contact)
      if (!ensured) throw new AppError('BOOKING_NOT_FOUND')
      const { user, created, password, waits } = ensured
      // Only the caller that gets the password is signed in: a repeat, or a guest with another person's e-mail, is not.
      const options = { keepGuestSession: true, device: deviceOf(header('user-agent')) }
      const opened = created && password !== null ? await openSession(store, user, caller, now(), options) : null
      return {
        accountCreated: created,
        userId: waits ? null : user._id,
        username: created ? user.username : null,
        email: created ? user.email : null,
        password,
        session: opened?.session ?? null,
        endedSessions: opened?.ended ?? [],
      }
    },
  }
}
