/** Visitors who send marked secrets through the whole system, on good ways and bad ones, and what they were told on the way. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Booking } from '@passerelle/contracts/http/booking'
import type { FlightOffer } from '@passerelle/contracts/http/search'
import { day } from './searches.fixture.ts'
import { control, eventually, ledger, type Mailbox, party, Visitor } from './test-visitor.fixture.ts'

/** What must be nowhere. */
export const marks = {
  card: { number: '5555 5555 5555 4444', expiryMonth: '11', expiryYear: '37', cvv: '8347', holderName: 'Canary Cardholder' },
  declined: '4000 0000 0000 9995',
  passport: 'ZQ7CANARY4',
  frequentFlyer: 'FQ7CANARY8',
  registered: 'canary-registered-pw',
  wrong: 'canary-wrong-pw',
  changed: 'Canary-Changed-2468',
  chosen: 'Canary-Chosen-2468',
}
const {
  card,
  declined: DECLINED,
  passport: PASSPORT,
  frequentFlyer: FREQUENT_FLYER,
  registered: REGISTERED,
  wrong: WRONG,
  changed: CHANGED,
  chosen: CHOSEN,
} = marks
/** May be in the databases and in mails, and nowhere else. */
export const FIRST_NAME = 'Canarina'

export type Place = { url: string; duffel: string; stripe: string; mailbox: string }

/** Journeys to take one after another, as often as wanted; what they collect in `told` is looked for afterwards. */
export function canaries(system: Place) {
  const told = {
    /** Made by the system on the way: what must be nowhere, and what may be in the mail alone. */
    generated: [] as string[],
    sessionTokens: new Set<string>(),
    links: [] as string[],
    emails: [] as string[],
    references: [] as string[],
    /** Cancelled, failed and pending among them, so that what is looked through has been everywhere. */
    statuses: new Set<string>(),
  }
  const { generated, sessionTokens, links, emails, references, statuses } = told

  /** Notes every cookie that the system hands out. */
  class Watched extends Visitor {
    override async call<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const answer = await super.call<T>(method, path, body, headers)
      for (const token of this.cookies.values()) sessionTokens.add(token)
      return answer
    }
  }

  let ahead = 0
  /** Suppliers forget no search, so that each journey has one of its own. */
  const search = () => `origin=CDG&destination=LIS&departureDate=${day(50 + (++ahead % 250))}`
  const refundable = (offer: FlightOffer) => offer.conditions.refundable && offer.owner.iata_code === 'ZZ'
  const passengersOf = (offer: FlightOffer) => {
    const [airline] = offer.supported_loyalty_programmes ?? []
    const frequentFlyer = airline && { frequentFlyerAirline: airline, frequentFlyerNumber: FREQUENT_FLYER }
    const passengers = party(offer, { passportNumber: PASSPORT, firstName: FIRST_NAME, ...frequentFlyer })
    emails.push(String(passengers[0]?.email))
    return passengers
  }
  const visitor = () => new Watched(system.url)

  async function paidThenCancelled(): Promise<void> {
    // The first mails are refused, with the address in the refusal.
    await control(system.mailbox, 'faults', { effect: 'smtp', status: 451, times: 2 })
    const ines = visitor()
    const offer = await ines.offer(search(), refundable)
    const paid = await ines.pay(offer, { card })
    const passengers = passengersOf(offer)
    const email = String(passengers[0]?.email)
    const booked = await ines.book(offer, { paymentId: paid.body.paymentId }, { passengers, key: 'canary-key' })
    deepEqual([booked.status, booked.body.accountCreated], [201, true])
    generated.push(booked.body.accountInfo?.password ?? '')
    references.push(booked.body.bookingReference)
    await visitor().book(offer, { paymentId: paid.body.paymentId }, { passengers, key: 'canary-key' })
    const cancelled = await ines.post(`/api/bookings/${booked.body.id}/cancel`)
    equal(cancelled.status, 200)
    await eventually('the refund', async () => (await ines.get<Booking>(`/api/bookings/${booked.body.id}`)).body.refund?.refundedAt)
    statuses.add((await ines.get<Booking>(`/api/bookings/${booked.body.id}`)).body.status)
    const welcome = await eventually('the welcome', async () =>
      (await ledger<Mailbox>(system.mailbox)).messages.find((mail) => mail.to.includes(email) && mail.subject.startsWith('Your account')),
    )
    const token = /set-password#([\w-]+)/.exec(welcome.text)?.[1] ?? ''
    links.push(token)
    equal((await ines.post('/api/auth/set-password', { token, newPassword: CHOSEN })).status, 200)
    equal((await ines.post('/api/auth/login', { username: email, password: CHOSEN })).status, 200)
  }

  async function paidDirectly(): Promise<void> {
    const paul = visitor()
    const offer = await paul.offer(search())
    const booked = await paul.book(offer, { cardDetails: card }, { passengers: passengersOf(offer) })
    equal(booked.body.status, 'confirmed')
    generated.push(booked.body.accountInfo?.password ?? '')
    references.push(booked.body.bookingReference)
    statuses.add(booked.body.status)
  }

  async function declined(): Promise<void> {
    const eva = visitor()
    const offer = await eva.offer(search())
    equal((await eva.pay(offer, { card: { ...card, number: DECLINED } })).status, 402)
    const direct = await eva.book(offer, { cardDetails: { ...card, number: DECLINED } }, { passengers: passengersOf(offer) })
    equal(direct.status, 402)
  }

  async function failed(): Promise<void> {
    const lou = visitor()
    const refused = await lou.offer(search())
    await control(system.duffel, 'cases', { case: 'insufficient-balance', route: 'CDG-LIS', times: 1 })
    equal((await lou.book(refused, { cardDetails: card }, { passengers: passengersOf(refused) })).status, 422)
    const unknown = await lou.offer(search())
    await control(system.duffel, 'cases', { case: 'order-502-unknown', route: 'CDG-LIS', times: 1 })
    const pending = await lou.book(unknown, { cardDetails: card }, { passengers: passengersOf(unknown) })
    equal(pending.status, 202)
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
    ok((await kim.pay(offer, { card })).body.success !== true)
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
      ok(booked.status !== 201)
    }
    await control(system.duffel, 'faults', undefined, 'DELETE')
  }

  async function account(): Promise<void> {
    const ana = visitor()
    const email = `ana${Date.now()}@example.org`
    emails.push(email)
    const user = { username: `ana${Date.now()}`, email, firstName: 'Ana', lastName: 'Sousa', password: REGISTERED }
    equal((await ana.post('/api/auth/register', user)).status, 201)
    equal((await ana.post('/api/auth/register', user)).status, 409)
    equal((await ana.post('/api/auth/register', { ...user, email: REGISTERED })).status, 400)
    equal((await ana.post('/api/auth/login', { username: email, password: WRONG })).status, 401)
    // Into the wrong field, as it happens.
    equal((await ana.post('/api/auth/login', { username: WRONG, password: REGISTERED })).status, 401)
    equal((await ana.post('/api/auth/login', { username: email, password: REGISTERED })).status, 200)
    equal((await ana.post('/api/auth/change-password', { currentPassword: REGISTERED, newPassword: CHANGED })).status, 200)
    equal((await ana.post('/api/auth/logout')).status, 200)
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
        ok(answer.status >= 400 && answer.status < 500, `${path}: ${answer.status}`)
        // Four digits also occur by chance in an id that is made anew for each request.
        const { requestId: _, ...said } = answer.body as Record<string, unknown>
        ok(!/5555 5555|8347|ZQ7CANARY4|canary-registered/.test(JSON.stringify(said)), path)
      }
    for (const path of [
      `/api/flights/offer/${PASSPORT}`,
      `/api/bookings/${PASSPORT}`,
      `/api/flights/search?origin=${PASSPORT}&password=${REGISTERED}`,
    ])
      ok((await joe.get(path)).status >= 400, path)
  }

  return { told, journeys: { paidThenCancelled, paidDirectly, declined, failed, echoed, account, nonsense } }
}
