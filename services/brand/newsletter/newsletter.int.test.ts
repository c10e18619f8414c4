import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, openWorld, type World } from '../brand.fixture.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

const signUp = (email: string, brand = 'atlas.example') => world.call('/api/newsletter', { json: { email } }, { brand })
const leave = (token: string) => world.call('/api/newsletter/leave', { json: { token } })
const mailsTo = async (address: string) => (await world.mails()).filter(({ to }) => to.includes(address))
const stored = () => world.mongo.collection('subscribers').countDocuments({})
const linkTo = async (address: string) => {
  const [mail] = await eventually('the mail', async () => {
    const found = await mailsTo(address)
    return found.length > 0 && found
  })
  return { mail, token: /\/unsubscribe#([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '' }
}

test('R-62, FOOT-04: an address is signed up once and told so by its brand; what is no address is refused', async () => {
  expect(await signUp('ines@example.org')).toMatchObject({ status: 200, body: { success: true } })
  expect((await signUp('Ines@example.org')).status).toBe(200)
  expect(await signUp('ines')).toMatchObject({ status: 400, body: { message: 'Please enter a valid email address' } })
  const { mail } = await linkTo('ines@example.org')
  expect(mail?.from.name).toBe('Atlas Voyages')
  expect(mail?.text).toContain('somebody typed it by mistake')
  expect(await mailsTo('ines@example.org')).toHaveLength(1)
  expect(await stored()).toBe(1)
})

test('the link of the mail ends it, and nothing is left of the address; used again it changes nothing', async () => {
  await signUp('jean@example.org', 'default')
  const { token } = await linkTo('jean@example.org')
  const before = await stored()
  expect(await leave(token)).toMatchObject({ status: 200, body: { success: true } })
  expect(await stored()).toBe(before - 1)
  expect(await world.mongo.collection('subscribers').countDocuments({ email: 'jean@example.org' })).toBe(0)
  expect((await leave(token)).status).toBe(200)
  expect(await stored()).toBe(before - 1)
  expect((await leave('short')).status).toBe(400)
})

test('no address and no secret stands in the queue of mails or in the log', async () => {
  await signUp('quiet@example.org')
  const { token } = await linkTo('quiet@example.org')
  const kept = JSON.stringify([await world.mongo.collection('mails').find({}).toArray(), world.lines])
  expect(kept).toContain('sub_')
  expect(kept).not.toContain('quiet@example')
  expect(kept).not.toContain(token)
})
