import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { card, newKey, type PaymentFixture, startPaymentFixture } from './payment.fixture.ts'

let payments: PaymentFixture
const plain = { amount: '274.00', currency: 'EUR', cardDetails: card() }
const HOLD_SECONDS = 2

beforeAll(async () => {
  payments = await startPaymentFixture({ HOLD_SECONDS: String(HOLD_SECONDS), STRIPE_TIMEOUT_MS: '1500', PAYMENT_ANSWER_MS: '4000' })
})
afterAll(() => payments.stop())

const becomes = (id: string, state: string) =>
  vi.waitFor(async () => expect((await payments.read(id)).body.state).toBe(state), { timeout: 15_000, interval: 100 })

test('APAY-09, C4: a hold that no booking claims is voided when its time is over, a claimed one is kept', async () => {
  const lost = String((await payments.pay(plain)).body.paymentId)
  const kept = String((await payments.pay(plain)).body.paymentId)
  await payments.claim(kept, 'bk_kept')
  expect((await payments.read(lost)).body.state).toBe('authorised')
  await becomes(lost, 'voided')
  expect(await payments.simulator.intentsOf(lost)).toMatchObject([{ status: 'canceled' }])
  const late = await payments.claim(lost, 'bk_late')
  expect([late.status, late.body.error]).toEqual([409, 'PAYMENT_NOT_USABLE'])
  await pause(HOLD_SECONDS * 1000)
  expect((await payments.read(kept)).body.state).toBe('authorised')
  expect(await payments.simulator.intentsOf(kept)).toMatchObject([{ status: 'requires_capture' }])
})

test('C2: a payment that never got an outcome is abandoned, its intent cancelled, and its key free again', async () => {
  const key = newKey()
  await payments.simulator.fault({ match: { method: 'POST', path: '*/confirm' }, effect: 'hang' })
  expect((await payments.pay(plain, key)).status).toBe(503)
  const paymentId = (await payments.simulator.ledger()).intents.at(-1)?.metadata.payment_id
  await becomes(String(paymentId), 'abandoned')
  await payments.simulator.clearFaults()
  expect(await payments.simulator.intentsOf(paymentId)).toMatchObject([{ status: 'canceled', attempts: 0 }])
  const again = await payments.pay(plain, key)
  expect(again.status).toBe(200)
  expect(again.body.paymentId).not.toBe(paymentId)
})

test('C3: a hold that was placed and never heard of is found and voided', async () => {
  await payments.simulator.fault({ match: { method: 'POST', path: '*/confirm' }, effect: 'reset-after-commit' })
  await payments.simulator.fault({ match: { method: 'GET' }, effect: 'status', status: 503 })
  expect((await payments.pay(plain)).status).toBe(503)
  const intent = (await payments.simulator.ledger()).intents.at(-1)
  expect(intent).toMatchObject({ status: 'requires_capture' })
  await payments.simulator.clearFaults()
  await becomes(String(intent?.metadata.payment_id), 'voided')
  expect(await payments.simulator.intentsOf(intent?.metadata.payment_id)).toMatchObject([{ status: 'canceled' }])
})

test('a hold is voided even when the provider is away at first', async () => {
  const id = String((await payments.pay(plain)).body.paymentId)
  await payments.simulator.fault({ match: { path: '*/cancel' }, effect: 'status', status: 500, times: 4 })
  await becomes(id, 'voided')
})

test('a booking and the sweep at the same moment: either the booking has the hold, or the hold is gone', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, async () => String((await payments.pay(plain, null)).body.paymentId)))
  const outcomes = await Promise.all(
    ids.map(async (id, i) => {
      await pause(HOLD_SECONDS * 1000 - 400 + i * 100)
      const claimed = (await payments.claim(id, `bk_race_${i}`)).status === 200
      return { id, claimed }
    }),
  )
  await pause(1500)
  for (const { id, claimed } of outcomes) {
    const { body } = await payments.read(id)
    expect([claimed, body.state]).toEqual(claimed ? [true, 'authorised'] : [false, 'voided'])
    expect(await payments.simulator.intentsOf(id)).toMatchObject([{ status: claimed ? 'requires_capture' : 'canceled' }])
  }
})
