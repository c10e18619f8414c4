/** The whole system in live mode, against a pair of simulators of its own: bookings by the API, and what both pairs then have on record. */
import { freePorts } from '@passerelle/servers/ports'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { day } from './searches.fixture.ts'
import {
  control,
  type DuffelLedger,
  eventually,
  type LocalSystem,
  ledger,
  localSystem,
  party,
  type StripeLedger,
  testCard,
  Visitor,
} from './test-visitor.fixture.ts'

let system: LocalSystem
let live: { duffel: string; stripe: string }
let before: { orders: number; captures: number }

const orders = async () => (await ledger<DuffelLedger>(live.duffel)).orders.length
const intents = async () => (await ledger<StripeLedger>(live.stripe)).intents
const captures = async () => (await intents()).filter(({ captured }) => captured > 0).length
const since = async () => ({ orders: (await orders()) - before.orders, captures: (await captures()) - before.captures })

beforeAll(async () => {
  const [duffel, stripe] = await freePorts(2)
  live = { duffel: `http://127.0.0.1:${duffel}`, stripe: `http://127.0.0.1:${stripe}` }
  system = await localSystem({
    LIVE_SIMULATORS: 'true',
    DUFFEL_LIVE_SIMULATOR_PORT: String(duffel),
    STRIPE_LIVE_SIMULATOR_PORT: String(stripe),
    CHALLENGE_SECONDS: '20',
  })
  const admin = new Visitor(system.url)
  await admin.post('/api/auth/login', { username: 'admin', password: system.secrets.adminPassword })
  await admin.post('/api/admin/login', { password: system.secrets.adminPassword })
  expect((await admin.post('/api/admin/settings', { enableLiveMode: true })).status).toBe(200)
  await eventually('live mode', async () => (await admin.get<{ mode: string }>('/api/system/mode')).body.mode === 'live')
  // Every part of the gateway knows it this long after.
  await new Promise((done) => setTimeout(done, 3500))
})
afterAll(() => system.stop())
beforeEach(async () => {
  before = { orders: await orders(), captures: await captures() }
})

/** What the hosted fields make of a number. */
async function methodOf(number: string): Promise<string> {
  const response = await fetch(`${live.stripe}/hosted/payment_methods`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: 'pk_live_simulator', number, expiry: '1249', cvc: '123' }),
  })
  return ((await response.json()) as { paymentMethod: { id: string } }).paymentMethod.id
}

let ahead = 60
async function atCheckout() {
  const visitor = await new Visitor(system.url).known()
  return { visitor, offer: await visitor.offer(`origin=CDG&destination=LIS&departureDate=${day(++ahead)}`), key: crypto.randomUUID() }
}
const ASKS = '4000002760003184'
const intentIn = (answer: { details?: Record<string, unknown> }) => String(answer.details?.clientSecret).split('_secret_')[0]

test('R-22: a payment method books: one order and one capture in live mode, and nothing in test mode', async () => {
  const { visitor, offer, key } = await atCheckout()
  const paymentMethodId = await methodOf('4242424242424242')
  const booked = await visitor.book(offer, { paymentMethodId }, { key })
  expect(booked).toMatchObject({ status: 201, body: { status: 'confirmed', cardLast4: '4242' } })
  expect(await since()).toEqual({ orders: 1, captures: 1 })
  expect((await ledger<DuffelLedger>(system.duffel)).orders).toEqual([])
  expect((await ledger<StripeLedger>(system.stripe)).intents).toEqual([])
})

test('R-22: the bank asks, the customer agrees, and the same request books once, however often it is sent', async () => {
  const { visitor, offer, key } = await atCheckout()
  const payment = { paymentMethodId: await methodOf(ASKS) }
  const passengers = party(offer)
  const asked = await visitor.book(offer, payment, { key, passengers })
  expect([asked.status, asked.body.error]).toEqual([402, 'PAYMENT_ACTION_REQUIRED'])
  expect(await since()).toEqual({ orders: 0, captures: 0 })
  await control(live.stripe, 'cases', { case: 'answer-challenge', paymentIntent: intentIn(asked.body), agreed: true })
  const answers = await Promise.all([1, 2, 3].map(() => visitor.book(offer, payment, { key, passengers })))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  expect(await since()).toEqual({ orders: 1, captures: 1 })
})

test('R-22: the bank asks and the customer fails: nothing is booked or held, and another card books', async () => {
  const { visitor, offer, key } = await atCheckout()
  const passengers = party(offer)
  const payment = { paymentMethodId: await methodOf(ASKS) }
  const asked = await visitor.book(offer, payment, { key, passengers })
  const intent = intentIn(asked.body)
  await control(live.stripe, 'cases', { case: 'answer-challenge', paymentIntent: intent, agreed: false })
  const failed = await visitor.book(offer, payment, { key, passengers })
  expect([failed.status, failed.body.error]).toEqual([402, 'CARD_DECLINED'])
  expect(await since()).toEqual({ orders: 0, captures: 0 })
  const other = await visitor.book(offer, { paymentMethodId: await methodOf('5555555555554444') }, { key, passengers })
  expect(other.status).toBe(201)
  expect(await since()).toEqual({ orders: 1, captures: 1 })
  expect((await intents()).find(({ id }) => id === intent)).toMatchObject({ captured: 0 })
})

test('R-22: the bank asks and nobody answers: the question is withdrawn in time, and nothing is booked or held', async () => {
  const { visitor, offer, key } = await atCheckout()
  const asked = await visitor.book(offer, { paymentMethodId: await methodOf(ASKS) }, { key })
  const withdrawn = () => intents().then((all) => all.find(({ id, status }) => id === intentIn(asked.body) && status === 'canceled'))
  expect(await eventually('the end of the question', withdrawn, 40)).toMatchObject({ captured: 0 })
  expect(await since()).toEqual({ orders: 0, captures: 0 })
}, 60_000)

test('PAY-23, R-22: a raw number is refused with a clear answer, before the provider hears of it', async () => {
  const { visitor, offer, key } = await atCheckout()
  const made = (await intents()).length
  const cardDetails = { ...testCard, number: '4916338506082832' }
  const booked = await visitor.book(offer, { cardDetails }, { key })
  expect([booked.status, booked.body.error]).toEqual([422, 'RAW_CARD_REFUSED'])
  const paid = await visitor.pay(offer, { card: cardDetails })
  expect([paid.status, paid.body.error]).toEqual([422, 'RAW_CARD_REFUSED'])
  expect((await intents()).length).toBe(made)
  expect(await since()).toEqual({ orders: 0, captures: 0 })
})
