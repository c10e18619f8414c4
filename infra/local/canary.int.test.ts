/**
 * Secrets that go through the system and must not stay: marked ones are sent along whole journeys, good and bad, and then looked for
 * in every log line, document, event, cache entry, mail and file.
 */
import type { Booking } from '@passerelle/contracts/http/booking'
import type { FlightOffer } from '@passerelle/contracts/http/search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type WatchedSystem, watchedSystem } from './canary.fixture.ts'
import { control, eventually, ledger, type Mailbox, party, Visitor } from './test-visitor.fixture.ts'

const card = { number: '5555 5555 5555 4444', expiryMonth: '11', expiryYear: '37', cvv: '8347', holderName: 'Canary Cardholder' }
const DECLINED = '4000 0000 0000 9995'
const PASSPORT = 'ZQ7CANARY4'
const FREQUENT_FLYER = 'FQ7CANARY8'
const REGISTERED = 'canary-registered-pw'
const WRONG = 'canary-wrong-pw'
const CHANGED = 'Canary-Changed-2468'
const CHOSEN = 'Canary-Chosen-2468'

const FIRST_NAME = 'Canarina'

let system: WatchedSystem
/** Name of a place, such as "mongo booking.bookings", to all that is there. */
let stores: Map<string, string>
/** Made by the system on the way: what must be nowhere, and what may be in the mail alone. */
const generated: string[] = []
const sessionTokens = new Set<string>()
const links: string[] = []
const emails: string[] = []
const references: string[] = []
/** Cancelled, failed and pending among them, so that what is looked through has been everywhere. */
const statuses = new Set<string>()

/** Notes every cookie that the system hands out. */
class Watched extends Visitor {
  override async call<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await super.call<T>(method, path, body, headers)
    for (const token of this.cookies.values()) sessionTokens.add(token)
    return answer
  }
}

let day = 50
const search = () => `origin=CDG&destination=LIS&departureDate=${new Date(Date.now() + ++day * 86_400_000).toISOString().slice(0, 10)}`
const refundable = (offer: FlightOffer) => offer.conditions.refundable && offer.owner.iata_code === 'ZZ'
const passengersOf = (offer: FlightOffer) => {
  const [airline] = offer.supported_loyalty_programmes ?? []
  const frequentFlyer = airline && { frequentFlyerAirline: airline, frequentFlyerNumber: FREQUENT_FLYER }
  const passengers = party(offer, { passportNumber: PASSPORT, firstName: FIRST_NAME, ...frequentFlyer })
  emails.push(String(passengers[0]?.email))
  return passengers
}
const visitor = () => new Watched(system.url)

beforeAll(async () => {
  system = await watchedSystem({ ORDER_SEND_WITHIN_MS: '1000', ORDER_LONGEST_MS: '4000' })
  await paidThenCancelled()
  await paidDirectly()
  await declined()
  await failed()
  await echoed()
  await account()
  await nonsense()
  stores = await system.stores()
}, 180_000)
afterAll(async () => {
  await system.stop()
})

async function paidThenCancelled(): Promise<void> {
  // The first mails are refused, with the address in the refusal.
  await control(system.mailbox, 'faults', { effect: 'smtp', status: 451, times: 2 })
  const ines = visitor()
  const offer = await ines.offer(search(), refundable)
  const paid = await ines.pay(offer, { card })
  const passengers = passengersOf(offer)
  const booked = await ines.book(offer, { paymentId: paid.body.paymentId }, { passengers, key: 'canary-key' })
  expect(booked).toMatchObject({ status: 201, body: { accountCreated: true } })
  generated.push(booked.body.accountInfo?.password ?? '')
  references.push(booked.body.bookingReference)
  await visitor().book(offer, { paymentId: paid.body.paymentId }, { passengers, key: 'canary-key' })
  const cancelled = await ines.post(`/api/bookings/${booked.body.id}/cancel`)
  expect(cancelled.status).toBe(200)
  await eventually('the refund', async () => (await ines.get<Booking>(`/api/bookings/${booked.body.id}`)).body.refund?.refundedAt)
  statuses.add((await ines.get<Booking>(`/api/bookings/${booked.body.id}`)).body.status)
  const welcome = await eventually('the welcome', async () =>
    (await ledger<Mailbox>(system.mailbox)).messages.find(
      (mail) => mail.to.includes(emails[0] ?? '') && mail.subject.startsWith('Your account'),
    ),
  )
  const token = /set-password#([\w-]+)/.exec(welcome.text)?.[1] ?? ''
  links.push(token)
  expect((await ines.post('/api/auth/set-password', { token, newPassword: CHOSEN })).status).toBe(200)
  expect((await ines.post('/api/auth/login', { username: emails[0], password: CHOSEN })).status).toBe(200)
}

async function paidDirectly(): Promise<void> {
  const paul = visitor()
  const offer = await paul.offer(search())
  const booked = await paul.book(offer, { cardDetails: card }, { passengers: passengersOf(offer) })
  expect(booked.body.status).toBe('confirmed')
  generated.push(booked.body.accountInfo?.password ?? '')
  references.push(booked.body.bookingReference)
  statuses.add(booked.body.status)
}

async function declined(): Promise<void> {
  const eva = visitor()
  const offer = await eva.offer(search())
  expect((await eva.pay(offer, { card: { ...card, number: DECLINED } })).status).toBe(402)
  const direct = await eva.book(offer, { cardDetails: { ...card, number: DECLINED } }, { passengers: passengersOf(offer) })
  expect(direct.status).toBe(402)
}

async function failed(): Promise<void> {
  const lou = visitor()
  const refused = await lou.offer(search())
  await control(system.duffel, 'cases', { case: 'insufficient-balance', route: 'CDG-LIS', times: 1 })
  expect((await lou.book(refused, { cardDetails: card }, { passengers: passengersOf(refused) })).status).toBe(422)
  const unknown = await lou.offer(search())
  await control(system.duffel, 'cases', { case: 'order-502-unknown', route: 'CDG-LIS', times: 1 })
  const pending = await lou.book(unknown, { cardDetails: card }, { passengers: passengersOf(unknown) })
  expect(pending.status).toBe(202)
  statuses.add(pending.body.status)
  await eventually('its end', async () => (await lou.get<Booking>(`/api/bookings/${pending.body.id}`)).body.status === 'cancelled', 30)
}

/** Suppliers that answer with what they were sent. */
async function echoed(): Promise<void> {
  const kim = visitor()
  const offer = await kim.offer(search(), ({ supported_loyalty_programmes }) => Boolean(supported_loyalty_programmes))
  const cardSaid = `The card ${card.number} (${card.number.replaceAll(' ', '')}, cvc: ${card.cvv}) of ${emails[0]} was refused`
  await control(system.stripe, 'faults', {
    match: { method: 'POST', path: '/v1/payment_intents*' },
    effect: 'status',
    status: 400,
    times: 1,
    body: { error: { type: 'invalid_request_error', code: 'parameter_invalid', message: cardSaid } },
  })
  expect((await kim.pay(offer, { card })).body).not.toMatchObject({ success: true })
  await control(system.stripe, 'faults', undefined, 'DELETE')
  for (const [status, type] of [
    [422, 'validation_error'],
    [500, 'api_error'],
  ] as const) {
    const passengers = passengersOf(offer)
    const said = `Passport ${PASSPORT} or account ${FREQUENT_FLYER} of ${FIRST_NAME} (${passengers[0]?.email}) is not valid`
    await control(system.duffel, 'faults', {
      match: { method: 'POST', path: '/air/orders' },
      effect: 'status',
      status,
      times: 1,
      body: { errors: [{ type, code: type, title: said, message: said }], meta: { status, request_id: 'echo-1' } },
    })
    const booked = await kim.book(offer, { cardDetails: card }, { passengers })
    expect(booked.status).not.toBe(201)
  }
  await control(system.duffel, 'faults', undefined, 'DELETE')
}

async function account(): Promise<void> {
  const ana = visitor()
  const email = `ana${Date.now()}@example.org`
  emails.push(email)
  const user = { username: `ana${Date.now()}`, email, firstName: 'Ana', lastName: 'Sousa', password: REGISTERED }
  expect((await ana.post('/api/auth/register', user)).status).toBe(201)
  expect((await ana.post('/api/auth/register', user)).status).toBe(409)
  expect((await ana.post('/api/auth/register', { ...user, email: REGISTERED })).status).toBe(400)
  expect((await ana.post('/api/auth/login', { username: email, password: WRONG })).status).toBe(401)
  // Into the wrong field, as it happens.
  expect((await ana.post('/api/auth/login', { username: WRONG, password: REGISTERED })).status).toBe(401)
  expect((await ana.post('/api/auth/login', { username: email, password: REGISTERED })).status).toBe(200)
  expect((await ana.post('/api/auth/change-password', { currentPassword: REGISTERED, newPassword: CHANGED })).status).toBe(200)
  expect((await ana.post('/api/auth/logout')).status).toBe(200)
}

/** Requests that are refused for what is wrong with them, secrets and all. */
async function nonsense(): Promise<void> {
  const joe = visitor()
  const text = JSON.stringify({
    cardDetails: card,
    passengers: [{ passportNumber: PASSPORT, frequentFlyerNumber: FREQUENT_FLYER }],
    password: REGISTERED,
  })
  const json = { 'content-type': 'application/json' }
  for (const path of ['/api/bookings', '/api/payments/process-card', '/api/auth/login', '/api/auth/register'])
    for (const body of [
      text.slice(0, -3),
      text,
      JSON.stringify([text]),
      `${text}${' '.repeat(40_000)}`,
      JSON.stringify({ offerId: card.number, amount: card.number, ...JSON.parse(text) }),
    ]) {
      const answer = await joe.call('POST', path, body, json)
      expect(answer.status, path).toBeGreaterThanOrEqual(400)
      expect(answer.status, path).toBeLessThan(500)
      // Four digits also occur by chance in an id that is made anew for each request.
      const { requestId: _, ...said } = answer.body as Record<string, unknown>
      expect(JSON.stringify(said), path).not.toMatch(/5555 5555|8347|ZQ7CANARY4|FQ7CANARY8|canary-registered/)
    }
  for (const path of [
    `/api/flights/offer/${PASSPORT}`,
    `/api/bookings/${PASSPORT}`,
    `/api/flights/search?origin=${PASSPORT}&password=${REGISTERED}`,
  ])
    expect((await joe.get(path)).status).toBeGreaterThanOrEqual(400)
}

const inMails = (place: string) => place === 'mails'
const notInDatabase = (place: string) => !/^(mongo|file mongo)/.test(place) && !inMails(place)

/** The text as it is, without its blanks, and as it would look inside Base64 or hex. */
function guises(secret: string): string[] {
  return [...new Set([secret, secret.replace(/\s/g, '')])].flatMap((text) => {
    const shifted = [0, 1, 2].map((offset) => {
      const encoded = Buffer.from('x'.repeat(offset) + text).toString('base64')
      // The first and the last group hold bits of what is beside it.
      return encoded.slice(offset === 0 ? 0 : 4, -4)
    })
    return [text, Buffer.from(text).toString('hex'), ...shifted.filter((part) => part.length >= 8)]
  })
}

function placesOf(secret: string, among: (place: string) => boolean = () => true): string[] {
  expect(secret.length).toBeGreaterThan(3)
  const wanted = guises(secret)
  return [...stores].filter(([place, content]) => among(place) && wanted.some((guise) => content.includes(guise))).map(([place]) => place)
}

describe('after all these journeys', () => {
  test('EVT-03: what is looked through is really what the system has written and kept', () => {
    const text = (place: string) => stores.get(place) ?? ''
    expect(text('output').split('\n').length).toBeGreaterThan(50)
    expect(text('output')).toContain('"err":{')
    for (const service of ['search', 'booking', 'payment', 'identity', 'brand', 'gateway'])
      expect(text('output')).toContain(`"service":"${service}"`)
    for (const place of [
      'mongo booking.bookings',
      'mongo payment.payments',
      'mongo identity.users',
      'mongo identity.sessions',
      'mongo brand.brands',
    ])
      expect(text(place).length, place).toBeGreaterThan(100)
    for (const reference of references)
      expect(placesOf(reference)).toEqual(expect.arrayContaining(['mongo booking.bookings', 'kafka booking.events', 'mails']))
    for (const type of ['confirmed', 'cancelled', 'failed', 'pending'])
      expect(text('kafka booking.events')).toContain(`travel.booking.${type}.v1`)
    expect(text('kafka payment.events')).toContain('travel.payment.refunded.v1')
    expect(text('kafka identity.events')).toContain('travel.account.created.v1')
    expect(text('redis')).toContain('gateway:session:')
    expect(sessionTokens.size).toBeGreaterThan(8)
    expect(generated.every((password) => password.length === 16)).toBe(true)
    expect([...statuses].sort()).toEqual(['cancelled', 'confirmed', 'pending'])
  })

  test.each([
    ['the card number', card.number],
    ['a declined card number', DECLINED],
    ['the name on the card', card.holderName],
    ['a passport number', PASSPORT],
    ['a frequent flyer number', FREQUENT_FLYER],
    ['a password at registration', REGISTERED],
    ['a wrong password', WRONG],
    ['a changed password', CHANGED],
    ['a password chosen with a link', CHOSEN],
  ])('%s is nowhere', (_, secret) => {
    expect(placesOf(secret)).toEqual([])
  })

  test('the security code of the card is nowhere', () => {
    const ways = [`"${card.cvv}"`, `'${card.cvv}'`, `\\"${card.cvv}\\"`, `\x05\0\0\0${card.cvv}\0`, `cvv=${card.cvv}`]
    const found = [...stores].filter(
      ([, content]) => ways.some((way) => content.includes(way)) || new RegExp(`cv[vc]\\W{1,6}${card.cvv}`, 'i').test(content),
    )
    expect(found.map(([place]) => place)).toEqual([])
  })

  test('R-45: a made-up password was told in an answer and is nowhere else', () => {
    expect(generated).toHaveLength(2)
    for (const password of generated) expect(placesOf(password)).toEqual([])
  })

  test('of a session only the hash is kept', () => {
    for (const token of sessionTokens) expect(placesOf(token)).toEqual([])
  })

  test('of a link only the hash is kept; the link itself is in its mail alone', () => {
    expect(links).toHaveLength(1)
    for (const link of links) expect(placesOf(link)).toEqual(['mails'])
  })

  test('names and addresses are in the database and in mails, never in logs, events or the cache', () => {
    for (const email of emails) expect(placesOf(email, notInDatabase)).toEqual([])
    expect(placesOf(FIRST_NAME, notInDatabase)).toEqual([])
    expect(placesOf(FIRST_NAME)).toEqual(expect.arrayContaining(['mongo booking.bookings', 'mails']))
  })
})
