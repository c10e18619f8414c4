/** the role is given by an operator's command and by nothing else. */
import { spawn } from 'node:child_process'
import { executeCommand, UsageError } from '@passerelle/kit/command'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminCommand } from './admin-command.ts'
import type { World } from './identity.fixture.ts'
import { openTown, person, type Town } from './people.fixture.ts'

let town: Town
let world: World
beforeAll(async () => {
  town = await openTown()
  world = town.world
})
afterAll(async () => {
  await world.stop()
})

async function admin(...args: string[]): Promise<string> {
  const lines: string[] = []
  await executeCommand(adminCommand, { args, environment: world.environment, print: (line) => lines.push(line) })
  return lines.join('\n')
}
const linkIn = (text: string) => /http:\/\/localhost:8080\/set-password#([\w-]+)/.exec(text)?.[1] ?? ''
const setPassword = (token: string, newPassword = 'Chosen-By-Me-12') => world.call('POST', '/api/auth/set-password', { token, newPassword })
const stored = (email: string) => world.collection('users').findOne({ emailKey: email.toLowerCase() })
const audit = (userId: unknown) => world.collection('audit').find({ userId }).sort({ at: 1 }).toArray()

async function verified() {
  const who = await town.signedIn()
  await world.collection('users').updateOne({ _id: who.userId as never }, { $set: { emailVerifiedAt: new Date() } })
  return who
}

describe('granting', () => {
  test('R-71: makes the account where there is none, without a password; its link is printed once', async () => {
    const email = person().email
    const printed = await admin('--email', email)
    const token = linkIn(printed)
    expect(token).toMatch(/^[\w-]{43}$/)
    const user = await stored(email)
    expect(user).toMatchObject({ isAdmin: true, emailVerifiedAt: null })
    expect(user?.passwordHash ?? null).toBeNull()
    expect(JSON.stringify(await world.collection('links').find({}).toArray())).not.toContain(token)
    expect((await setPassword(token)).status).toBe(200)
    expect(await stored(email), 'the operator’s link did not come by mail').toMatchObject({ emailVerifiedAt: null })
    const signedIn = await town.login(email, 'Chosen-By-Me-12')
    expect(signedIn).toMatchObject({ status: 200, body: { isAdmin: true } })
    expect(signedIn.session?.maxAgeSeconds).toBe(8 * 3600)
    expect(await audit(user?._id)).toMatchObject([{ actor: 'operator', action: 'admin-granted' }])
  })

  test('keeps the password of an account whose address is verified; sessions without the role end', async () => {
    const who = await verified()
    const printed = await admin('--email', who.user.email.toUpperCase())
    expect(printed).toContain(`${who.user.username} is an administrator`)
    expect(linkIn(printed)).toBe('')
    expect(await town.lives(who.sessionId)).toBe(false)
    expect((await town.again(who.user)).userId).toBe(who.userId)
    expect((await world.call('POST', '/api/admin/login', undefined, (await town.again(who.user)).caller)).status).toBe(200)
  })

  test('takes the password of an account that anybody may have registered with the address', async () => {
    const mallory = await town.signedIn()
    const printed = await admin('--email', mallory.user.email)
    expect(await town.lives(mallory.sessionId)).toBe(false)
    expect((await town.login(mallory.user.username, mallory.user.password)).status).toBe(401)
    expect((await setPassword(linkIn(printed))).status).toBe(200)
  })
})

describe('revoking', () => {
  test('ends every session of the account, so that it counts at once, and is recorded', async () => {
    const who = await verified()
    await admin('--email', who.user.email)
    const now = await town.again(who.user)
    expect((await world.resolve(now.sessionId)).body.isAdmin).toBe(true)
    expect(await admin('--email', who.user.email, '--revoke')).toContain('is no administrator any more')
    expect(await town.lives(now.sessionId)).toBe(false)
    const later = await town.again(who.user)
    expect((await world.resolve(later.sessionId)).body.isAdmin).toBe(false)
    expect((await world.call('POST', '/api/admin/login', undefined, later.caller)).status).toBe(403)
    const actions = (await audit(who.userId)).map((entry) => entry.action)
    expect(actions).toEqual(['admin-granted', 'admin-revoked', 'admin-refused'])
  })
})

test('words that make no sense change nothing', async () => {
  const before = await world.collection('audit').countDocuments({})
  for (const args of [[], ['--email', 'nobody'], ['--email', person().email, '--revoke'], ['--email', 'a@example.org', '--sudo']])
    await expect(admin(...args), args.join(' ')).rejects.toThrow(UsageError)
  expect(await world.collection('audit').countDocuments({})).toBe(before)
})

test('it runs as a process with the service’s environment, as in a container', async () => {
  const email = person().email
  const { MONGO_URL, NAMESPACE, PUBLIC_URL } = world.environment
  const child = spawn(process.execPath, [new URL('admin.ts', import.meta.url).pathname, '--email', email], {
    env: { PATH: process.env.PATH, MONGO_URL, NAMESPACE, PUBLIC_URL },
  })
  let printed = ''
  child.stdout.on('data', (text) => {
    printed += text
  })
  expect(await new Promise((done) => child.once('close', done))).toBe(0)
  expect(linkIn(printed)).toMatch(/^[\w-]{43}$/)
  expect(await stored(email)).toMatchObject({ isAdmin: true })
})
