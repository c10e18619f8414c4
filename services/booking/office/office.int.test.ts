/** Bookings as administrators find them, and what they do with those that need a person. */

import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CANCEL_TRIES } from '../domain/attention.ts'
import type { BookingRecord } from '../domain/booking.ts'
import { writeLetter } from '../domain/mail.ts'
import { openSagaWorld, type SagaWorld } from '../saga.fixture.ts'
import { drive } from '../saga.ts'
import { attentionWorker } from './attention-mail.ts'
import { openOffice } from './office.fixture.ts'

let world: SagaWorld
let office: Awaited<ReturnType<typeof openOffice>>
beforeAll(async () => {
  world = await openSagaWorld()
  office = await openOffice(world)
})
afterAll(async () => {
  await world.stop()
})

const admin = () => office.administrator()
const eventsOf = async (id: string, name: string) => ((await world.byId(id)).outbox ?? []).filter((event) => event.name === name)
const auditOf = async ({ reference }: BookingRecord) => (await admin().audit({ subject: reference })).entries
const attention = (reason: string) =>
  ({ attention: { reason, since: world.clock(), told: false }, attentionSince: world.clock() }) as object

/** A booking that has come to a person, as the saga leaves it. */
const cases = {
  'cancel-unanswered': () =>
    world.book(
      { cancel: ['away'] },
      { state: 'NEEDS_ATTENTION', orderId: 'its own', captured: { minor: 27_400, currency: 'EUR' }, ...attention('cancel-unanswered') },
    ),
  'ticket-unpaid': () =>
    world.book(
      {},
      {
        state: 'NEEDS_ATTENTION',
        orderId: 'its own',
        failure: { code: 'PAYMENT_NOT_USABLE' },
        captured: null,
        ...attention('ticket-unpaid'),
      },
    ),
  'paid-without-ticket': () =>
    world.book(
      {},
      { state: 'NEEDS_ATTENTION', orderId: null, captured: null, failure: { code: 'BOOKING_FAILED' }, ...attention('paid-without-ticket') },
    ),
  'refund-by-hand': () =>
    world.book(
      {},
      {
        state: 'ORDER_CANCELLED',
        orderId: 'its own',
        orderCancelledAt: world.clock(),
        cancelledAt: world.clock(),
        refund: { kind: 'operator', minor: 0, credit: null, refundedAt: null },
        ...attention('refund-by-hand'),
      },
    ),
} as const

describe('an airline that never answers a cancellation', () => {
  test(`is asked ${CANCEL_TRIES} times; then a person is asked, and mailed once for the case`, async () => {
    const { _id } = await world.book({ cancel: ['away'] }, { state: 'CANCEL_REQUESTED', orderId: 'its own' })
    const asked = await world.rest(_id)
    expect(asked).toMatchObject({ state: 'NEEDS_ATTENTION', tries: CANCEL_TRIES, attention: { reason: 'cancel-unanswered' } })
    const worker = attentionWorker(world.store, office.mails)
    const mails = async () => (await office.mails.ofSubject(_id)).map(({ template }) => template)
    for (let look = 0; look < 3; look++) await worker.run(new AbortController().signal)
    expect(await mails()).toEqual(['attention'])
    expect((await admin().retry(_id)).body).toMatchObject({ state: 'attention', attention: { since: asked.attentionSince?.toISOString() } })
    await worker.run(new AbortController().signal)
    expect(await mails()).toEqual(['attention'])
  })

  test('an order that cannot be paid and whose cancellation is never answered comes to a person too', async () => {
    const { _id } = await world.book({ cancel: ['away'] }, { state: 'CAPTURE_FAILED', orderId: 'its own' })
    expect(await world.rest(_id)).toMatchObject({ state: 'NEEDS_ATTENTION', attention: { reason: 'ticket-unpaid' } })
  })
})

describe('settled: the booking stands', () => {
  test('tells a traveller who was never told of the confirmation, once for two at once', async () => {
    const booking = await cases['ticket-unpaid']()
    const answers = await Promise.all([admin().settle(booking._id, 'stands'), admin().settle(booking._id, 'stands')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const [confirmed, ...more] = await eventsOf(booking._id, 'booking.confirmed')
    expect([confirmed?.data, more]).toMatchObject([{ bookingId: booking._id, amountMinor: 27_400, currency: 'EUR' }, []])
    const settled = await world.byId(booking._id)
    expect(settled).toMatchObject({ state: 'CONFIRMED', failure: null, attention: null })
    const { subject, text } = writeLetter('confirmed', settled, defaultBrand, 'https://flights.example')
    expect(subject).toContain(`Booking confirmed: ${booking.reference}`)
    expect(text).toContain('Price: €274, taxes included.')
  })

  test('says nothing twice: a booking that was confirmed before it came to a person sends no second confirmation', async () => {
    const booking = await cases['cancel-unanswered']()
    expect((await admin().settle(booking._id, 'stands')).status).toBe(200)
    expect(await eventsOf(booking._id, 'booking.confirmed')).toEqual([])
  })

  test('also of a booking whose traveller had asked to cancel: no worker cancels it afterwards', async () => {
    const booking = await world.book(
      {},
      { state: 'NEEDS_ATTENTION', orderId: 'its own', captured: null, pendingCancellation: true, ...attention('ticket-unpaid') },
    )
    expect((await admin().settle(booking._id, 'stands')).status).toBe(200)
    await world.minute()
    expect(await world.byId(booking._id)).toMatchObject({ state: 'CONFIRMED', pendingCancellation: false })
  })
})

describe('an operation', () => {
  let before = 0
  beforeEach(async () => {
    before = world.orders.length
  })

  test('trying again cancels and refunds when the airline answers by now, once for two at once', async () => {
    const booking = await cases['cancel-unanswered']()
    world.answers(booking._id)
    const answers = await Promise.all([admin().retry(booking._id), office.administrator({ userId: 'usr_other' }).retry(booking._id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await world.byId(booking._id)).toMatchObject({
      state: 'ORDER_CANCELLED',
      attention: null,
      refund: { kind: 'card', minor: 18_250 },
    })
    expect(await eventsOf(booking._id, 'booking.cancelled')).toHaveLength(1)
    expect(world.orders.length - before).toBe(1)
    expect((await auditOf(booking)).map(({ refused }) => refused).sort()).toEqual(['BOOKING_STATE', null])
  })

  test.each(['ticket-unpaid', 'paid-without-ticket'] as const)('trying %s again ends the booking once, by two at once', async (reason) => {
    const booking = await cases[reason]()
    const answers = await Promise.all([admin().retry(booking._id), office.administrator({ userId: 'usr_other' }).retry(booking._id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await world.byId(booking._id)).toMatchObject({ state: 'FAILED', attention: null })
    expect(await eventsOf(booking._id, 'booking.failed')).toHaveLength(1)
    expect((await auditOf(booking)).map(({ refused }) => refused).sort()).toEqual(['BOOKING_STATE', null])
  })

  test.each([
    ['cancel-unanswered', '182.50', { state: 'ORDER_CANCELLED', refund: { kind: 'card', minor: 18_250 } }, 'booking.cancelled'],
    ['ticket-unpaid', '0.00', { state: 'FAILED', refund: null }, 'booking.failed'],
    ['paid-without-ticket', '274.00', { state: 'FAILED' }, 'booking.failed'],
    ['refund-by-hand', '100.00', { state: 'ORDER_CANCELLED', refund: { kind: 'card', minor: 10_000 } }, 'booking.cancelled'],
  ] as const)('cancel and refund of %s is done once by two at once, and is refused afterwards', async (reason, amount, ends, event) => {
    const booking = await cases[reason]()
    const answers = await Promise.all([admin().refund(booking._id, amount), admin().refund(booking._id, amount)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await world.byId(booking._id)).toMatchObject({ ...ends, attention: null, attentionSince: null })
    expect(await eventsOf(booking._id, event)).toHaveLength(1)
    expect((await admin().refund(booking._id, amount)).error?.code).toBe('BOOKING_STATE')
    const done = (await auditOf(booking)).filter(({ refused }) => refused === null)
    expect(done).toMatchObject([{ action: 'booking-cancelled', actor: 'usr_admin', note: 'Told by phone', brandKey: 'default' }])
  })

  test.each([
    ['cancel-unanswered', 'stands', 'CONFIRMED'],
    ['cancel-unanswered', 'ended', 'REFUNDED'],
    ['ticket-unpaid', 'stands', 'CONFIRMED'],
    ['paid-without-ticket', 'ended', 'REFUNDED'],
    ['refund-by-hand', 'ended', 'REFUNDED'],
  ] as const)('settling %s as "%s" leads to %s once, and moves no money', async (reason, ending, state) => {
    const booking = await cases[reason]()
    const payment = structuredClone(world.payment(booking))
    const answers = await Promise.all([admin().settle(booking._id, ending), admin().settle(booking._id, ending)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const settled = await world.byId(booking._id)
    expect(settled).toMatchObject({ state, attentionSince: null })
    const told = reason === 'ticket-unpaid' ? ['booking.confirmed'] : []
    expect((settled.outbox ?? []).map(({ name }) => name)).toEqual(told)
    expect(world.payment(booking)).toEqual(payment)
    expect(settled.history?.filter(({ by }) => by === 'usr_admin')).toHaveLength(1)
  })

  test('the same request twice at once, with its key, is answered twice and done and recorded once', async () => {
    const booking = await cases['cancel-unanswered']()
    const answers = await Promise.all([1, 2, 3].map(() => admin().refund(booking._id, '182.50', 'the-key')))
    expect(answers.map(({ status, body }) => [status, body.state])).toEqual(Array.from({ length: 3 }, () => [200, 'cancelled']))
    expect(await eventsOf(booking._id, 'booking.cancelled')).toHaveLength(1)
    expect(await auditOf(booking)).toHaveLength(1)
  })

  test('is refused with 409 where the state does not allow it, and that is recorded', async () => {
    for (const change of [
      { state: 'CONFIRMED', orderId: 'its own' },
      { state: 'FAILED' },
      { state: 'COMPLETED', orderId: 'its own' },
    ] as const) {
      const booking = await world.book({}, change)
      const answers = [
        await admin().retry(booking._id),
        await admin().refund(booking._id, '1.00'),
        await admin().settle(booking._id, 'ended'),
      ]
      expect(
        answers.map(({ status }) => status),
        change.state,
      ).toEqual([409, 409, 409])
      expect((await world.byId(booking._id)).version).toBe(booking.version)
      expect((await auditOf(booking)).map(({ refused }) => refused)).toEqual(['BOOKING_STATE', 'BOOKING_STATE', 'BOOKING_STATE'])
    }
    const unpaid = await cases['paid-without-ticket']()
    expect((await admin().settle(unpaid._id, 'stands')).status).toBe(409)
  })

  test('no refund is more than was paid, and who paid for nothing gets all of it', async () => {
    const more = await cases['cancel-unanswered']()
    for (const amount of ['274.01', '1.005']) expect((await admin().refund(more._id, amount)).error?.code, amount).toBe('VALIDATION_ERROR')
    const nothing = await cases['paid-without-ticket']()
    expect((await admin().refund(nothing._id, '100.00')).error?.code).toBe('VALIDATION_ERROR')
  })
})

test('one booking is shown with its history, payment, mails and what may be done', async () => {
  const { _id } = await world.book()
  await drive(await world.byId(_id), world.worker().context)
  await office.mails.enqueue('confirmed', _id)
  const { body } = await admin().read(_id)
  expect(body.history.map(({ state }) => state)).toEqual(['REQUESTED', 'ORDERING', 'ORDERED', 'CONFIRMED'])
  expect(body).toMatchObject({
    ...{
      state: 'confirmed',
      attention: null,
      payment: { state: 'captured', cardLast4: '4242' },
      tickets: [{ number: '0472100000001', passengerIds: ['pas_1'] }],
      mails: [{ template: 'confirmed', state: 'due' }],
    },
    actions: { retry: false, refund: null, settle: [] },
  })
  expect(JSON.stringify(body)).not.toContain('1990-04-12')
  expect((await admin().read('bk_nobody')).status).toBe(404)
})

test('a booking from before cases were kept is found and can be settled', async () => {
  const { _id } = await world.book({}, { state: 'NEEDS_ATTENTION', orderId: 'its own', captured: { minor: 27_400, currency: 'EUR' } })
  await world.mongo
    .collection('bookings')
    .updateOne({ _id: _id as never }, { $unset: { emails: '', attention: '', attentionSince: '', history: '' } })
  await world.store.addCases()
  expect((await admin().read(_id)).body).toMatchObject({ state: 'attention', attention: { reason: 'cancel-unanswered' } })
  expect((await admin().settle(_id, 'stands')).status).toBe(200)
})
