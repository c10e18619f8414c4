/** Bookings as they are read: by whom, with damaged ones among them, and what is left of them when somebody is forgotten. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newOffer, party, visitor } from './checkout.fixture.ts'
import { openSagaWorld, type SagaWorld } from './saga.fixture.ts'

let world: SagaWorld
beforeAll(async () => {
  world = await openSagaWorld()
})
afterAll(async () => {
  await world.stop()
})
beforeEach(() => world.conditionsAre({}))

const spoil = (id: string, change: object) => world.mongo.collection('bookings').updateOne({ _id: id as never }, change)

describe('a damaged record', () => {
  test.each([
    ['without its price', { $unset: { charge: 1 } }],
    ['with a nonsense status', { $set: { state: 'NONSENSE', lastArrival: 'never' } }],
    ['without its date', { $unset: { createdAt: 1 } }],
    ['without passengers', { $set: { people: null } }],
    ['with an amount that is none', { $set: { 'offer.total_amount': 'lots' } }],
  ])('ABOOK-18: %s does not hide the other trips, is counted, and told by its id alone', async (_what, change) => {
    const user = visitor(world, { visitorId: `vis_${randomUUID()}`, userId: `usr_${randomUUID()}` })
    const sound = await user.book(newOffer())
    const damaged = await user.book(newOffer())
    await spoil(damaged.body.id, change)
    const counted = async () => (await world.metrics.unreadableBookings.get()).values[0]?.value ?? 0
    const [before, alarmsBefore] = [await counted(), world.alarms.length]
    expect((await user.list()).map(({ id }) => id)).toEqual([sound.body.id])
    expect(await counted()).toBe(before + 1)
    const told = world.alarms.slice(alarmsBefore)
    expect(told).toHaveLength(1)
    expect(told[0]).toContain(damaged.body.id)
    for (const secret of ['Moreau', 'ines@example.org', '19KL56147']) expect(told[0]).not.toContain(secret)
    expect((await user.read(damaged.body.id)).error).toMatchObject({ code: 'BOOKING_UNREADABLE', status: 503 })
    expect((await user.cancel(damaged.body.id)).error).toMatchObject({ code: 'BOOKING_UNREADABLE' })
    expect((await user.read(sound.body.id)).status).toBe(200)
  })
})

describe('who made a booking', () => {
  test('ABOOK-21, R-49: reads it for a day, before and after the sign-in that it brought; nobody else does', async () => {
    const { body } = await visitor(world, { visitorId: 'vis_guest' }).book(newOffer())
    const readers = [
      [{ visitorId: 'vis_guest' }, 200],
      [{ visitorId: 'vis_guest', userId: 'usr_new' }, 200],
      [{ visitorId: 'vis_other', userId: 'usr_other' }, 404],
      [{ visitorId: null }, 404],
      [{ visitorId: 'vis_admin', userId: 'usr_admin', isAdmin: true }, 200],
    ] as const
    for (const [identity, status] of readers) expect((await visitor(world, identity).read(body.id)).status).toBe(status)
    await world.store.attachUser(body.id, 'usr_new')
    world.advance(24 * 3600)
    expect((await visitor(world, { visitorId: 'vis_guest' }).read(body.id)).status).toBe(404)
    expect((await visitor(world, { visitorId: 'vis_elsewhere', userId: 'usr_new' }).read(body.id)).status).toBe(200)
  })

  test('TRIPS-23: finds it among the trips of the new account before it has joined; nobody else does, and not after a day', async () => {
    const guest = visitor(world)
    const { body } = await guest.book(newOffer())
    const tripsOf = async (identity: Parameters<typeof visitor>[1]) => (await visitor(world, identity).list()).map(({ id }) => id)
    const { visitorId } = guest.caller
    expect(await tripsOf({ visitorId, userId: 'usr_early' })).toEqual([body.id])
    for (const stranger of [
      { visitorId: 'vis_of_another', userId: 'usr_early' },
      { visitorId: null, userId: 'usr_early' },
    ])
      expect(await tripsOf(stranger)).toEqual([])
    await world.store.attachUser(body.id, 'usr_early')
    expect(await tripsOf({ visitorId: null, userId: 'usr_early' })).toEqual([body.id])
    expect(await tripsOf({ visitorId, userId: 'usr_of_another' })).toEqual([])
    const unjoined = await guest.book(newOffer(), { passengers: party({ email: 'late@example.org' }) })
    world.advance(24 * 3600)
    expect(await tripsOf({ visitorId, userId: 'usr_early' })).not.toContain(unjoined.body.id)
  })

  test('TRIPS-22, TRIPS-23: keeps the first, pending one when a second one brings an account: both join it', async () => {
    const guest = visitor(world)
    world.conditionsAre({ order: ['late'] })
    const pending = await guest.book(newOffer())
    world.conditionsAre({})
    const confirmed = await guest.book(newOffer(), { passengers: party({ email: 'INES@example.org' }) })
    const other = await guest.book(newOffer(), { passengers: party({ email: 'paul@example.org' }) })
    const stranger = await visitor(world).book(newOffer())
    await world.store.attachUser(confirmed.body.id, 'usr_of_ines')
    const listed = await visitor(world, { visitorId: null, userId: 'usr_of_ines' }).list()
    expect(listed.map(({ id }) => id).sort()).toEqual([pending.body.id, confirmed.body.id].sort())
    for (const { body } of [other, stranger]) expect((await world.byId(body.id)).userId).toBeNull()
    await world.store.attachUser(other.body.id, 'usr_of_paul')
    expect((await world.byId(pending.body.id)).userId).toBe('usr_of_ines')
    const ofPaul = await visitor(world, { visitorId: null, userId: 'usr_of_paul' }).list()
    expect(ofPaul.map(({ id }) => id)).toEqual([other.body.id])
  })
})

test('PAX-14: the ticket’s name is shown where it is not the one that was typed', async () => {
  const { body } = await visitor(world).book(newOffer(), {
    passengers: party({ firstName: 'Ines', lastName: 'Wolfeschlegelsteinhausen' }, { lastName: 'Moreau' }),
  })
  expect(body.bookingData.passengers.map(({ ticketName }) => ticketName)).toEqual([
    { given_name: 'Ines', family_name: 'Wolfeschlegelsteinha' },
    null,
    { given_name: 'Zoe', family_name: 'Moreau' },
  ])
})

describe('the documents', () => {
  const hashesOf = async (id: string) => {
    const { documents, documentKey, requestHash, passengersKey, furtherAttempts } = await world.byId(id)
    return { documents, documentKey, requestHash, passengersKey, furtherAttempts }
  }
  const nothing = { documents: null, documentKey: null, requestHash: null, passengersKey: null, furtherAttempts: [] }

  test('I13: are destroyed with every hash that was made of them, and the key of the attempt', async () => {
    const [ines, paul] = [visitor(world), visitor(world)]
    const [offerId, old, next] = [newOffer(), await ines.book(newOffer()), await paul.book(newOffer())]
    await ines.book(offerId)
    const landed = new Date(world.clock().getTime() - 31 * 86_400_000)
    const keys = await Promise.all([old, next].map(async ({ body }) => (await world.byId(body.id)).idempotencyKey))
    for (const { body } of [old, next]) await spoil(body.id, { $set: { lastArrival: landed } })
    await world.minute()
    for (const { body } of [old, next]) expect(await hashesOf(body.id)).toEqual(nothing)
    const left = await Promise.all([old, next].map(async ({ body }) => (await world.byId(body.id)).idempotencyKey))
    expect(new Set(left).size).toBe(2)
    for (const key of keys) expect(left).not.toContain(key)
  })

  test('are destroyed with names and addresses when their user is forgotten; amounts, reference and flights stay', async () => {
    const userId = `usr_${randomUUID()}`
    const user = visitor(world, { visitorId: `vis_${randomUUID()}`, userId })
    world.conditionsAre({ order: ['refused', 'made'] })
    const failed = await user.book(newOffer(), { key: 'fails' })
    expect(failed.error?.code).toBe('BOOKING_REFUSED')
    const { body } = await user.book(newOffer())
    const before = await world.byId(body.id)
    await world.store.forgetUser(userId)
    const after = await world.byId(body.id)
    expect(await hashesOf(body.id)).toEqual(nothing)
    for (const kept of ['reference', 'charge', 'supplierCharge', 'offer', 'orderId', 'paymentId'] as const)
      expect(after[kept]).toEqual(before[kept])
    expect(after.people.map(({ id, type }) => [id, type])).toEqual(before.people.map(({ id, type }) => [id, type]))
    const all = await world.mongo.collection('bookings').find({ visitorId: user.caller.visitorId }).toArray()
    expect(all).toEqual([])
    const text = JSON.stringify({ ...after, outbox: undefined })
    for (const secret of ['Moreau', 'Inès', 'Paul', 'ines@example.org', '+33', userId]) expect(text).not.toContain(secret)
    expect(JSON.stringify(await world.mongo.collection('bookings').find({ userId }).toArray())).toBe('[]')
    const { body: view, status } = await visitor(world, { userId: 'usr_admin', isAdmin: true }).read(body.id)
    expect([status, view.bookingReference]).toEqual([200, before.reference])
  })
})
