/** A change that would break a rule of the money: nothing is written, the rule is counted, and the work stops. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hold } from './authorisation.ts'
import { payment as draftPayment } from './domain/payment.fixture.ts'
import type { Change, Payment } from './domain/payment.ts'
import { claimFor } from './domain/transitions.ts'
import { capture, release } from './payment-operations.ts'
import { ProviderError } from './stripe.ts'
import { held, openTools, requestFor, workingProvider } from './tools.fixture.ts'
import { paymentWorker } from './worker.ts'

let { store, connection, toolsWith, metrics, close } = {} as Awaited<ReturnType<typeof openTools>>
beforeAll(async () => {
  ;({ store, connection, toolsWith, metrics, close } = await openTools())
})
afterAll(() => close())

const countOf = async (rule: string) => (await metrics.invariantBroken.get()).values.find(({ labels }) => labels.rule === rule)?.value ?? 0
const refund = { bookingId: 'bk_1', amountMinor: 5000, wantedAt: new Date(0), providerId: null, failed: false, keyRotations: 0 }
const running = new AbortController().signal
let payments = 0

/** Stored as it is given, with keys of its own. */
async function stored(about: Partial<Payment>): Promise<Payment> {
  const n = ++payments
  const bookingId = about.bookingId ? `${about.bookingId}_${n}` : null
  await store.insert({ ...draftPayment(), ...about, id: `pay_${n}`, key: `key_${n}`, bookingId, dueAt: null })
  return store.byId(`pay_${n}`)
}

type Violation = [rule: string, from: Partial<Payment>, set: Change['set']]
const violations: Violation[] = [
  ['transition is in the table', { state: 'voided' }, { state: 'captured' }],
  ['transition is in the table', { state: 'authorised' }, { state: 'refunded' }],
  ['I1 captured only for a booking', { state: 'authorised', bookingId: null }, { state: 'captured' }],
  ['I2 refund at most the captured amount', { state: 'captured', bookingId: 'bk' }, { refund: { ...refund, amountMinor: 27_401 } }],
  ['I2 refunded once', { state: 'captured', bookingId: 'bk', refund }, { refund: { ...refund, amountMinor: 6000 } }],
  ['I2 refunded once', { state: 'refunded', bookingId: 'bk', refundedMinor: 5000 }, { refundedMinor: 10_000 }],
  ['I3 one intent', { state: 'authorised', intentId: 'pi_1' }, { intentId: 'pi_2' }],
  ['I4 one booking', { state: 'authorised', bookingId: 'bk' }, { bookingId: 'bk_other' }],
  ['I6 no void after capture', { state: 'captured', bookingId: 'bk' }, { release: { reason: 'asked', at: new Date(0) } }],
  ['I8 refund leaves as an event', { state: 'captured', bookingId: 'bk', refund }, { state: 'refunded', refundedMinor: 5000 }],
  ['I12 amount stays', { state: 'authorised' }, { amountMinor: 27_500 }],
  ['I12 amount stays', { state: 'authorised' }, { currency: 'USD' }],
  ['I13 no card number', { state: 'created' }, { cardLast4: '4242424242424242' }],
]

test.each(violations)('%s: from %j, writing %j, nothing is written, and it is counted', async (rule, from, set) => {
  const before = await stored(from)
  const counted = await countOf(rule)
  await expect(store.update(before.id, () => ({ set }))).rejects.toMatchObject({ name: 'InvariantError', rule })
  expect(await countOf(rule)).toBe(counted + 1)
  expect(await store.byId(before.id)).toEqual(before)
})

test('I6: a worker that meets a broken rule stops, and leaves the payment as it claimed it', async () => {
  const { id } = await stored({ state: 'captured', bookingId: 'bk_worker', refund: { ...refund, amountMinor: 27_401 } })
  await connection.collection('payments').updateOne({ _id: id as never }, { $set: { dueAt: new Date(1) } })
  const rule = 'I2 refund at most the captured amount'
  const counted = await countOf(rule)
  const refunding = {
    ...workingProvider,
    refund: async () => ({ id: 're_1', status: 'succeeded', bookingId: 'bk_1', amountMinor: 27_401 }),
  }
  await paymentWorker(toolsWith(refunding)).run(running)
  expect(await countOf(rule)).toBe(counted + 1)
  expect(await store.byId(id)).toMatchObject({ state: 'captured', refundedMinor: 0, failures: 0 })
})

describe('I1: a hold that somebody captures at the provider before any booking has claimed it', () => {
  const taken = { ...workingProvider, read: async () => ({ ...held, status: 'succeeded' }), cancel: async () => Promise.reject(refusal) }
  const refusal = new ProviderError('refused', { code: 'payment_intent_unexpected_state' })
  const alarms = async () =>
    (await metrics.paymentOperations.get()).values.find(({ labels }) => Object.values(labels).includes('unclaimed'))?.value ?? 0
  const lookAt = async (id: string) => {
    await store.update(id, () => ({ set: { recheckAt: new Date(0), dueAt: new Date(1) } }))
    await paymentWorker(toolsWith(taken)).run(running)
  }

  test('is put on record and alarms once, and is never called captured', async () => {
    const { payment } = await hold(requestFor('captured by hand'), toolsWith(workingProvider))
    const before = await alarms()
    await lookAt(payment.id)
    const recorded = await store.byId(payment.id)
    expect(recorded).toMatchObject({ state: 'authorised', unclaimedCaptureAt: expect.any(Date), dueAt: null })
    await lookAt(payment.id)
    expect(await store.byId(payment.id)).toMatchObject({ unclaimedCaptureAt: recorded.unclaimedCaptureAt, dueAt: null })
    expect(await alarms()).toBe(before + 1)
  })

  test('is put on record when its release finds it, and the release is refused', async () => {
    const { payment } = await hold(requestFor('captured before its release'), toolsWith(workingProvider))
    await expect(release(payment.id, toolsWith(taken))).rejects.toMatchObject({ code: 'PAYMENT_NOT_USABLE' })
    await paymentWorker(toolsWith(taken)).run(running)
    expect(await store.byId(payment.id)).toMatchObject({ unclaimedCaptureAt: expect.any(Date), dueAt: null, failures: 0 })
  })

  test('is captured for the booking that still claims it', async () => {
    const { payment } = await hold(requestFor('claimed late'), toolsWith(workingProvider))
    await lookAt(payment.id)
    await store.update(payment.id, (current) => claimFor(current, 'bk_late'))
    expect(await capture(payment.id, toolsWith({ ...taken, capture: async () => Promise.reject(refusal) }))).toMatchObject({
      state: 'captured',
      bookingId: 'bk_late',
    })
  })
})

test('I1: nothing is captured at the provider without a booking', async () => {
  const { payment } = await hold(requestFor('no booking'), toolsWith(workingProvider))
  const asked: string[] = []
  const provider = { ...workingProvider, capture: async () => Promise.reject(asked.push('capture')) }
  await expect(capture(payment.id, toolsWith(provider))).rejects.toMatchObject({ code: 'PAYMENT_NOT_USABLE' })
  expect(asked).toEqual([])
})
