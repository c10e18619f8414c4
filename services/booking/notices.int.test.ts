/** Notices of the flight supplier: signed, repeated, out of order; what a change of the schedule makes of a booking, and its traveller's answer. */

import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { mailQueue } from '@passerelle/kit/mail-queue'
import { signature } from '@passerelle/simulators/webhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toPublic } from './domain/booking.ts'
import { writeLetter } from './domain/mail.ts'
import type { SupplierChange } from './domain/schedule.ts'
import { mailConsumer } from './events.ts'
import { acceptChange, isSigned, noticeWorker, takeNotice } from './notices.ts'
import { openSagaWorld, type SagaWorld } from './saga.fixture.ts'
import { drive } from './saga.ts'
import { transition } from './transition.ts'

let world: SagaWorld
beforeAll(async () => {
  world = await openSagaWorld()
})
afterAll(() => world.stop())

const SECRET = 'whsec_of_the_supplier'
const look = () => noticeWorker(world.worker().context).run(new AbortController().signal)
const notice = (orderId: string, type = 'order.airline_initiated_change_detected') =>
  JSON.stringify({ id: 'wev_1', type, data: { object: { id: orderId, aic_id: 'aic_1' } }, live_mode: false, idempotency_key: 'aic_1' })
const send = (payload: string, header = signature(payload, SECRET)) =>
  takeNotice(Buffer.from(payload), { signature: header, secret: SECRET, mode: 'test' }, world.store)

const confirmed = () => world.book({}, { state: 'CONFIRMED', orderId: 'its own', leaseUntil: new Date(0) })
const orderOf = async (id: string) => (await world.byId(id)).orderId ?? ''

/** The first flight, Paris to Lisbon at 08:15, moved to another time of the day. */
async function moved(id: string, hour: string, change: Partial<SupplierChange> = {}): Promise<SupplierChange> {
  const [slice] = (await world.byId(id)).offer.slices
  const segments = (slice?.segments ?? []).map(({ origin, destination, flight_number, departing_at, arriving_at }) => ({
    ...{ origin, destination, flight_number, departing_at, arriving_at },
  }))
  const now = segments.map((one) => ({
    ...one,
    departing_at: `2027-03-04T${hour}:15:00`,
    arriving_at: `2027-03-04T${Number(hour) + 1}:50:00`,
  }))
  return {
    ...{ id: `aic_${hour}`, detectedAt: new Date(`2026-11-21T${hour}:00:00Z`), action: null, canAccept: true, canCancel: true },
    ...{ removed: [{ segments }], added: [{ segments: now }] },
    ...change,
  }
}
async function told(id: string, ...changes: SupplierChange[]) {
  const orderId = await orderOf(id)
  world.changes.set(orderId, changes)
  await send(notice(orderId))
  await look()
  return world.byId(id)
}

describe('a notice', () => {
  test('that the supplier has not signed is refused, and one that is no event', async () => {
    const payload = notice('ord_1')
    for (const header of ['', 'x', signature(payload, 'another'), signature(`${payload} `, SECRET), 't=1,v1=zz'])
      await expect(send(payload, header)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    for (const junk of ['null', '[]', '{}', 'no json', '{"type":7}', ' '])
      await expect(send(junk)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(isSigned(Buffer.from(payload), signature(payload, SECRET), undefined)).toBe(false)
  })

  test('of an order that nobody has, and one that says nothing new, change nothing', async () => {
    await send(notice('ord_of_nobody'))
    await send(JSON.stringify({ type: 'ping.triggered' }))
    const { _id } = await confirmed()
    const before = await world.byId(_id)
    expect(await told(_id)).toMatchObject({ version: before.version, noticeAt: null })
  })
})

test('the order of a notice is read by one replica, and again half a minute after it could not be read', async () => {
  const { _id } = await confirmed()
  await send(notice(await orderOf(_id)))
  const replica = () => {
    const { context, points } = world.worker({ at: 'airline.changesOf', when: 'before', how: 'dies' })
    return { points, look: () => noticeWorker(context).run(new AbortController().signal) }
  }
  const replicas = [replica(), replica()]
  await Promise.all(replicas.map((one) => one.look()))
  expect(replicas.flatMap(({ points }) => points)).toEqual(['airline.changesOf'])
  const other = world.worker()
  const lookAgain = () => noticeWorker(other.context).run(new AbortController().signal)
  await lookAgain()
  expect(other.points).toEqual([])
  world.advance(31)
  await lookAgain()
  await lookAgain()
  expect(other.points).toEqual(['airline.changesOf'])
})

describe('a change of the schedule', () => {
  test('gives the booking its new times, keeps the old ones, and is told once by one mail, though the notice comes three times', async () => {
    const { _id } = await confirmed()
    const change = await moved(_id, '11')
    for (let time = 0; time < 3; time++) await told(_id, change)
    const booking = await world.byId(_id)
    expect(booking.offer.slices[0]).toMatchObject({ departure_time: '2027-03-04T11:15:00', arrival_time: '2027-03-04T12:50:00' })
    expect(booking.firstDeparture).toEqual(new Date('2027-03-04T10:15:00Z'))
    expect(booking.history?.map(({ state }) => state)).toEqual(['CONFIRMED', 'SCHEDULE_CHANGED'])
    expect(toPublic(booking, world.clock()).scheduleChange).toMatchObject({
      ...{ id: 'aic_11', state: 'open', canAccept: true },
      flights: [
        {
          ...{ flight: 'TP 439', from: 'CDG', to: 'LIS' },
          was: { departing_at: '2027-03-04T08:15:00', arriving_at: '2027-03-04T09:50:00' },
          now: { departing_at: '2027-03-04T11:15:00', arriving_at: '2027-03-04T12:50:00' },
        },
      ],
    })
    const events = (booking.outbox ?? []).filter(({ name }) => name === 'booking.rescheduled')
    expect(events).toHaveLength(1)
    const queue = mailQueue<'rescheduled'>(world.mongo)
    const { subscriptions } = mailConsumer(queue as never)
    for (const event of [...events, ...events])
      await subscriptions.find(({ definition }) => definition.name === event.name)?.handle(event as never)
    expect((await queue.ofSubject(_id)).map(({ template }) => template)).toEqual(['rescheduled'])
    const { text } = writeLetter('rescheduled', booking, defaultBrand, 'https://flights.example')
    expect(text).toContain(
      'TP 439, CDG to LIS: was 2027-03-04 08:15, arriving 2027-03-04 09:50; now 2027-03-04 11:15, arriving 2027-03-04 12:50',
    )
  })

  test('that is heard of after a later one is put in its place', async () => {
    const { _id } = await confirmed()
    const [first, second] = [await moved(_id, '10'), await moved(_id, '13')]
    await told(_id, second)
    const booking = await told(_id, second, first)
    expect(booking.scheduleChanges?.map(({ id }) => id)).toEqual(['aic_10', 'aic_13'])
    expect(toPublic(booking, world.clock()).scheduleChange).toMatchObject({ id: 'aic_13' })
    expect(booking.offer.slices[0]?.departure_time).toBe('2027-03-04T13:15:00')
  })

  test('is accepted once, also by two calls at once, and another one than was shown is not', async () => {
    const { _id } = await confirmed()
    const booking = await told(_id, await moved(_id, '12'))
    const { context } = world.worker()
    await expect(acceptChange(booking, 'aic_99', context)).rejects.toMatchObject({ code: 'BOOKING_STATE' })
    await Promise.all([acceptChange(booking, 'aic_12', context), acceptChange(booking, 'aic_12', context)])
    const accepted = await world.byId(_id)
    expect(toPublic(accepted, world.clock()).scheduleChange).toMatchObject({ state: 'accepted', canAccept: false })
    expect(await acceptChange(accepted, 'aic_12', context)).toMatchObject({ version: accepted.version })
    expect(world.changes.get(accepted.orderId ?? '')).toMatchObject([{ action: 'accepted' }])
    expect((await told(_id, ...(world.changes.get(accepted.orderId ?? '') ?? []))).version).toBeGreaterThanOrEqual(accepted.version)
  })

  test('lets a fare be cancelled that is not refundable, for what the airline gives back', async () => {
    const { _id } = await confirmed()
    const fixed = await world.byId(_id)
    const offer = {
      ...fixed.offer,
      conditions: { ...fixed.offer.conditions, refundable: false, refund: { allowed: false, penalty: null } },
    }
    await world.store.change(fixed, { offer, orderCancellable: false })
    expect(toPublic(await world.byId(_id), world.clock()).cancellation).toBeNull()
    const booking = await told(_id, await moved(_id, '14'))
    expect(toPublic(booking, world.clock())).toMatchObject({
      cancellation: { refund: null },
      bookingData: { conditions: { cancellation_options: [{ type: 'refund' }] } },
    })
    world.answers(_id, { refund: { amount: '222.50' } })
    const { context } = world.worker()
    await transition(booking, 'CANCEL_REQUESTED', { leaseUntil: new Date(0) }, [], context)
    const claimed = await world.store.claim(_id, world.clock())
    if (claimed) await drive(claimed, context)
    const cancelled = await world.byId(_id)
    expect(cancelled).toMatchObject({ state: 'ORDER_CANCELLED', refund: { kind: 'card', minor: 22_250 } })
    expect(toPublic(cancelled, world.clock()).scheduleChange).toMatchObject({ state: 'cancelled', canAccept: false })
  })
})
