/** Receipts: their numbers under parallel captures and crashes, who reads them, and what they say. */
import { randomUUID } from 'node:crypto'
import { addAmounts, compareAmounts } from '@passerelle/contracts/rules/money'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newOffer, party, visitor } from '../checkout.fixture.ts'
import { type Fault, openSagaWorld, type SagaWorld } from '../saga.fixture.ts'
import { drive } from '../saga.ts'

let world: SagaWorld
beforeAll(async () => {
  world = await openSagaWorld()
})
afterAll(async () => {
  await world.stop()
})
beforeEach(() => world.conditionsAre({}))

let brands = 0
const newBrand = () => `receipts-${++brands}.example`
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** One booking of a brand to its end, by a worker that may have a fault and, after that, by a healthy one. */
async function paid(brand: string, fault?: Fault): Promise<string> {
  const booking = await world.book({}, { brand })
  const { context, stopped, wake } = world.worker(fault)
  const driven = drive(booking, context).catch(() => null)
  await Promise.race([driven, stopped])
  expect((await world.rest(booking._id)).state).toBe('CONFIRMED')
  wake()
  await driven
  return booking._id
}

test('bookings that are paid at the same moment get the numbers 1 to 24, each once', async () => {
  const brand = newBrand()
  const bookings = await Promise.all(upTo(24).map(() => world.book({}, { brand })))
  await Promise.all(bookings.map((booking) => drive(booking, world.worker().context)))
  expect(await world.receiptNumbers(brand)).toEqual(upTo(24))
  for (const { _id } of bookings) expect(await world.receiptsOf(_id)).toHaveLength(1)
})

test('one booking that is asked for by several workers at once has one number', async () => {
  const brand = newBrand()
  const booking = await world.book({}, { brand })
  const receipts = await Promise.all(upTo(12).map(() => world.worker().context.receipts.issue(booking, world.clock())))
  expect(new Set(receipts.map(({ number }) => number))).toEqual(new Set([1]))
  expect(await world.receiptNumbers(brand)).toEqual([1])
})

test.each(['dies', 'sleeps'] as const)(
  'a worker that %s before or after any write of a capture neither skips nor repeats a number',
  async (how) => {
    const brand = newBrand()
    const ids: string[] = []
    for (const at of ['payment.capture', 'receipts.issue', 'store.CONFIRMED']) {
      for (const when of ['before', 'after'] as const) ids.push(await paid(brand, { at, when, how }))
    }
    ids.push(await paid(brand))
    const numbers = (await Promise.all(ids.map((id) => world.receiptsOf(id)))).map((receipts) => receipts.map(({ number }) => number))
    expect(numbers).toEqual(upTo(ids.length).map((number) => [number]))
    expect(await world.receiptNumbers(brand)).toEqual(upTo(ids.length))
  },
)

test('what is not paid takes no number, and each brand counts for itself', async () => {
  const [brand, other] = [newBrand(), newBrand()]
  await paid(brand)
  const refused = await world.book({ order: ['refused'] }, { brand })
  expect(await drive(refused, world.worker().context)).toMatchObject({ state: 'FAILED' })
  await paid(brand)
  await paid(other)
  expect(await world.receiptNumbers(brand)).toEqual([1, 2])
  expect(await world.receiptNumbers(other)).toEqual([1])
})

test('is for those who may read the booking: who made it for a day, its owner, and administrators', async () => {
  const maker = visitor(world)
  const { body } = await maker.book(newOffer())
  const status = async (identity: Parameters<typeof visitor>[1]) => (await visitor(world, identity).receipt(body.id)).status
  expect(await status(maker.caller)).toBe(200)
  expect(await status({ visitorId: 'vis_admin', userId: 'usr_admin', isAdmin: true })).toBe(200)
  expect(await status({ visitorId: 'vis_of_another', userId: 'usr_of_another' })).toBe(404)
  await world.store.attachUser(body.id, 'usr_of_receipts')
  world.advance(24 * 3600)
  expect(await status(maker.caller)).toBe(404)
  expect(await status({ visitorId: null, userId: 'usr_of_receipts' })).toBe(200)
})

test('names seller, payer and passengers; its lines are the charge to the cent; the same number at every look', async () => {
  const maker = visitor(world)
  const { body } = await maker.book(newOffer())
  const { body: receipt } = await maker.receipt(body.id)
  expect(receipt).toMatchObject({ paidBy: 'Inès Moreau', paidAt: world.clock().toISOString() })
  expect(receipt.number).toMatch(/^TEST-\d{6}$/)
  expect(receipt.seller).toEqual({
    name: 'Passerelle',
    email: expect.stringContaining('@'),
    phone: expect.any(String),
    address: expect.any(String),
  })
  expect(receipt.lines.map(({ item }) => item)).toEqual(['base', 'tax'])
  expect(compareAmounts(addAmounts(...receipt.lines.map(({ amount }) => amount)), receipt.booking.charged.amount)).toBe(0)
  expect(receipt.booking).toMatchObject({ id: body.id, paid: true, refund: null })
  expect(JSON.stringify(receipt)).not.toMatch(/4242424242424242|19KL56147|1990-02-14/)
  world.advance(3600)
  expect((await maker.receipt(body.id)).body).toMatchObject({ number: receipt.number, paidAt: receipt.paidAt })
})

test('of a cancelled booking says what goes back; of one that was never paid there is none', async () => {
  const maker = visitor(world)
  const { body } = await maker.book(newOffer())
  const { number } = (await maker.receipt(body.id)).body
  await maker.cancel(body.id)
  const after = (await maker.receipt(body.id)).body
  expect(after).toMatchObject({
    number,
    booking: { status: 'cancelled', refundKind: 'card', refund: { amount: '182.50', currency: 'EUR' } },
  })

  world.conditionsAre({ order: ['late'] })
  const pending = await maker.book(newOffer(), { passengers: party({ email: 'late@example.org' }) })
  expect(pending.body.paid).toBe(false)
  expect((await maker.receipt(pending.body.id)).error).toMatchObject({ code: 'RECEIPT_NOT_FOUND', status: 404 })
  expect(await world.receiptsOf(pending.body.id)).toEqual([])
})

test('keeps number and amounts when its traveller is forgotten, and no name', async () => {
  const userId = `usr_${randomUUID()}`
  const { body } = await visitor(world, { visitorId: `vis_${randomUUID()}`, userId }).book(newOffer())
  const admin = visitor(world, { visitorId: null, userId: 'usr_admin', isAdmin: true })
  const { number } = (await admin.receipt(body.id)).body
  await world.store.forgetUser(userId)
  const after = (await admin.receipt(body.id)).body
  expect(after).toMatchObject({ number, paidBy: null, booking: { charged: { amount: '274.00' } } })
  expect(JSON.stringify([after, await world.receiptsOf(body.id)])).not.toMatch(/Moreau|Inès|@example\.org/)
})
