import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

const script = readFileSync(new URL('init.js', import.meta.url), 'utf8')

type Role = { role: string; db: string }

/** The users that the script makes, by the database that they belong to, with what they may do. */
function usersMade(): Map<string, { user: string; roles: Role[] }> {
  const users = new Map<string, { user: string; roles: Role[] }>()
  const database = (name: string) => ({
    auth: () => undefined,
    getUser: () => null,
    createUser: ({ user, roles }: { user: string; roles: Role[] }) => users.set(name, { user, roles }),
  })
  runInNewContext(script, {
    db: { getSiblingDB: database, hello: () => ({ isWritablePrimary: true }) },
    rs: { status: () => undefined },
    require: () => ({ readFileSync: () => 'a password' }),
    print: () => undefined,
  })
  return users
}

test('EVT-01: every service may use its own database, and no other', () => {
  const users = usersMade()
  expect([...users.keys()].sort()).toEqual(['booking', 'brand', 'identity', 'payment', 'search'])
  for (const [name, { user, roles }] of users) {
    expect(user).toBe(name)
    expect(roles.map(({ db }) => db)).toEqual(roles.map(() => name))
  }
})
