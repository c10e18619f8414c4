/** Checkout attempts: keys that belong to one visitor, and what became of an attempt whose answer was lost. */
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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

  test('is shown to the visitor who made it: confirmed, then cancelled', async () => {
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
