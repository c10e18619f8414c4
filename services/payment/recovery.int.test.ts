/** What a process that is killed leaves behind, and how soon after its restart that has come to its end. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hold } from './authorisation.ts'
import { endBooking } from './domain/booking-end.ts'
import { claimFor, requestRelease } from './domain/transitions.ts'
import { capture, release } from './payment-operations.ts'
import type { CardProvider } from './stripe.ts'
import { held, openTools, requestFor, workingProvider } from './tools.fixture.ts'
import { paymentWorker } from './worker.ts'

let { store, toolsWith, close } = {} as Awaited<ReturnType<typeof openTools>>
beforeAll(async () => {
  ;({ store, toolsWith, close } = await openTools())
})
afterAll(() => close())

const start = Date.now()
const after = (seconds: number) => () => new Date(start + seconds * 1000)
const never = () => new Promise<never>(() => undefined)
const running = new AbortController().signal
let payments = 0

async function authorised(bookingId: string | null) {
  const intent = `pi_${++payments}`
  const provider = { ...workingProvider, create: async () => ({ ...held, id: intent, status: 'requires_payment_method' }) }
  const { payment } = await hold(requestFor(`key-${payments}`), toolsWith(provider, after(0)))
  return bookingId === null ? payment : store.update(payment, (current) => claimFor(current, bookingId))
}

/** A process that gets no further than its call to the provider. */
const killed = (call: keyof CardProvider): CardProvider => ({ ...workingProvider, [call]: never })

/** What is due a minute after everything stopped, with a provider that answers. */
async function aMinuteLater(answers: Partial<CardProvider>, seconds = 60): Promise<void> {
  await paymentWorker(toolsWith({ ...workingProvider, ...answers }, after(seconds))).run(running)
}

describe('C30: within a minute of a kill', () => {
  test('a void that was asked for is made', async () => {
    const payment = await authorised('bk_void')
    void release(payment.id, toolsWith(killed('cancel'), after(0)))
    await expect.poll(async () => (await store.byId(payment.id)).release).not.toBeNull()
    await aMinuteLater({ cancel: async () => ({ ...held, status: 'canceled' }) })
    expect((await store.byId(payment.id)).state).toBe('voided')
  })

  test('a capture that was made is recorded', async () => {
    const payment = await authorised('bk_capture')
    void capture(payment.id, toolsWith(killed('capture'), after(0)))
    await expect.poll(async () => (await store.byId(payment.id)).recheckAt).not.toBeNull()
    await aMinuteLater({ read: async () => ({ ...held, status: 'succeeded' }) })
    expect((await store.byId(payment.id)).state).toBe('captured')
  })

  test('a refund that a worker was making is made', async () => {
    const payment = await authorised('bk_refund')
    await capture(payment.id, toolsWith({ ...workingProvider, capture: async () => ({ ...held, status: 'succeeded' }) }, after(0)))
    const end = { reason: 'booking-cancelled' as const, bookingId: 'bk_refund', refundMinor: 5000, currency: 'EUR' }
    await store.update(payment.id, (current) => endBooking(current, end, after(0)()))
    const ending = new AbortController()
    void paymentWorker(toolsWith(killed('refund'), after(0))).run(ending.signal)
    await expect.poll(async () => (await store.byId(payment.id)).dueAt?.getTime()).toBeGreaterThan(start)
    ending.abort()
    await aMinuteLater({ refund: async () => ({ id: 're_1', status: 'succeeded', bookingId: 'bk_refund', amountMinor: 5000 }) })
    expect(await store.byId(payment.id)).toMatchObject({ state: 'refunded', refundedMinor: 5000 })
  })

  test('an attempt that never reached the bank is given up, and its intent cancelled', async () => {
    void hold(requestFor('key-open'), toolsWith({ ...killed('confirm'), create: async () => ({ ...held, id: 'pi_open' }) }, after(0)))
    await expect.poll(async () => (await store.byKey('key-open'))?.intentId).toBe('pi_open')
    const { id } = (await store.byKey('key-open'))!
    await aMinuteLater({ cancel: async () => ({ ...held, status: 'canceled' }) })
    expect((await store.byId(id)).state).toBe('abandoned')
    expect(await store.byKey('key-open')).toBeNull()
  })
})

test('a void that the provider does not answer keeps its own place only: twenty others are voided meanwhile', async () => {
  const ids: string[] = []
  for (let i = 0; i < 21; i++) {
    const { id } = await authorised(`bk_place_${i}`)
    await store.update(id, (current) => requestRelease(current, 'asked', new Date(start), new Date(start)))
    ids.push(id)
  }
  const [slow, answer] = [(await store.byId(ids[0] ?? '')).intentId, Promise.withResolvers<typeof held>()]
  const gone = { ...held, status: 'canceled' }
  const cancel = (intentId: string) => (intentId === slow ? answer.promise : Promise.resolve(gone))
  const run = aMinuteLater({ cancel })
  const states = async () => (await Promise.all(ids.map((id) => store.byId(id)))).map(({ state }) => state)
  await expect.poll(states, { timeout: 10_000 }).toEqual(['authorised', ...Array.from({ length: 20 }, () => 'voided')])
  answer.resolve(gone)
  await run
  expect((await states())[0]).toBe('voided')
})

test('R-23: a hold whose booking call never comes is voided two minutes after it was made, one that is claimed never is', async () => {
  const [lost, kept] = [await authorised(null), await authorised('bk_kept')]
  const gone = { cancel: async () => ({ ...held, status: 'canceled' }) }
  await aMinuteLater(gone, 119)
  expect((await store.byId(lost.id)).state).toBe('authorised')
  await aMinuteLater(gone, 120)
  expect((await store.byId(lost.id)).state).toBe('voided')
  await aMinuteLater(gone, 100_000)
  expect((await store.byId(kept.id)).state).toBe('authorised')
})

test('C6: no attempt begins on a payment that is being given up', async () => {
  const provider = { ...workingProvider, create: async () => ({ ...held, id: 'pi_giving_up' }) }
  void hold(requestFor('key-late'), toolsWith({ ...provider, confirm: never }, after(0)))
  await expect.poll(async () => (await store.byKey('key-late'))?.intentId).toBe('pi_giving_up')
  const cancelled = Promise.withResolvers<typeof held>()
  const sweep = aMinuteLater({ cancel: () => cancelled.promise })
  await expect.poll(async () => (await store.byKey('key-late'))?.release?.reason).toBe('no-outcome')
  const confirmed = { ...provider, confirm: async () => Promise.reject(new Error('no card may be charged any more')) }
  await expect(hold(requestFor('key-late'), toolsWith(confirmed, after(60)))).rejects.toMatchObject({ code: 'PAYMENT_IN_PROGRESS' })
  cancelled.resolve({ ...held, status: 'canceled' })
  await sweep
  const { payment } = await hold(requestFor('key-late'), toolsWith({ ...provider, confirm: async () => held }, after(61)))
  expect(payment.state).toBe('authorised')
})
