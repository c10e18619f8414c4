import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ledgerOf, newOffer, party, visitor } from './checkout.fixture.ts'
import { openSagaWorld, type SagaWorld } from './saga.fixture.ts'

let world: SagaWorld
beforeAll(async () => {
  world = await openSagaWorld()
})
afterAll(async () => {
  await world.stop()
})
beforeEach(() => world.conditionsAre({}))

test('the history of a booking begins with the request', async () => {
  const { body } = await visitor(world).book(newOffer())
  const { history = [] } = await world.byId(body.id)
  expect(history.map(({ state }) => state)).toEqual(['REQUESTED', 'ORDERING', 'ORDERED', 'CONFIRMED'])
})

const others = (count: number, state: string) => Array.from({ length: count }, () => state)

describe('the same passengers on the same offer', () => {
  test.each([['with holds of their own'], ['with cards that come along']])(
    'R-26: of parallel calls of one visitor with different keys, %s, one orders and is paid; the others get its booking',
    async (how) => {
      const offerId = newOffer()
      const ines = visitor(world)
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => ines.book(offerId, {}, how === 'with cards that come along' ? 'card' : undefined)),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201])
      const ids = [...new Set(answers.map(({ body }) => body.id))]
      expect(ids).toHaveLength(1)
      const { orders, holds } = ledgerOf(world, offerId, ids)
      expect(orders).toBe(1)
      expect(holds.filter((state) => state === 'captured')).toHaveLength(1)
      expect(holds.filter((state) => state === 'authorised')).toEqual([])
    },
  )

  test('R-26: paying again after going back is answered with the booking, and the second hold is voided at once', async () => {
    const offerId = newOffer()
    const ines = visitor(world)
    const first = await ines.book(offerId)
    const again = await ines.book(offerId)
    expect([first.status, again.status, again.body.id]).toEqual([201, 200, first.body.id])
    expect(ledgerOf(world, offerId, [first.body.id])).toEqual({ orders: 1, holds: ['captured', 'released'] })
  })

  test('R-26: a card that comes along is not charged when they are booked already', async () => {
    const offerId = newOffer()
    const ines = visitor(world)
    const first = await ines.book(offerId)
    expect((await ines.book(offerId, {}, 'card')).body.id).toBe(first.body.id)
    expect(ledgerOf(world, offerId, [first.body.id]).holds).toEqual(['captured'])
  })

  test('R-26: a retry under a new key after "pending" gets the pending booking', async () => {
    world.conditionsAre({ order: ['late'] })
    const offerId = newOffer()
    const ines = visitor(world)
    const first = await ines.book(offerId)
    const again = await ines.book(offerId)
    expect([first.status, again.status, again.body.id]).toEqual([202, 202, first.body.id])
    expect(await world.rest(first.body.id)).toMatchObject({ state: 'CONFIRMED' })
    expect(ledgerOf(world, offerId, [first.body.id])).toEqual({ orders: 1, holds: ['captured', 'released'] })
  })

  test('R-26: somebody else learns that they are booked, and pays nothing', async () => {
    const offerId = newOffer()
    const first = await visitor(world).book(offerId)
    const { status, error } = await visitor(world).book(offerId)
    expect(status).toBe(409)
    expect(error).toMatchObject({
      code: 'BOOKING_EXISTS',
      message: 'These passengers are already booked on this flight.',
      details: { bookingId: first.body.id },
    })
    expect(ledgerOf(world, offerId, [first.body.id])).toEqual({ orders: 1, holds: ['captured', 'released'] })
  })

  test('R-26: of parallel calls of different visitors one books, and the others pay nothing', async () => {
    const offerId = newOffer()
    const answers = await Promise.all(Array.from({ length: 5 }, () => visitor(world).book(offerId)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    expect(ledgerOf(world, offerId, [answers.find(({ status }) => status === 201)?.body.id])).toEqual({
      orders: 1,
      holds: ['captured', ...others(4, 'released')],
    })
  })

  test('the same account on another device gets its booking', async () => {
    const offerId = newOffer()
    const first = await visitor(world, { visitorId: 'vis_phone', userId: 'usr_1' }).book(offerId)
    const again = await visitor(world, { visitorId: 'vis_laptop', userId: 'usr_1' }).book(offerId)
    expect([again.status, again.body.id]).toEqual([200, first.body.id])
  })

  test('are the same people however their names are typed and in whatever order they come', async () => {
    const offerId = newOffer()
    const ines = visitor(world)
    const first = await ines.book(offerId)
    const [lead = {}, child = {}, infant = {}] = party({ firstName: ' INES ', lastName: 'moreau', email: 'Ines@Example.org' })
    const again = await ines.book(offerId, { passengers: [lead, infant, child] })
    expect(again.body.id).toBe(first.body.id)
  })

  test('ABOOK-31, R-109: two different parties on one offer both book', async () => {
    const offerId = newOffer()
    const [one, two] = [
      await visitor(world).book(offerId),
      await visitor(world).book(offerId, { passengers: party({ firstName: 'Claire' }) }),
    ]
    expect([one.status, two.status]).toEqual([201, 201])
    expect(ledgerOf(world, offerId, [one.body.id, two.body.id])).toEqual({ orders: 2, holds: ['captured', 'captured'] })
  })

  test('ABOOK-15: a booking that failed, or was cancelled, is no reason against another', async () => {
    const offerId = newOffer()
    const ines = visitor(world)
    world.conditionsAre({ order: ['refused'] })
    expect((await ines.book(offerId)).error?.code).toBe('BOOKING_REFUSED')
    world.conditionsAre({})
    const second = await ines.book(offerId)
    expect(second.status).toBe(201)
    expect((await ines.cancel(second.body.id)).body).toMatchObject({ status: 'cancelled' })
    expect((await ines.book(offerId)).status).toBe(201)
  })
})

describe('a hold', () => {
  test('is voided at once when the offer is gone', async () => {
    world.conditionsAre({ price: 'gone' })
    const offerId = newOffer()
    expect((await visitor(world).book(offerId)).error?.code).toBe('OFFER_EXPIRED')
    expect(ledgerOf(world, offerId, []).holds).toEqual(['released'])
  })

  test('of somebody else is never voided, and pays for nothing', async () => {
    const offerId = newOffer()
    const paymentId = world.hold('vis_somebody_else', offerId)
    expect((await visitor(world).book(offerId, { paymentId })).error?.code).toBe('PAYMENT_UNKNOWN')
    world.conditionsAre({ price: 'gone' })
    expect((await visitor(world).book(offerId, { paymentId })).error?.code).toBe('OFFER_EXPIRED')
    expect(world.payments.get(paymentId)).toMatchObject({ state: 'authorised', bookingId: null })
  })

  test('is left to the sweep when nobody can tell whose it is, and one that was just made from a card is voided', async () => {
    const offerId = newOffer()
    const nobody = visitor(world, { visitorId: null, sessionId: null })
    const first = await visitor(world).book(offerId)
    const paymentId = world.hold('vis_somebody_else', offerId)
    expect((await nobody.book(offerId, { paymentId })).error?.code).toBe('BOOKING_EXISTS')
    expect(world.payments.get(paymentId)).toMatchObject({ state: 'authorised' })
    const raced = newOffer()
    const answers = await Promise.all([nobody.book(raced, {}, 'card'), nobody.book(raced, {}, 'card')])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(ledgerOf(world, raced, []).holds.filter((state) => state === 'authorised')).toEqual([])
    expect(first.status).toBe(201)
  })

  test('C6: of a booking that has not claimed it yet is not voided by a second request with it', async () => {
    const offerId = newOffer()
    const ines = visitor(world)
    const paymentId = world.hold(ines.caller.visitorId, offerId)
    const { context, stopped, wake } = world.worker({ at: 'payment.claim', when: 'before', how: 'sleeps' })
    const first = ines.book(offerId, { paymentId, context })
    await stopped
    world.conditionsAre({ price: 'gone' })
    const other = await ines.book(offerId, { paymentId, passengers: party({ firstName: 'Claire' }) })
    expect(other.error?.code).toBe('OFFER_EXPIRED')
    expect(world.payments.get(paymentId)).toMatchObject({ state: 'authorised' })
    wake()
    expect((await first).status).toBe(201)
  })

  test('ABOOK-08: a card that comes along is not charged for passengers that the airline would refuse', async () => {
    const offerId = newOffer()
    const { error } = await visitor(world).book(offerId, { passengers: party({ passportNumber: undefined }) }, 'card')
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', message: 'Passport number must be at least 5 characters' })
    expect(ledgerOf(world, offerId, []).holds).toEqual([])
  })

  test('R-33: a seat that is gone when the offer is read is named', async () => {
    world.conditionsAre({ price: 'seat-taken' })
    const { error } = await visitor(world).book(newOffer(), { seats: [{ passengerId: 'pas_1', segmentId: 'seg_1_1', seatId: '12A' }] })
    expect(error).toMatchObject({
      code: 'SEAT_UNAVAILABLE',
      message: 'Seat 12A has just been taken. Please choose another seat.',
      details: { seats: [{ seatId: '12A', segmentId: 'seg_1_1', passengerId: 'pas_1' }] },
    })
  })
})

test('R-25: the answer "pending" comes after one deadline for the whole request', async () => {
  const { context, stopped, wake } = world.worker({ at: 'airline.order', when: 'before', how: 'sleeps' })
  context.answerWithinMs = 50
  const booked = visitor(world).book(newOffer(), { context })
  await stopped
  world.advance(1)
  const { status, body } = await booked
  expect([status, body.status]).toEqual([202, 'pending'])
  wake()
  await vi.waitFor(async () => expect((await world.byId(body.id)).state).toBe('CONFIRMED'))
})
