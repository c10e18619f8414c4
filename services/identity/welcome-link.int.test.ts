/** The link in the mail to an account that was made with a booking. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { address, type GuestWorld, linkIn, openGuestWorld } from './guests.fixture.ts'

let { world, claim, login, setPassword, mails } = {} as GuestWorld
beforeAll(async () => {
  ;({ world, claim, login, setPassword, mails } = await openGuestWorld())
})
afterAll(async () => {
  await world.stop()
})
beforeEach(() => {
  world.neighbours.away = false
  world.neighbours.held = null
})

describe('the link of the welcome', () => {
  async function welcomed() {
    const email = address()
    const { body } = await claim(world.book(email))
    const [mail] = await mails(email, 'Your account')
    return { email, token: linkIn(mail?.text ?? ''), account: body }
  }

  test('chooses a password once, and ends every session that began before', async () => {
    const { email, token, account } = await welcomed()
    const used = await setPassword(token)
    expect(used).toMatchObject({ status: 200, body: { success: true }, session: null })
    expect(used.endedSessions).toEqual([account.session?.session.sessionId])
    expect((await world.resolve(account.session?.session.sessionId ?? '')).status).toBe(401)
    expect((await login(email, account.password ?? '')).status).toBe(401)
    expect(await login(email, 'Chosen-By-Me-12')).toMatchObject({ status: 200, body: { mustChangePassword: false } })
    expect(await setPassword(token, 'Another-One-12')).toMatchObject({ status: 410, body: { error: 'LINK_INVALID' } })
  })

  test('is refused a password that is a name of the account or the one that was handed out, and is not used up by it', async () => {
    const { email, token, account } = await welcomed()
    for (const password of [email, account.password ?? '']) {
      const refused = await setPassword(token, password)
      expect(refused, password).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
    }
    expect((await setPassword(token)).status).toBe(200)
  })

  test('of twenty uses at once, one counts', async () => {
    const { token } = await welcomed()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => setPassword(token, `Chosen-By-Me-${i}a`)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 410)).toHaveLength(19)
  })

  test('is not used up by a password that is too weak', async () => {
    const { token } = await welcomed()
    expect((await setPassword(token, 'weak')).status).toBe(400)
    expect((await setPassword(token)).status).toBe(200)
  })

  test('is over after 24 hours, and only its hash is kept', async () => {
    const { token, account } = await welcomed()
    const links = await world.collection('links').find({ userId: account.userId }).toArray()
    expect(links).toHaveLength(1)
    expect(JSON.stringify(links)).not.toContain(token)
    expect(links[0]?.expiresAt.getTime() - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
    await world.collection('links').updateOne({ userId: account.userId }, { $set: { expiresAt: new Date(Date.now() - 1) } })
    expect((await setPassword(token)).status).toBe(410)
  })

  test('takes every other link of the account with it', async () => {
    const { token, account } = await welcomed()
    const other = { userId: account.userId, use: 'set-password', mailed: true, expiresAt: new Date(Date.now() + 60_000) }
    await world.collection('links').insertOne({ _id: 'other' as never, ...other })
    await setPassword(token)
    expect(await world.collection('links').countDocuments({ userId: account.userId })).toBe(0)
  })
})
