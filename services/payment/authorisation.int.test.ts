/** Whose turn it is with a payment when a request about it has ended badly. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hold } from './authorisation.ts'
import { held, openTools, requestFor as request, workingProvider } from './tools.fixture.ts'

let { store, toolsWith, close } = {} as Awaited<ReturnType<typeof openTools>>
beforeAll(async () => {
  ;({ store, toolsWith, close } = await openTools())
})
afterAll(() => close())

test('a request that broke off by a fault of our own gives its turn back: the same key pays at once', async () => {
  const broken = toolsWith({ ...workingProvider, confirm: () => Promise.reject(new TypeError('a fault')) })
  await expect(hold(request('k1'), broken)).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE' })
  const { payment, replayed } = await hold(request('k1'), toolsWith(workingProvider))
  expect([payment.state, replayed]).toEqual(['authorised', false])
})

test('C6: a request that is still at work keeps its turn', async () => {
  const answer = Promise.withResolvers<typeof held>()
  const first = hold(request('k2'), toolsWith({ ...workingProvider, confirm: () => answer.promise }))
  await expect.poll(async () => (await store.byKey('k2'))?.intentId).toBe('pi_1')
  await expect(hold(request('k2'), toolsWith(workingProvider))).rejects.toMatchObject({ code: 'PAYMENT_IN_PROGRESS' })
  answer.resolve(held)
  expect((await first).payment.state).toBe('authorised')
})

test('a request that ends when another has taken its place does not give that one’s turn away', async () => {
  const answer = Promise.withResolvers<never>()
  let now = new Date()
  const slow = toolsWith({ ...workingProvider, confirm: () => answer.promise }, () => now)
  const first = hold(request('k3'), slow)
  await expect.poll(async () => (await store.byKey('k3'))?.intentId).toBe('pi_1')
  now = new Date(now.getTime() + 60_000)
  const second = Promise.withResolvers<typeof held>()
  const next = hold(
    request('k3'),
    toolsWith({ ...workingProvider, confirm: () => second.promise }, () => now),
  )
  await expect.poll(async () => (await store.byKey('k3'))?.keyGeneration.confirm).toBe(2)
  answer.reject(new TypeError('cut off'))
  await expect(first).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE' })
  expect((await store.byKey('k3'))?.attemptUntil).not.toBeNull()
  second.resolve(held)
  expect((await next).payment.state).toBe('authorised')
})
