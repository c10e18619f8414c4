/** What cancelling gives back, told before the traveller decides: of a flight whose times the airline has changed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Conditions } from './conditions.fixture.ts'
import { toPublic } from './domain/booking.ts'
import { quoteCancellation } from './quote.ts'
import { openSagaWorld, type SagaWorld } from './saga.fixture.ts'
import { drive } from './saga.ts'
import { transition } from './transition.ts'

let world: SagaWorld
beforeAll(async () => {
  world = await openSagaWorld()
})
afterAll(() => world.stop())

const change = (id: string) => ({
  ...{ id, detectedAt: world.clock(), noticedAt: world.clock(), action: null, canAccept: true, canCancel: true, flights: [] },
})
const changed = (more: object = {}) =>
  world.book({}, { state: 'CONFIRMED', orderId: 'its own', leaseUntil: new Date(0), scheduleChanges: [change('aic_1')], ...more })
const shown = async (id: string) => toPublic(await world.byId(id), world.clock()).cancellation
const quoted = async (id: string) => toPublic(await quoteCancellation(await world.byId(id), world.worker().context), world.clock())
async function cancel(id: string): Promise<void> {
  const { context } = world.worker()
  await transition(await world.byId(id), 'CANCEL_REQUESTED', { leaseUntil: new Date(0) }, [], context)
  const claimed = await world.store.claim(id, world.clock())
  if (claimed) await drive(claimed, context)
}

test('the airline is asked, the booking says its figure for an hour, and it is refunded when the trip is cancelled', async () => {
  const { _id } = await changed()
  world.answers(_id, { refund: { amount: '222.50' } })
  expect(await shown(_id)).toEqual({ refund: null })
  expect((await quoted(_id)).cancellation).toEqual({ refund: { amount: '222.50', currency: 'EUR' } })
  expect(await shown(_id)).toEqual({ refund: { amount: '222.50', currency: 'EUR' } })
  world.advance(3599)
  expect(await shown(_id)).toEqual({ refund: { amount: '222.50', currency: 'EUR' } })
  world.advance(1)
  expect(await shown(_id)).toEqual({ refund: null })
  await quoted(_id)
  await cancel(_id)
  expect(await world.byId(_id)).toMatchObject({ state: 'ORDER_CANCELLED', refund: { kind: 'card', minor: 22_250 } })
})

test('an airline that gives back less than it had said is not taken up on it: the trip stays', async () => {
  const { _id } = await changed()
  await quoted(_id)
  world.answers(_id, { cancel: ['worse'] })
  await cancel(_id)
  expect(await world.byId(_id)).toMatchObject({ state: 'CONFIRMED', cancelNote: 'worse' })
})

test('another change of the times makes the figure unknown again', async () => {
  const { _id } = await changed()
  await quoted(_id)
  const booking = await world.byId(_id)
  await world.store.change(booking, { scheduleChanges: [change('aic_1'), change('aic_2')] })
  expect(await shown(_id)).toEqual({ refund: null })
})

const OPEN: [what: string, answers: Partial<Conditions>][] = [
  ['does not answer', { cancel: ['away'] }],
  ['cancels nothing', { cancel: ['refused'] }],
  ['gives credit', { refund: { to: 'airline_credits' } }],
  ['names another currency', { refund: { currency: 'SEK' } }],
]
test.each(OPEN)('an airline that %s leaves the figure open, and an earlier one is forgotten', async (_what, answers) => {
  const { _id } = await changed()
  await quoted(_id)
  expect((await shown(_id))?.refund).not.toBeNull()
  world.answers(_id, answers)
  expect((await quoted(_id)).cancellation).toEqual({ refund: null })
})

test('nothing is asked where the fare says it, and where nothing can be cancelled', async () => {
  for (const more of [{ scheduleChanges: [] }, { state: 'CANCEL_REQUESTED' as const }, { firstDeparture: new Date(0) }]) {
    const { _id, version } = await changed(more)
    await quoted(_id)
    expect(await world.byId(_id)).toMatchObject({ version })
  }
})
