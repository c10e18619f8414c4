/** How long a hold waits for its booking: as long as its visitor gives signs of life. */
import { delay } from '@passerelle/kit/runtime'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { card, newKey, type PaymentFixture, startPaymentFixture } from './payment.fixture.ts'

let payments: PaymentFixture
beforeAll(async () => {
  payments = await startPaymentFixture({ HOLD_IDLE_SECONDS: '2' })
})
afterAll(() => payments.stop())

const plain = { amount: '274.00', currency: 'EUR', cardDetails: card() }
const visitor = { visitorId: 'v_1', sessionId: 's_1' }
const stateOf = async (id: string) => (await payments.read(id)).body.state
const isVoided = (id: string) => vi.waitFor(async () => expect(await stateOf(id)).toBe('voided'), { timeout: 15_000, interval: 100 })
const hold = async (key: string) => String((await payments.pay(plain, key, visitor)).body.paymentId)

/** Gives the sign again and again until a hold that was made later, without any, is voided. */
async function whileAnotherEnds(sign: () => Promise<unknown>): Promise<void> {
  const silent = await hold(newKey())
  for (let i = 0; i < 100; i++) {
    await sign()
    if ((await stateOf(silent)) === 'voided') return
    await delay(100)
  }
  throw new Error('the hold without a sign was not voided')
}

test('R-23, APAY-09: a hold that nobody asks about again is voided long before its 15 minutes', async () => {
  const id = await hold(newKey())
  await isVoided(id)
  expect(await payments.simulator.intentsOf(id)).toMatchObject([{ status: 'canceled', capturable: 0 }])
})

test('R-23: the same request again keeps the hold; once it stops the hold is voided', async () => {
  const key = newKey()
  const id = await hold(key)
  await whileAnotherEnds(async () => expect((await payments.pay(plain, key, visitor)).body.paymentId).toBe(id))
  expect(await stateOf(id)).toBe('authorised')
  await isVoided(id)
})

test("R-23: the booking service's question for the visitor keeps the hold, its own questions do not", async () => {
  const [asked, own] = [await hold(newKey()), await hold(newKey())]
  await whileAnotherEnds(async () => {
    expect((await payments.read(asked, { ...visitor, actor: 'booking' })).status).toBe(200)
    expect((await payments.read(own)).status).toBe(200)
  })
  expect(await stateOf(asked)).toBe('authorised')
  await isVoided(own)
  await isVoided(asked)
})

test('R-23: a claimed hold stays, however silent its visitor is', async () => {
  const [claimed, silent] = [await hold(newKey()), await hold(newKey())]
  expect((await payments.claim(claimed, 'bk_silent')).status).toBe(200)
  await isVoided(silent)
  expect(await stateOf(claimed)).toBe('authorised')
})

test('R-26: the same request after its hold was voided is refused, and a new attempt holds anew', async () => {
  const key = newKey()
  const id = await hold(key)
  await isVoided(id)
  const again = await payments.pay(plain, key, visitor)
  expect([again.status, again.body.error, again.body.success]).toEqual([409, 'PAYMENT_NOT_USABLE', undefined])
  const anew = await payments.pay(plain, newKey(), visitor)
  expect(anew.status).toBe(200)
  expect(anew.body.paymentId).not.toBe(id)
})
