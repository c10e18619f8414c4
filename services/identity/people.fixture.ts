/** People of a test who register and sign in, as the gateway introduces them. */
import { eventually, openWorld, type World } from './identity.fixture.ts'

export const MINUTE = 60_000
export const ago = (ms: number) => new Date(Date.now() - ms)

let networks = 0
/** Nobody else's, so that failures of one test slow no other one down. */
export const anotherNetwork = () => `198.51.${100 + Math.floor(networks / 250)}.${(networks++ % 250) + 1}`

let people = 0
export const person = (more: object = {}) => {
  const username = `Traveller${++people}`
  return { username, email: `${username}@Example.org`, firstName: 'Inès', lastName: 'Moreau', password: `secret-${people}`, ...more }
}
export type Person = ReturnType<typeof person>
export type SignedIn = { user: Person; userId: string; sessionId: string; caller: { userId: string; sessionId: string } }

export type Town = Awaited<ReturnType<typeof openTown>>

/** The world with what people do in it. */
export async function openTown() {
  const world: World = await openWorld()
  const register = (user: object) => world.call('POST', '/api/auth/register', user)
  const login = (username: string, password: string, caller: object = {}) =>
    world.call('POST', '/api/auth/login', { username, password }, { ip: anotherNetwork(), ...caller })
  const again = async (user: Person): Promise<SignedIn> => {
    const { body, session } = await login(user.username, user.password)
    const userId = String(body.id)
    const sessionId = session?.id ?? ''
    return { user, userId, sessionId, caller: { userId, sessionId } }
  }
  return {
    world,
    register,
    login,
    /** Another session of the same person. */
    again,
    async signedIn(user = person()): Promise<SignedIn> {
      await register(user)
      return again(user)
    },
    lives: async (sessionId: string) => (await world.resolve(sessionId)).status === 200,
    stored: (name: 'users' | 'sessions', id: unknown) => world.collection(name).findOne({ _id: id as never }),
    /** Lets time pass for one session. */
    age: (id: string, fields: Record<string, Date>) => world.collection('sessions').updateOne({ _id: id as never }, { $set: fields }),
    /** The events of one account, once there are as many. */
    eventsOf: (userId: unknown, count: number) =>
      eventually('the events', async () => {
        const events = (await world.published()).filter((event) => event.key === userId)
        return events.length >= count && events
      }),
  }
}
