/** A visitor of the whole local system over plain HTTP, with a cookie jar, and a view of the outside world's ledgers. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BookingCreated } from '@passerelle/contracts/http/booking'
import type { FlightOffer, SearchResults, SeatMap } from '@passerelle/contracts/http/search'
import { addAmounts } from '@passerelle/contracts/rules/money'
import { freePorts } from '@passerelle/servers/ports'
import { PATIENT_CACHE } from '@passerelle/servers/test/test-servers'
import { type RunningSystem, startSystem } from './one-process.ts'

export type Answer<T = Record<string, unknown>> = { status: number; body: T; headers: Headers }

export type LocalSystem = RunningSystem & {
  duffel: string
  stripe: string
  mailbox: string
  dataDir: string
  /** `between`: done while nothing runs. */
  restart(between?: () => Promise<unknown>): Promise<void>
}

/** The whole product on free ports with a data folder of its own. */
export async function localSystem(environment: Record<string, string> = {}): Promise<LocalSystem> {
  const dataDir = mkdtempSync(join(tmpdir(), 'passerelle-'))
  const [port = 0, duffel, stripe, mailbox, smtp] = await freePorts(5)
  const namespace = `t${Math.random().toString(36).slice(2, 8)}-`
  const begin = () =>
    startSystem({
      environment: {
        ...process.env,
        LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
        RATE_LIMIT_FACTOR: '1000',
        // All visitors of a test come from one address.
        CARD_DECLINES_PER_NETWORK: '1000000',
        // A test machine may be busy; what is tested is the account, not the clock.
        ACCOUNT_WITHIN_MS: '20000',
        ...PATIENT_CACHE,
        NAMESPACE: namespace,
        DUFFEL_SIMULATOR_PORT: String(duffel),
        DUFFEL_SIMULATOR_LATENCY_MS: '0',
        STRIPE_SIMULATOR_PORT: String(stripe),
        MAILBOX_PORT: String(mailbox),
        SMTP_PORT: String(smtp),
        ...environment,
      },
      dataDir,
      port,
      adminPort: 0,
      webDist: 'web/dist',
    })
  let running = await begin()
  const local: LocalSystem = {
    ...running,
    dataDir,
    duffel: `http://127.0.0.1:${duffel}`,
    stripe: `http://127.0.0.1:${stripe}`,
    mailbox: `http://127.0.0.1:${mailbox}`,
    async restart(between) {
      await running.stop()
      await between?.()
      running = await begin()
    },
    async stop() {
      await running.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return local
}

export class Visitor {
  readonly url: string
  cookies = new Map<string, string>()

  constructor(url: string) {
    this.url = url
  }

  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(cookie && { cookie }), ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      if (/Max-Age=0/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const text = await response.text()
    const isFile = response.ok && !/^application\/json\b/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, body: (isFile ? text : text ? JSON.parse(text) : null) as T, headers: response.headers }
  }

  /** As a browser that was here before: it has a session, so that whatever it asks at the same time is asked by one visitor. */
  async known(): Promise<this> {
    if (this.cookies.size === 0) await this.post('/api/auth/guest-session')
    return this
  }

  get<T = Record<string, unknown>>(path: string): Promise<Answer<T>> {
    return this.call<T>('GET', path)
  }

  post<T = Record<string, unknown>>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer<T>> {
    return this.call<T>('POST', path, body, headers)
  }

  async search(query: string): Promise<SearchResults> {
    const answer = await this.get<SearchResults>(`/api/flights/search?${query}`)
    if (answer.status !== 200) throw new Error(`search: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** The first offer of a search that fits, as the detail page reads it. */
  async offer(query: string, fits: (offer: FlightOffer) => boolean = () => true): Promise<FlightOffer> {
    const { offers } = await this.search(`${query}&limit=100`)
    const found = offers.find(fits)
    if (!found) throw new Error(`no such offer on ${query}`)
    return (await this.get<FlightOffer>(`/api/flights/offer/${found.id}`)).body
  }

  async freeSeat(
    offer: FlightOffer,
    passengerId: string,
    segmentIndex = 0,
    skip = 0,
  ): Promise<{ passengerId: string; seatId: string; segmentId: string; price: { amount: string; currency: string } }> {
    const maps = (await this.get<{ data: SeatMap[] }>(`/api/flights/seatmaps/${offer.id}`)).body.data
    const segment = maps.flatMap((map) => map.segments)[segmentIndex]
    const seats = (segment?.cabins ?? [])
      .flatMap((cabin) => cabin.rows)
      .flatMap((row) => row.sections)
      .flatMap((section) => section.elements)
      .filter((element) => element.available_services.some((service) => service.passenger_id === passengerId))
    const seat = seats[skip]
    const service = seat?.available_services.find((one) => one.passenger_id === passengerId)
    if (!segment || !seat?.designator || !service) throw new Error('no free seat')
    return { passengerId, seatId: seat.designator, segmentId: segment.segment_id, price: service.price }
  }

  pay(
    offer: FlightOffer,
    more: { seats?: { price: { amount: string } }[]; card?: object; amount?: string } = {},
  ): Promise<Answer<{ success: boolean; paymentId: string; message?: string; error?: string }>> {
    const seats = more.seats ?? []
    const amount = more.amount ?? addAmounts(offer.price.total, ...seats.map((seat) => seat.price.amount))
    return this.post(
      '/api/payments/process-card',
      { amount, currency: offer.price.currency, cardDetails: { ...testCard, ...more.card }, offerId: offer.id, seats },
      { 'idempotency-key': crypto.randomUUID() },
    )
  }

  book(
    offer: FlightOffer,
    payment: object,
    more: { seats?: { price: { amount: string } }[]; passengers?: object[]; key?: string; amount?: string } = {},
  ): Promise<Answer<BookingCreated & { error?: string; message?: string; details?: Record<string, unknown> }>> {
    const seats = more.seats ?? []
    const amount = more.amount ?? addAmounts(offer.price.total, ...seats.map((seat) => seat.price.amount))
    return this.post(
      '/api/bookings',
      {
        offerId: offer.id,
        passengers: more.passengers ?? party(offer),
        seats,
        paymentDetails: { amount, currency: offer.price.currency, ...payment },
      },
      more.key ? { 'idempotency-key': more.key } : {},
    )
  }
}

export const testCard = { number: '4242 4242 4242 4242', expiryMonth: '12', expiryYear: '34', cvv: '123', holderName: 'Ines Moreau' }

let travellers = 0
const surnames = ['Moreau', 'Lefèvre', "O'Neill", 'Garcia-Lopez', 'Müller', 'Rossi', 'Novak', 'Silva']

/** Passengers that fit an offer, with passports; each party has an e-mail of its own. */
export function party(offer: FlightOffer, change: object = {}): Record<string, unknown>[] {
  const number = ++travellers
  const departure = Number(offer.slices[0]?.departure_time.slice(0, 4))
  const birth = {
    adult: '1988-06-15',
    child: `${departure - 7}-01-20`,
    infant_without_seat: `${departure - 1}-${offer.slices.at(-1)?.departure_time.slice(5, 7)}-28`,
  }
  return offer.passengers.map((passenger, index) => ({
    id: passenger.id,
    type: passenger.type,
    title: 'ms',
    gender: 'female',
    firstName: ['Inès', 'Claire', 'Zoë', 'Lou', 'Eva'][index % 5],
    lastName: surnames[(number + index) % surnames.length],
    dateOfBirth: birth[passenger.type],
    passportNumber: `19KL5${number}${index}7`,
    passportExpiryDate: '2034-04-25',
    passportIssuingCountry: 'FR',
    ...(index === 0 && { email: `ines${number}.${Date.now()}@example.org`, phone: '+33 1 23 45 67 89' }),
    ...change,
  }))
}

export type DuffelLedger = {
  counts: Record<string, number>
  searches: unknown[]
  orders: {
    id: string
    booking_reference: string
    total_amount: string
    total_currency: string
    metadata: Record<string, string>
    cancelled_at: string | null
  }[]
}
export type StripeLedger = {
  intents: {
    id: string
    amount: number
    currency: string
    status: string
    captured: number
    refunded: number
    metadata: Record<string, string>
  }[]
  counts: { webhooks: { delivered?: number; pending?: number; 'given-up'?: number } }
}
export type Mailbox = { messages: { to: string[]; subject: string; text: string; messageId: string }[] }

export async function ledger<T>(simulator: string): Promise<T> {
  return (await (await fetch(`${simulator}/_sim/ledger`)).json()) as T
}

export async function control(simulator: string, path: string, body?: object, method = 'POST'): Promise<void> {
  const response = await fetch(`${simulator}/_sim/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

export async function eventually<T>(what: string, read: () => Promise<T | undefined | false | null>, seconds = 15): Promise<T> {
  for (let i = 0; i < seconds * 20; i++) {
    const value = await read()
    if (value) return value
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(`${what} did not happen within ${seconds} s`)
}
