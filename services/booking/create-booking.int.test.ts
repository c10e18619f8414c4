/** How bookings come into the world: one ticket for the same people whoever asks, keys that are nobody else's, and holds that end. */
import { createHash, randomUUID } from 'node:crypto'
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

  test('R-26: somebody else is told that they are booked, and pays nothing', async () => {
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

describe('an idempotency key', () => {
  test('R-26: answers a repeat with the first booking, and another request with an error', async () => {
    const offerId = newOffer()
    const ines = visitor(world)
    const paymentId = world.hold(ines.caller.visitorId, offerId)
    const first = await ines.book(offerId, { key: 'key-1', paymentId })
    const again = await ines.book(offerId, { key: 'key-1', paymentId })
    expect([first.status, again.status, again.body.id]).toEqual([201, 200, first.body.id])
    expect((await ines.book(newOffer(), { key: 'key-1' })).error?.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('R-26: of one visitor never meets that of another, nor the account’s', async () => {
    const offers = [newOffer(), newOffer(), newOffer()]
    const callers = [{ visitorId: 'vis_a' }, { visitorId: 'vis_b' }, { visitorId: null, userId: 'usr_2' }]
    const answers = await Promise.all(
      callers.map((identity, i) =>
        visitor(world, identity).book(offers[i] ?? '', { key: 'one-key', passengers: party({ firstName: 'Eva' }) }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(3)
  })

  test('R-26: and the whole request of one visitor give another visitor no booking', async () => {
    const offerId = newOffer()
    const first = await visitor(world).book(offerId, { key: 'shared' }, 'card')
    const { error, body } = await visitor(world).book(offerId, { key: 'shared' }, 'card')
    expect(error?.code).toBe('BOOKING_EXISTS')
    expect(body).toEqual({})
    expect(first.status).toBe(201)
  })

  test('a request without visitor and account stands alone, with and without a key', async () => {
    const nobody = () => visitor(world, { visitorId: null, sessionId: null })
    for (const key of ['alone', null]) {
      const [one, two] = [
        await nobody().book(newOffer(), { key }),
        await nobody().book(newOffer(), { key, passengers: party({ firstName: 'Claire' }) }),
      ]
      expect([one.status, two.status]).toEqual([201, 201])
    }
  })

  test('without one a repeat word for word is recognised, and may be made again once it has failed', async () => {
    const offerId = newOffer()
    const ines = visitor(world)
    world.conditionsAre({ order: ['refused'] })
    expect((await ines.book(offerId, { key: null }, 'card')).error?.code).toBe('BOOKING_REFUSED')
    world.conditionsAre({})
    const second = await ines.book(offerId, { key: null }, 'card')
    const third = await ines.book(offerId, { key: null }, 'card')
    expect([second.status, third.status, third.body.id]).toEqual([201, 200, second.body.id])
  })

  test('a second attempt that was answered with the first one’s booking is answered so for ever', async () => {
    const offerId = newOffer()
    const ines = visitor(world)
    const first = await ines.book(offerId)
    const paymentId = world.hold(ines.caller.visitorId, offerId)
    expect((await ines.book(offerId, { key: 'second', paymentId })).body.id).toBe(first.body.id)
    await ines.cancel(first.body.id)
    expect((await ines.book(offerId, { key: 'second', paymentId })).body).toMatchObject({ id: first.body.id, status: 'cancelled' })
    expect((await ines.book(offerId, { key: 'second' })).error?.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('I13: neither it nor the passengers can be guessed from what is stored', async () => {
    const key = randomUUID()
    const { body } = await visitor(world).book(newOffer(), { key })
    const { idempotencyKey, requestHash, passengersKey } = await world.byId(body.id)
    const sha = (text: string, encoding: 'hex' | 'base64url') => createHash('sha256').update(text).digest(encoding)
    for (const stored of [idempotencyKey, requestHash, passengersKey]) {
      expect(stored).toMatch(/^[\w-]{43}$/)
      expect([key, sha(key, 'hex'), sha(key, 'base64url')]).not.toContain(stored)
    }
  })
})

describe('what came of an attempt', () => {
  const outcomeOf = async (who: ReturnType<typeof visitor>, key: string) =>
    (await who.attempt(key)) as { outcome: string; booking: { id: string } | null; failure: unknown }

  test('is told to the visitor who made it: confirmed, then cancelled', async () => {
    const ines = visitor(world)
    const { body } = await ines.book(newOffer(), { key: 'mine' })
    expect(await outcomeOf(ines, 'mine')).toMatchObject({ outcome: 'confirmed', booking: { id: body.id }, failure: null })
    await ines.cancel(body.id)
    expect(await outcomeOf(ines, 'mine')).toMatchObject({ outcome: 'cancelled', failure: null })
  })

  test('is pending while the airline has not answered, and failed with its reason when it refuses', async () => {
    const ines = visitor(world)
    world.conditionsAre({ order: ['late'] })
    await ines.book(newOffer(), { key: 'late' })
    expect(await outcomeOf(ines, 'late')).toMatchObject({ outcome: 'pending' })
    world.conditionsAre({ order: ['refused'] })
    await ines.book(newOffer(), { key: 'refused' })
    expect(await outcomeOf(ines, 'refused')).toMatchObject({
      outcome: 'failed',
      failure: { code: 'BOOKING_REFUSED', message: 'Unable to create booking: the name is too long Your card was not charged.' },
    })
  })

  test('is nothing for an attempt that led to none, and for everybody else', async () => {
    const [ines, other] = [visitor(world), visitor(world)]
    world.conditionsAre({ price: 'gone' })
    await ines.book(newOffer(), { key: 'gone' })
    world.conditionsAre({})
    await ines.book(newOffer(), { key: 'there' })
    for (const [who, key] of [
      [ines, 'gone'],
      [other, 'there'],
      [visitor(world, { visitorId: null }), 'there'],
    ] as const)
      expect(await outcomeOf(who, key)).toEqual({ outcome: 'none', booking: null, failure: null })
  })

  test('is found after the sign-in that the booking brought, and by the account that made it', async () => {
    const guest = visitor(world, { visitorId: 'vis_stays' })
    const { body } = await guest.book(newOffer(), { key: 'before-sign-in' })
    const signedIn = visitor(world, { visitorId: 'vis_stays', userId: 'usr_new' })
    expect(await outcomeOf(signedIn, 'before-sign-in')).toMatchObject({ booking: { id: body.id } })
    const account = await visitor(world, { visitorId: null, userId: 'usr_9' }).book(newOffer(), { key: 'by-account' })
    const later = visitor(world, { visitorId: 'vis_later', userId: 'usr_9' })
    expect(await outcomeOf(later, 'by-account')).toMatchObject({ booking: { id: account.body.id } })
  })

  test('of a second tab is the booking of the first', async () => {
    const offerId = newOffer()
    const ines = visitor(world)
    const first = await ines.book(offerId, { key: 'tab-1' })
    await ines.book(offerId, { key: 'tab-2' })
    expect(await outcomeOf(ines, 'tab-2')).toMatchObject({ outcome: 'confirmed', booking: { id: first.body.id } })
  })

  test('stays nothing when the preparation took too long: nothing is stored any more, and the hold is voided', async () => {
    const offerId = newOffer()
    const ines = visitor(world)
    const { context } = world.worker()
    const { payment } = context
    context.payment = (caller) => {
      const calls = payment(caller)
      return {
        ...calls,
        getPayment: async (input) => {
          const found = await calls.getPayment(input)
          world.advance(41)
          return found
        },
        release: calls.release,
      }
    }
    const { error } = await ines.book(offerId, { key: 'too-late', context })
    expect(error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', message: expect.stringMatching(/^Unable to create booking: .*not charged\.$/) })
    expect(await outcomeOf(ines, 'too-late')).toMatchObject({ outcome: 'none' })
    expect(ledgerOf(world, offerId, []).holds).toEqual(['released'])
  })

  test('stays nothing when a service hangs: the visitor is answered, and a card that comes along is not charged afterwards', async () => {
    const offerId = newOffer()
    const ines = visitor(world)
    const { context, stopped, wake } = world.worker({ at: 'search.quote', when: 'after', how: 'sleeps' })
    context.prepareWithinMs = 50
    const booked = ines.book(offerId, { key: 'hangs', context }, 'card').catch((error: Error) => error)
    await stopped
    expect(await booked).toMatchObject({ name: 'DeadlineError' })
    world.advance(1)
    wake()
    // The next request's answer comes after what the woken one still does.
    expect((await ines.book(newOffer())).status).toBe(201)
    expect(await outcomeOf(ines, 'hangs')).toMatchObject({ outcome: 'none' })
    expect(ledgerOf(world, offerId, []).holds).toEqual([])
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
