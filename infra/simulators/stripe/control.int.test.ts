/** The control routes that all simulators share, tried on this one. */
import { afterEach, describe, expect, it } from 'vitest'
import { matchesGlob, seededRandom } from '../control.ts'
import { clientOf, controlOf, errorOf, hold, intentOf, jsonOf, setUp } from './test-client.fixture.ts'

const sockets: AbortController[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.abort()
})

const any = { payment_intent: 'pi_any', limit: 100 }

describe('faults', () => {
  it('cuts the connection before anything is done', async () => {
    const { stripe, sim } = await setUp()
    // The client tries once more by itself when a connection is cut.
    await sim.fault({ match: { method: 'POST', path: '/v1/payment_intents' }, effect: 'reset', times: 2 })
    expect(await errorOf(stripe.paymentIntents.create(intentOf()))).toMatchObject({ type: 'StripeConnectionError' })
    expect((await sim.ledger()).counts).toMatchObject({ intents: 0, requests: { 'POST /v1/payment_intents': 2 } })
    expect((await stripe.paymentIntents.create(intentOf())).status).toBe('requires_payment_method')
  })

  it('cuts the connection after the commit: the retry finds what the first request did', async () => {
    const { stripe, sim } = await setUp()
    const { id } = await hold(stripe)
    await sim.fault({ match: { path: '/v1/payment_intents/*/capture' }, effect: 'reset-after-commit', times: 2 })
    expect(await errorOf(stripe.paymentIntents.capture(id, {}, { idempotencyKey: 'c' }))).toMatchObject({ type: 'StripeConnectionError' })
    expect((await sim.ledger()).captures).toMatchObject([{ paymentIntent: id, amount: 27_368 }])
    expect(await stripe.paymentIntents.capture(id, {}, { idempotencyKey: 'c' })).toMatchObject({ status: 'succeeded' })
    expect((await sim.ledger()).counts.captures).toBe(1)
  })

  it('answers a status with the shape of the provider, or with what is given', async () => {
    const { stripe, sim } = await setUp()
    await sim.fault({ match: {}, effect: 'status', status: 429, times: 1 })
    expect(await errorOf(stripe.refunds.list(any))).toMatchObject({ type: 'StripeRateLimitError', code: 'rate_limit' })
    await sim.fault({ match: { method: 'GET' }, effect: 'status', status: 500, times: 1, headers: { 'stripe-should-retry': 'false' } })
    expect(await errorOf(stripe.refunds.list(any))).toMatchObject({ type: 'StripeAPIError', statusCode: 500 })
    await sim.fault({ match: {}, effect: 'status', status: 402, body: { error: { type: 'card_error', message: 'custom' } }, times: 1 })
    expect(await errorOf(stripe.refunds.list(any))).toMatchObject({ type: 'StripeCardError', message: 'custom' })
    expect((await stripe.refunds.list(any)).data).toEqual([])
  })

  it('answers an error after the commit when asked to', async () => {
    const { stripe, sim } = await setUp()
    await sim.fault({ match: { method: 'POST' }, effect: 'status', status: 503, afterCommit: true, times: 1 })
    expect(await errorOf(stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'a' }))).toMatchObject({ statusCode: 503 })
    expect((await sim.ledger()).counts.intents).toBe(1)
    await stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'a' })
    expect((await sim.ledger()).counts.intents).toBe(1)
  })

  it('answers the HTML of a proxy', async () => {
    const { stripe, sim } = await setUp()
    await sim.fault({ match: { path: '/v1/*' }, effect: 'html', times: 1 })
    const error = await errorOf(stripe.refunds.list(any))
    expect(error).toMatchObject({ type: 'StripeAPIError' })
    expect(error.message).toContain('Invalid JSON received')
  })

  it('hangs until the client gives up, with nothing done or all done', async () => {
    const { sim, simulator } = await setUp()
    const hasty = clientOf(simulator.port, { timeout: 100 })
    await sim.fault({ match: { method: 'POST' }, effect: 'hang', times: 1 })
    expect(await errorOf(hasty.paymentIntents.create(intentOf(), { idempotencyKey: 'a' }))).toMatchObject({
      type: 'StripeConnectionError',
    })
    expect((await sim.ledger()).counts.intents).toBe(0)
    await sim.fault({ match: { method: 'POST' }, effect: 'hang', afterCommit: true, times: 1 })
    expect(await errorOf(hasty.paymentIntents.create(intentOf(), { idempotencyKey: 'a' }))).toMatchObject({
      type: 'StripeConnectionError',
    })
    expect((await sim.ledger()).counts.intents).toBe(1)
    await expect
      .poll(async () => (await hasty.paymentIntents.create(intentOf(), { idempotencyKey: 'a' })).status)
      .toBe('requires_payment_method')
    expect((await sim.ledger()).counts.intents).toBe(1)
  })

  it('stops although requests hang', async () => {
    const { sim, simulator } = await setUp()
    await sim.fault({ match: {}, effect: 'hang' })
    const controller = new AbortController()
    sockets.push(controller)
    const hanging = fetch(`${simulator.url}/v1/refunds`, { signal: controller.signal })
    hanging.catch(() => undefined)
    await expect.poll(async () => (await sim.ledger()).counts.requests['GET /v1/refunds']).toBe(1)
    await simulator.stop()
    await expect(hanging).rejects.toThrow()
  })

  it('delays, and counts how often each fault has struck', async () => {
    const { stripe, sim, simulator } = await setUp()
    await sim.fault({ match: { path: '/v1/refunds' }, effect: 'delay', ms: 200 })
    const order: string[] = []
    const slow = stripe.refunds.list(any).then(() => order.push('slow'))
    await expect.poll(async () => (await sim.ledger()).counts.requests['GET /v1/refunds']).toBe(1)
    await stripe.paymentIntents.create(intentOf()).then(() => order.push('quick'))
    await slow
    expect(order).toEqual(['quick', 'slow'])
    const { faults } = await jsonOf(await fetch(`${simulator.url}/_sim/faults`))
    expect(faults).toMatchObject([{ effect: 'delay', ms: 200, hits: 1 }])
    await sim.clearFaults()
    expect((await jsonOf(await fetch(`${simulator.url}/_sim/faults`))).faults).toEqual([])
  })

  it('strikes with a probability that the seed fixes', async () => {
    const pattern = async () => {
      const { stripe, sim } = await setUp({ seed: 42 })
      await sim.fault({ match: { method: 'GET' }, effect: 'status', status: 503, probability: 0.5 })
      const results: boolean[] = []
      for (let at = 0; at < 30; at++)
        results.push(
          await stripe.refunds.list(any).then(
            () => true,
            () => false,
          ),
        )
      return results
    }
    const [first, second] = [await pattern(), await pattern()]
    expect(first).toEqual(second)
    expect(first.filter(Boolean).length).toBeGreaterThan(5)
    expect(first.filter(Boolean).length).toBeLessThan(25)
  })

  it('refuses control requests that it does not understand', async () => {
    const { sim, simulator } = await setUp()
    await expect(sim.fault({ effect: 'explode' })).rejects.toThrow('effect is one of')
    await expect(sim.fault({ effect: 'delay' })).rejects.toThrow('a delay needs ms')
    await expect(sim.fault({ effect: 'status' })).rejects.toThrow('needs a status')
    await expect(sim.fault({ effect: 'hang', oftn: 1 })).rejects.toThrow('oftn')
    await expect(sim.fault({ effect: 'hang', match: { host: 'x' } })).rejects.toThrow('host')
    await expect(sim.fault({ effect: 'hang', probability: 2 })).rejects.toThrow('probability')
    await expect(sim.advance(-1)).rejects.toThrow('advanceSeconds')
    await expect(sim.bringAbout({ case: 'nonsense' })).rejects.toThrow('case is one of')
    await expect(sim.bringAbout({ case: 'dispute', paymentIntent: 'pi_none' })).rejects.toThrow('no payment intent')
    expect((await fetch(`${simulator.url}/_sim/nothing`)).status).toBe(404)
    expect((await fetch(`${simulator.url}/_sim/faults`, { method: 'POST', body: '{' })).status).toBe(400)
  })
})

describe('reset and clock', () => {
  it('forgets everything, faults and clock included', async () => {
    const { stripe, sim, simulator } = await setUp()
    const { id } = await stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'a' })
    await sim.advance(3600)
    await sim.fault({ match: {}, effect: 'status', status: 500 })
    await sim.reset()
    expect(await errorOf(stripe.paymentIntents.retrieve(id))).toMatchObject({ statusCode: 404 })
    const again = await stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'a' })
    expect(Math.abs(again.created - Date.now() / 1000)).toBeLessThan(60)
    expect(await jsonOf(await fetch(`${simulator.url}/_sim/clock`))).toMatchObject({ offsetSeconds: 0 })
    expect((await controlOf(simulator.url).ledger()).counts).toMatchObject({ intents: 1, requests: { 'POST /v1/payment_intents': 1 } })
  })
})

describe('helpers', () => {
  it('matches paths exactly, or with stars for any characters', () => {
    expect(matchesGlob('/a/b', '/a/b')).toBe(true)
    expect(matchesGlob('/a/b', '/a/b/c')).toBe(false)
    expect(matchesGlob('/a/*', '/a/b/c')).toBe(true)
    expect(matchesGlob('/a/*/c', '/a/b/c')).toBe(true)
    expect(matchesGlob('/a/*/c', '/a/c')).toBe(false)
    expect(matchesGlob('*b*', '/a/b/c')).toBe(true)
    expect(matchesGlob('/a*a', '/a')).toBe(false)
    expect(matchesGlob('/a.c', '/abc')).toBe(false)
    expect(matchesGlob('*x*x', '/x')).toBe(false)
  })

  it('draws the same numbers from the same seed', () => {
    const draw = (seed: string) => Array.from({ length: 5 }, seededRandom(seed))
    expect(draw('a')).toEqual(draw('a'))
    expect(draw('a')).not.toEqual(draw('b'))
    expect(draw('a').every((number) => number >= 0 && number < 1)).toBe(true)
  })
})
