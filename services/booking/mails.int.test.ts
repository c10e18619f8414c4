/** From events of bookings to mails: which are due, in which order they leave, and which are outdated by then. */
import type { Brand } from '@passerelle/contracts/http/brand'
import { createLog } from '@passerelle/kit/log'
import type { Mail, MailBrand } from '@passerelle/kit/mail'
import { mailQueue, mailWorker } from '@passerelle/kit/mail-queue'
import { createMetrics } from '@passerelle/kit/metrics'
import { ensureIndexes } from '@passerelle/kit/mongo'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookingRecord } from './domain/booking.ts'
import type { MailTemplate } from './domain/mail.ts'
import { mailConsumer } from './events.ts'
import { writer } from './mails.ts'
import { openSagaWorld, type SagaWorld, type StoredBooking } from './saga.fixture.ts'
import { drive } from './saga.ts'
import { leaseEnd } from './store.ts'

const brand = { name: 'Atlas', domain: '', theme: { text: '#000', primary: '#000' }, contact: { phone: '', email: '' } } as unknown as Brand

let from: MailBrand
let world: SagaWorld
let office: { told(booking: StoredBooking, ...names: string[]): Promise<void>; send(): Promise<unknown> }
let sent: Mail[]
let refused: Set<string>

beforeAll(async () => {
  world = await openSagaWorld()
  const queue = mailQueue<MailTemplate>(world.mongo)
  await ensureIndexes(world.mongo)
  const { subscriptions } = mailConsumer(queue)
  const worker = mailWorker({
    queue,
    mailer: {
      async send(mail) {
        if (refused.has(mail.key)) throw new Error('451 try again later')
        sent.push(mail)
      },
      close: () => undefined,
    },
    write: writer(world.store, async () => from, 'http://localhost:8080'),
    log: createLog('booking', 'silent'),
    metrics: createMetrics('booking'),
  })
  office = {
    /** Hands the booking's events of these names on, as the bus does. */
    async told(booking, ...names) {
      for (const event of booking.outbox ?? [])
        if (names.includes(event.name)) await subscriptions.find(({ definition }) => definition.name === event.name)?.handle(event as never)
    },
    send: () => worker.run(new AbortController().signal),
  }
})
afterAll(async () => {
  await world.stop()
})
beforeEach(() => {
  sent = []
  from = { brand }
  refused = new Set()
})

const subjects = () => sent.map(({ subject }) => subject.split(':')[0])
async function sendFor(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await office.send()
    world.advance(1)
  }
}

/** Told "pending", then confirmed, then cancelled. */
async function journey(): Promise<BookingRecord> {
  const booking = await world.book({}, { answerBy: new Date(0) })
  await drive(booking, world.worker().context)
  const confirmed = await world.byId(booking._id)
  const cancelling = await world.store.change(confirmed, {
    state: 'CANCEL_REQUESTED',
    nextAt: world.clock(),
    leaseUntil: leaseEnd(world.clock()),
  })
  await drive(cancelling!, world.worker().context)
  return booking
}

test('CONF-08: the pending mail leaves while the outcome is open', async () => {
  const booking = await world.book({ order: ['late'] })
  await drive(booking, world.worker().context)
  await office.told(await world.byId(booking._id), 'booking.pending')
  await office.send()
  expect(subjects()).toEqual(['We are confirming your booking'])
})

test('an outdated pending mail is left out, and the confirmation does not wait for it', async () => {
  const booking = await world.book({}, { answerBy: new Date(0) })
  await drive(booking, world.worker().context)
  await office.told(await world.byId(booking._id), 'booking.pending', 'booking.confirmed')
  await sendFor(3)
  expect(subjects()).toEqual(['Booking confirmed'])
})

test('the cancellation is never sent before the confirmation, however often that is refused', async () => {
  const { _id } = await journey()
  refused.add(`mail:confirmed:${_id}`)
  await office.told(await world.byId(_id), 'booking.pending', 'booking.confirmed', 'booking.cancelled')
  await sendFor(5)
  expect(subjects()).toEqual([])
  refused.clear()
  await sendFor(20)
  expect(subjects()).toEqual(['Booking confirmed', 'Booking cancelled'])
})

test('a failure is written to who was told "pending", and to nobody else', async () => {
  for (const [answerBy, expected] of [
    [new Date(0), ['Booking not completed']],
    [new Date('2100-01-01'), []],
  ] as const) {
    sent = []
    const booking = await world.book({ order: ['refused'] }, { answerBy })
    await drive(booking, world.worker().context)
    await office.told(await world.byId(booking._id), 'booking.pending', 'booking.failed')
    await sendFor(3)
    expect(subjects()).toEqual(expected)
  }
})

test('R-72: a mail comes from the brand’s proved address and answers go to its Reply-To; without one only the name is the brand’s', async () => {
  const tell = async () => {
    const booking = await world.book({}, { answerBy: new Date(0) })
    await drive(booking, world.worker().context)
    await office.told(await world.byId(booking._id), 'booking.confirmed')
    await sendFor(3)
    const { fromName, fromAddress, replyTo } = sent.at(-1) as Mail
    return { fromName, fromAddress, replyTo }
  }
  expect(await tell()).toEqual({ fromName: 'Atlas', fromAddress: undefined, replyTo: undefined })
  from = { brand, sender: { name: 'Atlas Travel', address: null, replyTo: null } }
  expect(await tell()).toEqual({ fromName: 'Atlas Travel', fromAddress: undefined, replyTo: undefined })
  from = { brand, sender: { name: 'Atlas Travel', address: 'trips@atlas.example', replyTo: 'answers@atlas.example' } }
  expect(await tell()).toEqual({ fromName: 'Atlas Travel', fromAddress: 'trips@atlas.example', replyTo: 'answers@atlas.example' })
})
