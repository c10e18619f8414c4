/** Whose hold it is when the booking service passes a visitor on. */
import type { Caller } from '@passerelle/kit/auth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { card, newKey, type PaymentFixture, SYSTEM, startPaymentFixture } from './payment.fixture.ts'

let payments: PaymentFixture
beforeAll(async () => {
  payments = await startPaymentFixture()
})
afterAll(() => payments.stop())

const plain = { amount: '274.00', currency: 'EUR', cardDetails: card() }
/** As the booking service passes a visitor's caller on. */
const asked = (about: Partial<Caller>): Partial<Caller> => ({ actor: 'booking', ip: '203.0.113.9', ...about })
const ines = { visitorId: 'v_ines', sessionId: 's_ines' }
const eve = asked({ visitorId: 'v_eve', sessionId: 's_eve' })
const withoutSession = asked({ visitorId: null, sessionId: null })

async function hold(caller: Partial<Caller> = ines): Promise<string> {
  const { status, body } = await payments.pay(plain, newKey(), caller)
  expect(status).toBe(200)
  return String(body.paymentId)
}

describe("ABOOK-13: another visitor's hold", () => {
  test.each([
    ['another visitor', eve],
    ['another user', { ...eve, userId: 'u_eve' }],
    ['a visitor without a session', withoutSession],
  ])('is unknown to %s, who can neither read, claim, capture nor release it', async (_who, caller) => {
    const id = await hold()
    const answers = [
      await payments.read(id, caller),
      await payments.claim(id, 'bk_eve', caller),
      await payments.capture(id, caller),
      await payments.release(id, caller),
    ]
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(Array(4).fill([422, 'PAYMENT_UNKNOWN']))
    expect((await payments.read(id)).body).toMatchObject({ state: 'authorised', bookingId: null })
  })

  test('that a booking brought its card along for is the hold of the visitor who sent that booking', async () => {
    const charge = { amount: '274.00', currency: 'EUR' }
    const { body } = await payments.authorise({ key: newKey(), charge, offerId: 'off_paris', cardDetails: card() }, asked(ines))
    expect((await payments.read(body.id, eve)).body.error).toBe('PAYMENT_UNKNOWN')
    expect((await payments.read(body.id, asked(ines))).body.state).toBe('authorised')
  })
})

describe('a hold is used by its owner', () => {
  test('in a later session of the same browser', async () => {
    const id = await hold()
    const later = asked({ visitorId: 'v_ines', sessionId: 's_later', userId: 'u_ines' })
    expect((await payments.read(id, later)).body).toMatchObject({ id, state: 'authorised' })
    expect((await payments.claim(id, 'bk_later', later)).body.bookingId).toBe('bk_later')
  })

  test('who is signed in somewhere else', async () => {
    const id = await hold({ ...ines, userId: 'u_ines' })
    expect((await payments.read(id, asked({ visitorId: 'v_phone', sessionId: 's_phone', userId: 'u_ines' }))).status).toBe(200)
  })

  test('through a booking that goes on by itself', async () => {
    const id = await hold()
    expect((await payments.claim(id, 'bk_saga', SYSTEM)).status).toBe(200)
    expect((await payments.capture(id, SYSTEM)).body.state).toBe('captured')
  })

  test('EVT-09: who had no session, because the accounts were away', async () => {
    const id = await hold({ visitorId: null, sessionId: null, ip: '203.0.113.9' })
    expect((await payments.read(id, withoutSession)).status).toBe(200)
    expect((await payments.read(id, asked(ines))).status).toBe(200)
  })
})
