/** The whole product with a second gateway, people who sign in to it, and the sessions as they are stored. */
import { hashToken } from '@passerelle/kit/auth'
import { createLog } from '@passerelle/kit/log'
import { connectMongo } from '@passerelle/kit/mongo'
import { PATIENT_CACHE } from '@passerelle/servers/test/test-servers'
import { expect } from 'vitest'
import { anotherGateway } from './another-gateway.fixture.ts'
import { type LocalSystem, localSystem, Visitor } from './test-visitor.fixture.ts'

export const PASSWORD = 'Blue-Suitcase-47-Runs'
export const NEW_PASSWORD = 'Green-Umbrella-12-Sings'
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const ago = (ms: number) => new Date(Date.now() - ms)

export type SessionWorld = Awaited<ReturnType<typeof openSessionWorld>>

export async function openSessionWorld() {
  const NAMESPACE = `t${Math.random().toString(36).slice(2, 8)}-`
  const given = { NAMESPACE, RATE_LIMIT_FACTOR: '1000', LOG_LEVEL: 'silent', ...PATIENT_CACHE }
  const system: LocalSystem = await localSystem({ NAMESPACE })
  const second = await anotherGateway(system, given)
  const secure = await anotherGateway(system, { ...given, SECURE_COOKIES: 'true' })
  const store = await connectMongo(system.backbone.MONGO_URL, `${NAMESPACE}identity`, createLog('test', 'silent'))
  let people = 0

  const tokenOf = (visitor: Visitor) => visitor.cookies.get('sid') ?? ''
  const signIn = async (username: string, password = PASSWORD, visitor = new Visitor(system.url)) => {
    expect((await visitor.post('/api/auth/login', { username, password })).status).toBe(200)
    return visitor
  }
  const stored = (token: string) => store.collection<{ _id: string }>('sessions').findOne({ _id: hashToken(token) })
  /** The session that a visitor with these headers has: the name of its user, "guest", or null without one. */
  const whoIs = async (headers: Record<string, string>, url = system.url, query = ''): Promise<string | null> => {
    const response = await fetch(`${url}/api/auth/user${query}`, { headers })
    if (response.status === 200) return ((await response.json()) as { username: string }).username
    expect(response.status).toBe(401)
    return null
  }

  return {
    system,
    second: second.url,
    secure: secure.url,
    tokenOf,
    signIn,
    stored,
    whoIs,
    /** Who a visitor with this session is, at a gateway. */
    whose: (token: string, url = system.url) => whoIs({ cookie: `sid=${token}` }, url),
    /** The username of a new account. */
    async registered(visitor = new Visitor(system.url)): Promise<string> {
      const username = `person${++people}`
      const account = { username, email: `${username}@example.org`, firstName: 'Ada', lastName: 'Moreau', password: PASSWORD }
      expect((await visitor.post('/api/auth/register', account)).status).toBe(201)
      return username
    },
    admin: () => signIn('admin', system.secrets.adminPassword),
    /** Another administrator: an account with a proved address that has got the role. */
    async promote(username: string): Promise<string> {
      await store.collection('users').updateOne({ username }, { $set: { emailVerifiedAt: new Date() } })
      const granted = await (await signIn('admin', system.secrets.adminPassword)).call<{ id: string }>('PUT', '/api/admin/staff', {
        email: `${username}@example.org`,
        brands: null,
      })
      expect(granted.status).toBe(200)
      return granted.body.id
    },
    /** Lets time pass for one session that no gateway has a copy of yet. */
    async age(token: string, fields: Record<string, Date>): Promise<void> {
      const { matchedCount } = await store.collection<{ _id: string }>('sessions').updateOne({ _id: hashToken(token) }, { $set: fields })
      expect(matchedCount).toBe(1)
    },
    /** Live sessions of one account. */
    async living(username: string): Promise<number> {
      const user = await store.collection('users').findOne({ username })
      return store.collection('sessions').countDocuments({ userId: String(user?._id), expiresAt: { $gt: new Date() } })
    },
    async stop() {
      await Promise.all([second.stop(), secure.stop()])
      await store.close()
      await system.stop()
    },
  }
}
