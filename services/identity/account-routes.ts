/** The calls of accountApi. */
import { AppError } from '@passerelle/contracts/error'
import { accountErased } from '@passerelle/contracts/events/identity'
import type { accountApi } from '@passerelle/contracts/http/account'
import { SESSION_ENDED, SESSION_HEADER } from '@passerelle/contracts/http/identity'
import type { Caller } from '@passerelle/kit/auth'
import { type Handlers, Reply } from '@passerelle/kit/http'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import { now } from '@passerelle/kit/runtime'
import type { AccountTools } from './accounts.ts'
import { erased, isStaff, toPublic, type UserRecord } from './domain/user.ts'
import { requestReset } from './password-reset.ts'
import { endedHeader, sessionHandle, signedIn, toInfo } from './sessions.ts'
import { checkPassword } from './sign-in.ts'
import type { Store } from './store.ts'

export function accountRoutes(tools: AccountTools): Handlers<typeof accountApi> {
  const { store } = tools
  return {
    async forgotPassword({ body, log }) {
      await requestReset(body.email, tools, log)
      const message = 'If there is an account with this address, we have sent it an e-mail with a link. It works once and for one hour.'
      return { success: true, message }
    },

    async listSessions({ caller }) {
      const { _id } = await signedIn(caller, store)
      const sessions = (await store.sessionsOf(_id, now())).map((session) => ({
        ...toInfo(session),
        current: session._id === caller.sessionId,
      }))
      return sessions.sort((a, b) => Number(b.current) - Number(a.current))
    },

    async endSession({ params, caller }) {
      const { _id } = await signedIn(caller, store)
      const session = (await store.sessionsOf(_id, now())).find((one) => sessionHandle(one._id) === params.id)
      if (!session) throw new AppError('SESSION_NOT_FOUND')
      await store.endSession(session._id)
      const isOwn = session._id === caller.sessionId
      const headers = { ...endedHeader([session._id]), ...(isOwn && { [SESSION_HEADER]: SESSION_ENDED }) }
      return new Reply({ body: { success: true, message: 'The session has ended.' } }, { headers })
    },

    async endOtherSessions({ caller }) {
      const { _id } = await signedIn(caller, store)
      const ended = await store.endSessionsOf(_id, caller.sessionId)
      const message = ended.length === 1 ? 'One session has ended.' : `${ended.length} sessions have ended.`
      return new Reply({ body: { success: true, message } }, { headers: endedHeader(ended) })
    },

    /** The gateway adds what other services hold. */
    async exportAccount({ caller }) {
      const user = await signedIn(caller, store)
      return { exportedAt: now().toISOString(), ...(await copyOf(user, store)), bookings: [], messages: [] }
    },

    async deleteAccount({ body, caller, log }) {
      const user = await signedIn(caller, store)
      await checkPassword({ user, name: user.usernameKey, password: body.password, caller, wrong: 'PASSWORD_WRONG' }, tools)
      if (isStaff(user)) throw new AppError('ACCOUNT_IS_ADMIN')
      const ended = await eraseAccount(user, caller, store)
      log.info({ userId: user._id }, 'an account was deleted by its owner')
      const headers = { ...endedHeader(ended), [SESSION_HEADER]: SESSION_ENDED }
      return new Reply({ body: { success: true, message: 'Your account has been deleted.' } }, { headers })
    },

    async listPeople({ query, caller }) {
      // Staff of a brand sees who else administers, and no traveller.
      const found = (await store.usersByIds(query.ids.split(','))).filter((user) => caller.isAdmin || isStaff(user))
      return found.map(({ _id, username, firstName, lastName, isAdmin }) => {
        return { id: _id, username, name: `${firstName} ${lastName}`.trim() || username, isAdmin }
      })
    },

    async listAccess({ query: { before, limit } }) {
      const found = await store.audit({ before, limit: limit + 1 })
      const entries = found.slice(0, limit).map(({ _id, at, actor, action, userId, brands }) => ({
        ...{ id: String(_id), at: at.toISOString(), actor, action, userId },
        ...(brands?.length && { brands }),
      }))
      return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null }
    },
  }
}

/** All that is kept of an account, without what opens it. */
export async function copyOf(user: UserRecord, store: Store) {
  const sessions = await store.sessionsOf(user._id, now())
  return {
    account: {
      ...toPublic(user),
      emailVerifiedAt: user.emailVerifiedAt?.toISOString() ?? null,
      acceptedTermsAt: user.acceptedTermsAt?.toISOString() ?? null,
      brand: user.brand,
    },
    sessions: sessions.map(toInfo),
  }
}

/** Sessions end before and after: none outlives the account, wherever a crash comes. @throws AppError ACCOUNT_IS_ADMIN */
export async function eraseAccount(user: UserRecord, { requestId }: Pick<Caller, 'requestId'>, store: Store): Promise<string[]> {
  const ended = await store.endSessionsOf(user._id)
  let current: UserRecord | null = user
  while (current) {
    const at = now()
    const event = createOutboxEvent(accountErased, { userId: user._id }, { sequence: current.version + 1, at, requestId })
    if (await store.change(current, erased(current, at), [event])) break
    current = await store.userById(user._id)
    if (current && isStaff(current)) throw new AppError('ACCOUNT_IS_ADMIN')
  }
  await store.dropLinks(user._id)
  return [...ended, ...(await store.endSessionsOf(user._id))]
}
