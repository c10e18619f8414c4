import { describe, expect, it } from 'vitest'
import { anything, authorisation, errorOf, setUp } from './test-client.ts'

const captured = async () => {
  const ready = await setUp()
  const { id } = await ready.stripe.paymentIntents.create({ ...authorisation, amount: 10_000, capture_method: 'automatic' })
  return { ...ready, id }
}

describe('refunds', () => {
  it('gives back everything, once', async () => {
    const { stripe, sim, id } = await captured()
    const refund = await stripe.refunds.create({ payment_intent: id, reason: 'requested_by_customer', metadata: { booking_id: 'bk_1' } })
    expect(refund).toMatchObject({
      object: 'refund',
      status: 'succeeded',
      amount: 10_000,
      currency: 'eur',
      payment_intent: id,
      metadata: { booking_id: 'bk_1' },
    })
    expect(refund.id).toMatch(/^re_/)
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ id: refund.id, amount: 10_000 })
    expect(await errorOf(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' })
    const ledger = await sim.ledger()
    expect(ledger.intents).toMatchObject([{ id, status: 'succeeded', captured: 10_000, refunded: 10_000 }])
    expect(ledger.refunds).toMatchObject([{ paymentIntent: id, amount: 10_000, status: 'succeeded' }])
  })

  it('gives back parts until nothing is left, never more', async () => {
    const { stripe, id } = await captured()
    await stripe.refunds.create({ payment_intent: id, amount: 4000 })
    const error = await errorOf(stripe.refunds.create({ payment_intent: id, amount: 6001 }))
    expect(error.message).toBe('Refund amount (60.01 eur) is greater than unrefunded amount on charge (60.00 eur)')
    await stripe.refunds.create({ payment_intent: id, amount: 5000 })
    expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 1000 })
    const { latest_charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
    expect(latest_charge).toMatchObject({ refunded: true, amount_refunded: 10_000 })
    expect((await stripe.refunds.list({ payment_intent: id })).data.map((refund) => refund.amount)).toEqual([1000, 5000, 4000])
  })

  it('gives back no more than what was captured of the hold', async () => {
    const { stripe } = await setUp()
    const { id } = await stripe.paymentIntents.create({ ...authorisation, amount: 10_000 })
    expect(await errorOf(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ statusCode: 400 })
    await stripe.paymentIntents.capture(id, { amount_to_capture: 7000 })
    expect(await errorOf(stripe.refunds.create({ payment_intent: id, amount: 7001 }))).toMatchObject({ param: 'amount' })
    expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 7000 })
  })

  it('refuses what is malformed or unknown', async () => {
    const { stripe, id } = await captured()
    expect(await errorOf(stripe.refunds.create({ payment_intent: 'pi_none' }))).toMatchObject({ statusCode: 400, code: 'resource_missing' })
    expect(await errorOf(stripe.refunds.create({}))).toMatchObject({ code: 'parameter_missing' })
    expect(await errorOf(stripe.refunds.create({ payment_intent: id, amount: 0 }))).toMatchObject({ param: 'amount' })
    expect(await errorOf(stripe.refunds.create({ payment_intent: id, reason: anything('angry') }))).toMatchObject({ param: 'reason' })
    expect(await errorOf(stripe.refunds.create(anything({ payment_intent: id, note: 'x' })))).toMatchObject({ code: 'parameter_unknown' })
    expect(await errorOf(stripe.refunds.retrieve('re_none'))).toMatchObject({ statusCode: 404 })
  })

  it('can leave a refund pending, then settle it or have it fail, so that the money can be refunded again', async () => {
    const { stripe, sim, id } = await captured()
    await sim.bringAbout({ case: 'refund-pending', times: 2 })
    const slow = await stripe.refunds.create({ payment_intent: id, amount: 3000 })
    const bad = await stripe.refunds.create({ payment_intent: id, amount: 2000 })
    expect([slow.status, bad.status]).toEqual(['pending', 'pending'])
    await sim.bringAbout({ case: 'settle-refund', refund: slow.id })
    await sim.bringAbout({ case: 'fail-refund', refund: bad.id })
    expect((await stripe.refunds.retrieve(slow.id)).status).toBe('succeeded')
    expect((await stripe.refunds.retrieve(bad.id)).status).toBe('failed')
    expect((await sim.ledger()).intents).toMatchObject([{ refunded: 3000 }])
    expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 7000, status: 'succeeded' })
  })
})

describe('lists', () => {
  it('pages through intents, newest first', async () => {
    const { stripe } = await setUp()
    const ids: string[] = []
    for (let at = 0; at < 7; at++) ids.unshift((await stripe.paymentIntents.create({ ...authorisation, metadata: { at } })).id)
    const first = await stripe.paymentIntents.list({ limit: 3 })
    expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/payment_intents' })
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 3))
    const second = await stripe.paymentIntents.list({ limit: 4, starting_after: ids[2] as string })
    expect([second.data.map(({ id }) => id), second.has_more]).toEqual([ids.slice(3, 7), false])
    const back = await stripe.paymentIntents.list({ limit: 2, ending_before: ids[4] as string })
    expect([back.data.map(({ id }) => id), back.has_more]).toEqual([ids.slice(2, 4), true])
    const all = await stripe.paymentIntents.list({ limit: 2 }).autoPagingToArray({ limit: 100 })
    expect(all.map(({ id }) => id)).toEqual(ids)
    expect(await errorOf(stripe.paymentIntents.list({ limit: 101 }))).toMatchObject({ param: 'limit' })
    expect(await errorOf(stripe.paymentIntents.list({ starting_after: 'pi_none' }))).toMatchObject({ code: 'resource_missing' })
  })

  it('filters by the time of creation and expands inside of lists', async () => {
    const { stripe, sim } = await setUp()
    const old = await stripe.paymentIntents.create(authorisation)
    await sim.advance(3600)
    const recent = await stripe.paymentIntents.create(authorisation)
    expect(recent.created - old.created).toBeGreaterThanOrEqual(3600)
    const ids = async (created: { gt?: number; gte?: number; lt?: number; lte?: number } | number) =>
      (await stripe.paymentIntents.list({ created })).data.map(({ id }) => id)
    expect(await ids({ gt: old.created })).toEqual([recent.id])
    expect(await ids({ gte: old.created, lte: recent.created })).toEqual([recent.id, old.id])
    expect(await ids({ lt: recent.created })).toEqual([old.id])
    expect(await ids(old.created)).toEqual([old.id])
    const [first] = (await stripe.paymentIntents.list({ expand: ['data.latest_charge'], limit: 1 })).data
    expect(first?.latest_charge).toMatchObject({ object: 'charge', payment_intent: recent.id })
    expect(await errorOf(stripe.paymentIntents.list({ expand: ['latest_charge'] }))).toMatchObject({ param: 'expand' })
  })
})
