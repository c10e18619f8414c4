/** The calls of the booking service: one hold per key, one booking per hold, and captures and voids that may be repeated. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bookingCalls, charge, newBooking } from './booking-calls.fixture.ts'
import { card, newKey, type PaymentFixture, startPaymentFixture } from './payment.fixture.ts'

let payments: PaymentFixture
beforeAll(async () => {
  payments = await startPaymentFixture({ STRIPE_TIMEOUT_MS: '500' })
})
afterEach(() => payments.simulator.clearFaults())
afterAll(() => payments.stop())

const { authorised, claimed, captured, intentOf } = bookingCalls(() => payments)

describe('a booking that brings its card along', () => {
  test('R-21: one key holds once, whoever asks at the same time', async () => {
    const request = { key: newKey(), charge, offerId: 'off_paris', cardDetails: card() }
    const answers = await Promise.all(Array.from({ length: 20 }, () => payments.authorise(request)))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers[0]?.body).toMatchObject({ state: 'authorised', amountMinor: 27_400, offerId: 'off_paris', bookingId: null })
    expect(await payments.simulator.intentsOf(answers[0]?.body.id)).toHaveLength(1)
  })

  test('PAY-14: a decline frees the key, so that another card can pay for the same booking', async () => {
    const key = newKey()
    const poor = await payments.authorise({ key, charge, offerId: 'off_paris', cardDetails: card('4000000000009995') })
    expect([poor.status, poor.body.error, poor.body.message]).toEqual([402, 'CARD_DECLINED', 'Your card has insufficient funds.'])
    const rich = await payments.authorise({ key, charge, offerId: 'off_paris', cardDetails: card() })
    expect([rich.status, rich.body.state]).toEqual([200, 'authorised'])
  })

  test('another charge under the same key is refused', async () => {
    const key = newKey()
    await payments.authorise({ key, charge, offerId: 'off_paris', cardDetails: card() })
    const other = await payments.authorise({
      key,
      charge: { amount: '275.00', currency: 'EUR' },
      offerId: 'off_paris',
      cardDetails: card(),
    })
    expect([other.status, other.body.error]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  })
})

describe('claiming', () => {
  test('one booking gets the payment, again and again; another one learns which booking has it', async () => {
    const { id, bookingId } = await claimed()
    expect((await payments.claim(id, bookingId)).body).toMatchObject({ bookingId, state: 'authorised' })
    const other = await payments.claim(id, newBooking())
    expect([other.status, other.body.error, other.body.details]).toEqual([409, 'PAYMENT_NOT_USABLE', { bookingId }])
  })

  test('twenty bookings at once: one wins', async () => {
    const id = await authorised()
    const answers = await Promise.all(Array.from({ length: 20 }, () => payments.claim(id, newBooking())))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('a booking has one payment', async () => {
    const { bookingId } = await claimed()
    expect((await payments.claim(await authorised(), bookingId)).body.error).toBe('PAYMENT_NOT_USABLE')
  })

  test('a payment that nobody knows is refused', async () => {
    expect((await payments.read('pay_none')).body.error).toBe('PAYMENT_UNKNOWN')
    expect((await payments.claim('pay_none', newBooking())).body.error).toBe('PAYMENT_UNKNOWN')
  })
})

describe('capture', () => {
  test('takes the amount once, however often it is asked', async () => {
    const { id } = await claimed()
    const answers = await Promise.all([payments.capture(id), payments.capture(id), payments.capture(id)])
    answers.push(await payments.capture(id))
    expect(answers.map(({ status, body }) => [status, body.state])).toEqual(Array(4).fill([200, 'captured']))
    expect(await intentOf(id)).toMatchObject({ status: 'succeeded', captured: 27_400 })
  })

  test('C13: a capture that was made and never recorded is recognised', async () => {
    const { id } = await claimed()
    await payments.simulator.fault({ match: { path: '*/capture' }, effect: 'reset-after-commit' })
    await payments.simulator.fault({ match: { method: 'GET' }, effect: 'status', status: 503 })
    expect((await payments.capture(id)).body.error).toBe('PAYMENT_UNAVAILABLE')
    await payments.simulator.clearFaults()
    expect((await payments.capture(id)).body.state).toBe('captured')
    expect(await intentOf(id)).toMatchObject({ captured: 27_400 })
  })

  test('a failure that the provider would repeat for a day does not stand in the way of the next try', async () => {
    const { id } = await claimed()
    await payments.simulator.bringAbout({ case: 'stored-error' })
    expect((await payments.capture(id)).body.error).toBe('PAYMENT_UNAVAILABLE')
    expect((await payments.capture(id)).body.state).toBe('captured')
  })

  test('C14: a hold that the bank gave up cannot be captured', async () => {
    const { id } = await claimed()
    await payments.simulator.bringAbout({ case: 'expire-hold', paymentIntent: (await intentOf(id)).id })
    const { status, body } = await payments.capture(id)
    expect([status, body.error]).toEqual([409, 'PAYMENT_NOT_USABLE'])
    expect((await payments.read(id)).body.state).toBe('expired')
  })

  test('nothing is captured without a booking', async () => {
    const id = await authorised()
    expect((await payments.capture(id)).body.error).toBe('PAYMENT_NOT_USABLE')
    expect(await intentOf(id)).toMatchObject({ captured: 0 })
  })

  test('a provider that hangs is an unknown outcome, never a success', async () => {
    const { id } = await claimed()
    await payments.simulator.fault({ match: { path: '*/capture' }, effect: 'hang' })
    expect((await payments.capture(id)).body.error).toBe('PAYMENT_UNAVAILABLE')
    await payments.simulator.clearFaults()
    expect((await payments.capture(id)).body.state).toBe('captured')
  })
})

describe('release', () => {
  test('voids the hold once, however often it is asked', async () => {
    const { id } = await claimed()
    const answers = await Promise.all([payments.release(id), payments.release(id)])
    answers.push(await payments.release(id))
    expect(answers.map(({ body }) => body.state)).toEqual(Array(3).fill('voided'))
    expect(await intentOf(id)).toMatchObject({ status: 'canceled', capturable: 0 })
    expect((await payments.capture(id)).body.error).toBe('PAYMENT_NOT_USABLE')
  })

  test('a captured payment cannot be released', async () => {
    const { id } = await captured()
    expect((await payments.release(id)).body.error).toBe('PAYMENT_NOT_USABLE')
    expect((await payments.read(id)).body.state).toBe('captured')
  })

  test('a hold that could not be voided now is voided later, and captured never', async () => {
    const { id } = await claimed()
    await payments.simulator.fault({ match: { path: '*/cancel' }, effect: 'status', status: 503 })
    expect((await payments.release(id)).body.error).toBe('PAYMENT_UNAVAILABLE')
    expect((await payments.capture(id)).body.error).toBe('PAYMENT_NOT_USABLE')
    await payments.simulator.clearFaults()
    expect((await payments.release(id)).body.state).toBe('voided')
  })
})
