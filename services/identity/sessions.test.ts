import { testCaller } from '@passerelle/kit/testing'
import { expect, test } from 'vitest'
import { newUser, type UserRecord } from './domain/user.ts'
import { openSession } from './sessions.ts'
import type { Store } from './store.ts'

const now = new Date('2026-11-21T10:00:00Z')
const admin = newUser({ _id: 'usr_1', username: 'ines', email: 'ines@example.org', createdAt: now, passwordHash: 'a hash', isAdmin: true })

/** A store in which the account has become `current` by the time that the session is written. */
function storeWith(current: UserRecord | null) {
  const living = new Set<string>()
  const store = {
    openSession: async (session: { _id: string }) => void living.add(session._id),
    endSession: async (id: string) => void living.delete(id),
    userById: async () => current,
    trimSessions: async () => [],
  }
  return { living, store: store as unknown as Store }
}

test('a session begins for the account as it is', async () => {
  const { living, store } = storeWith(admin)
  const { session } = await openSession(store, admin, testCaller(), now)
  expect(session.session).toMatchObject({ userId: 'usr_1', isAdmin: true })
  expect([...living]).toEqual([session.session.sessionId])
})

test.each([
  ['whose role was taken back', { ...admin, isAdmin: false }],
  ['whose password was changed', { ...admin, passwordHash: 'another hash' }],
  ['that is gone', null],
])('R-71: no session begins for an account %s in this moment', async (_, current) => {
  const { living, store } = storeWith(current)
  await expect(openSession(store, admin, testCaller(), now)).rejects.toMatchObject({ code: 'PASSWORD_RACE' })
  expect([...living]).toEqual([])
})
