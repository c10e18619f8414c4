import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { card, newKey, type PaymentFixture, startPaymentFixture } from './payment.fixture.ts'
import { SEAT_PRICE } from './search.fixture.ts'

let payments: PaymentFixture

beforeAll(async () => {
  payments = await startPaymentFixture()
})
afterAll(async () => {
  await payments.stop()
})

const plain = { amount: 274, currency: 'EUR', cardDetails: card() }
const paris = { amount: '274.00', currency: 'EUR', offerId: 'off_paris' }
const seat = { passengerId: 'pas_1', seatId: '12A', segmentId: 'seg_1_1' }

describe('a card that is good', () => {
  test('APAY-01, APAY-03: a guest without a session holds the amount and gets a payment id', async () => {
    const { status, body } = await payments.pay(plain, null, { sessionId: null })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, paymentId: expect.stringMatching(/^pay_/) })
    expect(await payments.simulator.intentsOf(body.paymentId)).toMatchObject([
      { status: 'requires_capture', amount: 27_400, currency: 'eur', captureMethod: 'manual', captured: 0 },
    ])
  })

  test('APAY-01: the payment is recorded with its hold', async () => {
    const { body } = await payments.pay(plain)
    expect((await payments.read(String(body.paymentId))).body).toEqual({
      id: body.paymentId,
      state: 'authorised',
      amountMinor: 27_400,
      currency: 'EUR',
      mode: 'test',
      offerId: null,
      bookingId: null,
      refundedMinor: 0,
      cardLast4: '4242',
    })
  })

  test('a payment method of the hosted fields pays too', async () => {
    const { status, body } = await payments.pay({ amount: '12.50', currency: 'usd', paymentMethodId: 'pm_card_mastercard' })
    expect(status).toBe(200)
    expect((await payments.read(String(body.paymentId))).body).toMatchObject({ amountMinor: 1250, currency: 'USD', cardLast4: '4444' })
  })
})

describe('a card that is declined', () => {
  const cases: [number: string, message: string][] = [
    ['4000000000000002', 'Your card was declined.'],
    ['4000000000009995', 'Your card has insufficient funds.'],
    ['4000000000009987', 'Your card was declined.'],
    ['4000000000009979', 'Your card was declined.'],
    ['4000000000006975', 'Your card was declined.'],
    ['4000000000000069', 'Your card has expired.'],
    ['4000000000000127', "Your card's security code is incorrect."],
    ['4000000000000119', 'An error occurred while processing your card. Please try again in a moment.'],
    ['4000002760003184', 'Your bank asks for a confirmation that is not possible here. Please use another card.'],
  ]
  test.each(cases)('APAY-04, APAY-08: %s is answered 402 with a safe text', async (number, message) => {
    const { status, body } = await payments.pay({ ...plain, cardDetails: card(number) })
    expect(status).toBe(402)
    expect(body).toEqual({ success: false, error: 'CARD_DECLINED', message, requestId: 'test-request' })
  })

  test('R-20: a test card is declined in live mode', async () => {
    const { status, body } = await payments.pay(plain, newKey(), { mode: 'live' })
    expect([status, body.error]).toEqual([402, 'CARD_DECLINED'])
  })

  test('R-26: the decline is the answer to that key, whatever comes after; a new key may try another card', async () => {
    const key = newKey()
    const poor = { ...plain, cardDetails: card('4000000000009995') }
    const first = await payments.pay(poor, key)
    const again = await payments.pay(poor, key)
    expect(again.body).toEqual(first.body)
    expect((await payments.pay(plain, newKey())).status).toBe(200)
  })
})

describe('a card that is not taken at all', () => {
  const refused: [what: string, change: object, path: string, message: string][] = [
    ['too short a number', { number: '424242424242' }, 'cardDetails.number', 'Please enter a valid card number'],
    ['a number failing Luhn', { number: '4242424242424241' }, 'cardDetails.number', 'The card number you entered is not valid'],
    ['month 13', { expiryMonth: '13' }, 'cardDetails.expiryMonth', 'Please enter a valid expiration date'],
    ['a past year', { expiryYear: '20' }, 'cardDetails.expiryMonth', 'Please enter a valid expiration date'],
    ['a CVV of two digits', { cvv: '12' }, 'cardDetails.cvv', 'Please enter a valid security code (CVV)'],
    ['a short name', { holderName: ' Al ' }, 'cardDetails.holderName', 'Please enter the name as it appears on your card'],
  ]
  test.each(refused)('APAY-02: %s is refused as in the form', async (_what, change, path, message) => {
    const { status, body } = await payments.pay({ ...plain, cardDetails: { ...card(), ...change } })
    expect([status, body.error, body.issues]).toEqual([400, 'VALIDATION_ERROR', [{ path, message }]])
  })

  test('APAY-02: neither card nor payment method, or both, is refused', async () => {
    const neither = await payments.pay({ amount: 274, currency: 'EUR' })
    const both = await payments.pay({ ...plain, paymentMethodId: 'pm_card_visa' })
    expect([neither.status, neither.body.issues?.[0]?.path]).toEqual([400, 'cardDetails'])
    expect([both.status, both.body.issues?.[0]?.path]).toEqual([400, 'paymentMethodId'])
  })

  test('R-22: in test mode any number that is not a published test number is refused before anything is sent', async () => {
    const before = (await payments.simulator.ledger()).counts.intents
    const { status, body } = await payments.pay({ ...plain, cardDetails: card('4916338506082832') })
    expect([status, body.error]).toEqual([422, 'CARD_NOT_ACCEPTED'])
    expect((await payments.simulator.ledger()).counts.intents).toBe(before)
  })

  test('PAY-23: in live mode a raw number is refused', async () => {
    const { status, body } = await payments.pay({ ...plain, cardDetails: card('4916338506082832') }, newKey(), { mode: 'live' })
    expect([status, body.error]).toEqual([422, 'RAW_CARD_REFUSED'])
  })

  test('live mode without a key of the provider holds nothing and never pretends', async () => {
    const { status, body } = await payments.pay({ amount: 274, currency: 'EUR', paymentMethodId: 'pm_1LiveOne' }, newKey(), {
      mode: 'live',
    })
    expect([status, body.error]).toEqual([503, 'PAYMENT_UNAVAILABLE'])
  })

  test('a payment method that the provider does not know is a decline', async () => {
    const { status, body } = await payments.pay({ amount: 274, currency: 'EUR', paymentMethodId: 'pm_1Unknown' })
    expect([status, body.error]).toEqual([402, 'CARD_DECLINED'])
  })
})

describe('the amount', () => {
  test.each([0, -5, 'abc', '1e3', '', null])('APAY-06: %j is refused', async (amount) => {
    expect((await payments.pay({ ...plain, amount })).status).toBe(400)
  })

  test('APAY-06: an amount that the currency or the provider cannot hold is refused with its reason', async () => {
    const refused = async (amount: string, currency: string) =>
      (await payments.pay({ ...plain, amount, currency })).body.issues?.[0]?.message
    expect(await refused('10.001', 'EUR')).toBe('The payment amount is not valid: EUR has 2 decimals')
    expect(await refused('100.5', 'JPY')).toBe('The payment amount is not valid: JPY has 0 decimals')
    expect(await refused('0.49', 'EUR')).toBe('The payment amount is too small')
    expect(await refused('9999999.99', 'EUR')).toBe('The payment amount is not accepted')
    expect(await refused('10.00', 'QQQ')).toBe('The payment currency is not accepted')
    expect(await refused('10.000', 'LYD')).toBe('The payment currency is not accepted')
  })

  test('APAY-06, R-15: what is not the price of the offer is refused with the expected price', async () => {
    for (const wrong of [{ amount: '1' }, { amount: '273.49' }, { currency: 'USD' }, { seats: [seat] }]) {
      const { status, body } = await payments.pay({ ...plain, ...paris, ...wrong })
      expect([status, body.error]).toEqual([422, 'PAYMENT_AMOUNT_MISMATCH'])
      expect(body.details).toEqual({ amount: 'seats' in wrong ? '304.00' : '274.00', currency: 'EUR' })
    }
  })

  test('a price that has moved since the visitor saw it is refused as such, with the new price', async () => {
    const { status, body } = await payments.pay({ ...plain, ...paris, offerId: 'off_dearer' })
    expect([status, body.error, body.details]).toEqual([409, 'PRICE_CHANGED', { amount: '290.00', currency: 'EUR' }])
  })

  test('R-15: the server holds its own figure for the offer with its seats', async () => {
    const { body } = await payments.pay({
      ...plain,
      ...paris,
      amount: '304',
      seats: [{ ...seat, price: { amount: SEAT_PRICE, currency: 'EUR' } }],
    })
    expect((await payments.read(String(body.paymentId))).body).toMatchObject({ amountMinor: 30_400, offerId: 'off_paris' })
  })

  test.each([
    ['off_tokyo', '30123', 'JPY', 30_123, 30_123],
    ['off_reykjavik', '21500', 'ISK', 21_500, 2_150_000],
    ['off_kuwait', '95', 'KWD', 95_000, 95_000],
  ])('R-13: %s is held as %s %s', async (offerId, amount, currency, minor, atProvider) => {
    const { body } = await payments.pay({ ...plain, offerId, amount, currency })
    expect((await payments.read(String(body.paymentId))).body).toMatchObject({ amountMinor: minor, currency })
    expect(await payments.simulator.intentsOf(body.paymentId)).toMatchObject([{ amount: atProvider, currency: currency.toLowerCase() }])
  })

  test('R-24: an offer that has expired or gone, and a seat that is taken, are refused before anything is held', async () => {
    const before = (await payments.simulator.ledger()).counts.intents
    payments.search.expire('off_old')
    const answers = [
      await payments.pay({ ...plain, ...paris, offerId: 'off_old' }),
      await payments.pay({ ...plain, ...paris, offerId: 'off_none' }),
      await payments.pay({ ...plain, ...paris, seats: [{ ...seat, seatId: '99Z' }] }),
      await payments.pay({ ...plain, ...paris, offerId: 'off_live' }),
    ]
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [410, 'OFFER_EXPIRED'],
      [404, 'OFFER_NOT_FOUND'],
      [409, 'SEAT_UNAVAILABLE'],
      [410, 'OFFER_EXPIRED'],
    ])
    expect((await payments.simulator.ledger()).counts.intents).toBe(before)
  })
})

describe('the idempotency key', () => {
  test('APAY-05, R-26: twenty submits at once and one more later hold the amount once and get one answer', async () => {
    const key = newKey()
    const before = (await payments.simulator.ledger()).counts.authorisations
    const answers = await Promise.all(Array.from({ length: 20 }, () => payments.pay(plain, key)))
    answers.push(await payments.pay(plain, key))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.paymentId}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(answers.at(-1)?.headers.get('idempotent-replayed')).toBe('true')
    expect((await payments.simulator.ledger()).counts.authorisations).toBe(before + 1)
  })

  test('APAY-05: the answer is repeated without asking for the price again, even when the offer has expired since', async () => {
    const key = newKey()
    const body = { ...plain, offerId: 'off_kuwait', amount: '95', currency: 'KWD' }
    const first = await payments.pay(body, key)
    payments.search.expire('off_kuwait')
    expect((await payments.pay(body, key)).body).toEqual(first.body)
  })

  test('another amount or offer under the same key is refused, the same amount written differently is not', async () => {
    const key = newKey()
    const first = await payments.pay({ ...plain, amount: '274.00' }, key)
    expect((await payments.pay({ ...plain, amount: 274 }, key)).body).toEqual(first.body)
    for (const other of [{ amount: '275' }, { currency: 'USD' }, { offerId: 'off_paris' }]) {
      const { status, body } = await payments.pay({ ...plain, ...other }, key)
      expect([status, body.error]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    }
  })

  test("one visitor's key means nothing for another visitor", async () => {
    const key = newKey()
    const mine = await payments.pay(plain, key, { visitorId: 'one' })
    const theirs = await payments.pay(plain, key, { visitorId: 'two' })
    expect(theirs.body.paymentId).not.toBe(mine.body.paymentId)
  })

  test('R-26: a visitor who signs in between two submits is still the same visitor', async () => {
    const key = newKey()
    const guest = await payments.pay(plain, key, { visitorId: 'three', sessionId: 'before' })
    const user = await payments.pay(plain, key, { visitorId: 'three', sessionId: 'after', userId: 'u_3' })
    expect(user.body).toEqual(guest.body)
  })

  test('without a key every request is a payment of its own', async () => {
    const one = await payments.pay(plain, null)
    const two = await payments.pay(plain, null)
    expect(two.body.paymentId).not.toBe(one.body.paymentId)
  })
})
