import { expect, it } from 'vitest'
import { anything, errorOf, hold, setUp } from './test-client.fixture.ts'

const captured = async () => {
  const ready = await setUp()
  const { id } = await hold(ready.stripe, { amount: 10_000 })
  await ready.stripe.paymentIntents.capture(id)
  const refund = (amount: number) => ready.stripe.refunds.create({ payment_intent: id, amount })
  return { ...ready, id, refund }
}

it('gives back everything, once', async () => {
  const { stripe, sim, id, refund } = await captured()
  const given = await stripe.refunds.create({ payment_intent: id, amount: 10_000, metadata: { booking_id: 'bk_1' } })
  expect(given).toMatchObject({ object: 'refund', status: 'succeeded', amount: 10_000, currency: 'eur', payment_intent: id })
  expect(given).toMatchObject({ id: expect.stringMatching(/^re_/), metadata: { booking_id: 'bk_1' } })
  expect(await errorOf(refund(1))).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' })
  const ledger = await sim.ledger()
  expect(ledger.intents).toMatchObject([{ id, status: 'succeeded', captured: 10_000, refunded: 10_000 }])
  expect(ledger.refunds).toMatchObject([{ paymentIntent: id, amount: 10_000, status: 'succeeded' }])
})

it('gives back parts until nothing is left, never more', async () => {
  const { stripe, id, refund } = await captured()
  await refund(4000)
  const error = await errorOf(refund(6001))
  expect(error.message).toBe('Refund amount (60.01 eur) is greater than unrefunded amount on charge (60.00 eur)')
  await refund(6000)
  const { latest_charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
  expect(latest_charge).toMatchObject({ refunded: true, amount_refunded: 10_000 })
  const { data } = await stripe.refunds.list({ payment_intent: id, limit: 100 })
  expect(data.map(({ amount }) => amount)).toEqual([6000, 4000])
})

it('gives nothing back before the capture, nor after a dispute', async () => {
  const { stripe, sim, id, refund } = await captured()
  const held = await hold(stripe)
  expect(await errorOf(stripe.refunds.create({ payment_intent: held.id, amount: 1 }))).toMatchObject({ statusCode: 400 })
  await sim.bringAbout({ case: 'dispute', paymentIntent: id })
  expect((await sim.ledger()).disputes).toMatchObject([{ paymentIntent: id, amount: 10_000 }])
  expect(await errorOf(refund(1))).toMatchObject({ code: 'charge_disputed' })
})

it('refuses what is malformed or unknown', async () => {
  const { stripe, id, refund } = await captured()
  const create = (params: unknown) => errorOf(stripe.refunds.create(anything(params)))
  expect(await create({ payment_intent: 'pi_none', amount: 1 })).toMatchObject({ statusCode: 400, code: 'resource_missing' })
  expect(await create({ amount: 1 })).toMatchObject({ code: 'parameter_missing', param: 'payment_intent' })
  expect(await errorOf(refund(0))).toMatchObject({ param: 'amount' })
  expect(await create({ payment_intent: id, amount: 1, note: 'x' })).toMatchObject({ code: 'parameter_unknown' })
})
