/** What slows guessing down, and whom it does not hold up. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, eventually, sha256, type World } from './identity.fixture.ts'
import { ago, anotherNetwork, MINUTE, openTown, person, type Town } from './people.fixture.ts'

let town: Town
let world: World
beforeAll(async () => {
  town = await openTown()
  world = town.world
})
afterAll(async () => {
  await world.stop()
})

describe('AAUTH-09: failed sign-ins', () => {
  const lastFailed = (userId: string, ip: string, lastAt: Date) =>
    world.collection('failures').updateOne({ _id: sha256(`${userId}|${ip}`) as never }, { $set: { lastAt } })
  const statuses = async (times: number, attempt: () => Promise<Answer>) => {
    const found: number[] = []
    for (let i = 0; i < times; i++) found.push((await attempt()).status)
    return found
  }

  test('slow the account down from that network, with Retry-After, even for the right password', async () => {
    const { user } = await town.signedIn()
    const from = { ip: anotherNetwork() }
    expect(await statuses(7, () => town.login(user.username, 'wrong', from))).toEqual([401, 401, 401, 401, 401, 429, 429])
    const slowed = await town.login(user.username, user.password, { ip: `::ffff:${from.ip}` })
    expect(slowed).toMatchObject({ status: 429, body: { error: 'LOGIN_SLOWED' } })
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await town.login(user.username, user.password, { ip: anotherNetwork() })).status).toBe(200)
  })

  test('count for the account, under whichever name it was tried', async () => {
    const { user } = await town.signedIn()
    const from = { ip: anotherNetwork() }
    expect(await statuses(3, () => town.login(user.username, 'wrong', from))).toEqual([401, 401, 401])
    expect(await statuses(4, () => town.login(user.email, 'wrong', from))).toEqual([401, 401, 429, 429])
  })

  test('slow down names that nobody has in the same way', async () => {
    const from = { ip: anotherNetwork() }
    expect(await statuses(6, () => town.login('ghost', 'x', from))).toEqual([401, 401, 401, 401, 401, 429])
  })

  test('are forgotten when the right password comes in time, or after a quarter of an hour', async () => {
    const { user, userId } = await town.signedIn()
    const from = { ip: anotherNetwork() }
    await statuses(4, () => town.login(user.username, 'wrong', from))
    expect((await town.login(user.username, user.password, from)).status).toBe(200)
    expect(await statuses(6, () => town.login(user.username, 'wrong', from))).toEqual([401, 401, 401, 401, 401, 429])
    await lastFailed(userId, from.ip, ago(16 * MINUTE))
    expect(await statuses(6, () => town.login(user.username, 'wrong', from))).toEqual([401, 401, 401, 401, 401, 429])
    await lastFailed(userId, from.ip, ago(10_000))
    expect((await town.login(user.username, user.password, from)).status).toBe(200)
  })

  const allFailed = (key: string, since: Date) =>
    world.collection('failures').updateOne({ _id: sha256(key) as never }, { $set: { since, lastAt: since } })

  test('of twenty accounts slow down every sign-in from that network, and no other', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => town.signedIn()))
    const from = { ip: anotherNetwork() }
    for (const { user } of people) expect((await town.login(user.username, 'Summer2026', from)).status).toBe(401)
    const { user } = await town.signedIn()
    const slowed = await town.login(user.username, user.password, from)
    expect(slowed).toMatchObject({ status: 429, body: { error: 'LOGIN_SLOWED' } })
    expect(Number(slowed.headers.get('retry-after'))).toBeLessThanOrEqual(2)
    expect((await town.login(user.username, user.password)).status).toBe(200)
    await allFailed(`network|${from.ip}`, ago(16 * MINUTE))
    expect((await town.login(user.username, user.password, from)).status).toBe(200)
  })

  test('do not add up with the sign-ins that succeed: a whole office signs in from one network', async () => {
    const people = await Promise.all(Array.from({ length: 25 }, () => town.signedIn()))
    const from = { ip: anotherNetwork() }
    const signIns = await Promise.all(people.map(({ user }) => town.login(user.username, user.password, from)))
    expect(signIns.map((answer) => answer.status)).toEqual(people.map(() => 200))
    expect((await town.login(people[0]?.user.username ?? '', 'wrong', from)).status).toBe(401)
  })

  describe('of one account from everywhere', () => {
    const attacked = async () => {
      const home = { ip: anotherNetwork() }
      const user = person()
      await town.register(user)
      const { body } = await town.login(user.username, user.password, home)
      for (let i = 0; i < 50; i++) expect((await town.login(user.username, 'wrong')).status, String(i)).toBe(401)
      return { user, userId: String(body.id), home }
    }

    test('slow it down by seconds and never lock it: a right password counts once the wait is over', async () => {
      const { user, userId } = await attacked()
      const slowed = await town.login(user.username, user.password)
      expect(slowed).toMatchObject({ status: 429, body: { error: 'LOGIN_SLOWED' } })
      expect(Number(slowed.headers.get('retry-after'))).toBeLessThanOrEqual(10)
      const key = { _id: sha256(`account|${userId}`) as never }
      await world.collection('failures').updateOne(key, { $set: { lastAt: ago(11_000) } })
      expect((await town.login(user.username, user.password)).status).toBe(200)
    })

    test('do not slow its owner down where he has signed in before', async () => {
      const { user, home } = await attacked()
      expect((await town.login(user.username, user.password, home)).status).toBe(200)
    })

    test('R-100: are reported to its owner by one mail, with ids alone in the queue', async () => {
      const { user, userId, home } = await attacked()
      await world.collection('failures').updateOne({ _id: sha256(`account|${userId}`) as never }, { $set: { lastAt: ago(11_000) } })
      expect((await town.login(user.username, 'wrong')).status).toBe(401)
      const warning = async () => (await world.mailsTo(user.email)).filter((mail) => mail.subject.startsWith('Somebody tries to sign in'))
      await eventually('the warning', async () => (await warning()).length === 1)
      expect((await town.login(user.username, 'wrong', home)).status).toBe(401)
      const queued = await world
        .collection('mails')
        .find({ template: 'many-failures', subject: { $regex: `^${userId}:` } })
        .toArray()
      expect(queued).toHaveLength(1)
      expect(JSON.stringify(queued)).not.toContain(user.username)
    })
  })

  test('forty at once get no more tries than forty in a row', async () => {
    const { user } = await town.signedIn()
    const from = { ip: anotherNetwork() }
    const answers = await Promise.all(Array.from({ length: 40 }, () => town.login(user.username, 'wrong', from)))
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(5)
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(35)
  })
})
