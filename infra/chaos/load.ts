/** Load in an open model: what is due is started when it is due, however slow the answers are. */

import { Agent, get } from 'node:http'
import type { FlightOffer, SearchResults } from '@passerelle/contracts/http/search'
import { delay } from '@passerelle/kit/runtime'
import { party, testCard } from '@passerelle/local/test-visitor.fixture'

const ROUTES = ['BOD-TLS', 'NCE-MRS', 'HEL-TLL', 'EDI-GLA', 'AJA-BIA', 'BFS-DUB', 'LTN-LHR', 'BTS-VIE']
const DAY_MS = 86_400_000

/** One of `ROUTES.length * 300` searches. */
export function searchQuery(index: number): string {
  const [origin = '', destination = ''] = (ROUTES[index % ROUTES.length] ?? '').split('-')
  const date = new Date(Date.now() + (20 + (Math.floor(index / ROUTES.length) % 300)) * DAY_MS).toISOString().slice(0, 10)
  return new URLSearchParams({ origin, destination, departureDate: date, limit: '10' }).toString()
}

export type Step = 'search' | 'offer' | 'pay' | 'book'

/** What a visitor was told. A 2xx answer is a promise. */
export type Journey = {
  email: string
  offerId: string | null
  /** Shown total of the offer. */
  price: { amount: string; currency: string } | null
  /** Acknowledged by process-card. */
  paymentId: string | null
  /** Acknowledged by the booking. */
  booked: { id: string; status: string; reference: string; charged: { amount: string; currency: string } } | null
  /** Answers that were no success, in order: "book 503 UPSTREAM_UNAVAILABLE". */
  failures: string[]
  failedAt: Step | null
  ms: number
}

export type BookingLoad = {
  journeys: Journey[]
  /** Not started because too many were under way. */
  dropped: number
  underWay(): number
  /** Starts no more, and waits for those under way. */
  stop(): Promise<void>
}

export type BookingOptions = {
  perSecond: number
  random(): number
  /** Searches that the journeys begin with. */
  searches: number
  /** As the website does: a call without an outcome is made again with the same key. Otherwise the first failure ends the journey. */
  insist: boolean
  maxUnderWay?: number
}

const TRIES = 12

/** Somebody who calls the product; each journey is a new one's. */
export type Traveller = {
  call<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<{ status: number; body: T }>
}

export function startBookings(newcomer: () => Traveller, options: BookingOptions): BookingLoad {
  const journeys: Journey[] = []
  const running = new Set<Promise<void>>()
  const load: BookingLoad = {
    journeys,
    dropped: 0,
    underWay: () => running.size,
    async stop() {
      await due.stop()
      await Promise.all(running)
    },
  }
  const due = steadily(options.perSecond, () => {
    if (running.size >= (options.maxUnderWay ?? 200)) return void load.dropped++
    const index = Math.floor(options.random() * options.searches)
    const journey = travel(newcomer(), index, options.insist).then((done) => {
      journeys.push(done)
      running.delete(journey)
    })
    running.add(journey)
  })
  return load
}

/** Begins something `perSecond` times a second, when it is due, whatever became of the ones before. */
function steadily(perSecond: number, begin: () => void): { stop(): Promise<void> } {
  let stopping = false
  const loop = (async () => {
    const began = performance.now()
    for (let started = 0; !stopping; started++) {
      const wait = began + (started * 1000) / perSecond - performance.now()
      if (wait > 0) await delay(wait)
      if (!stopping) begin()
    }
  })()
  return {
    stop() {
      stopping = true
      return loop
    },
  }
}

class NoSuccess extends Error {}

async function travel(visitor: Traveller, index: number, insist: boolean): Promise<Journey> {
  const began = performance.now()
  const journey: Journey = { email: '', offerId: null, price: null, paymentId: null, booked: null, failures: [], failedAt: null, ms: 0 }
  let step: Step = 'search'
  const call = async <T>(method: string, path: string, body?: unknown, key?: string): Promise<T> => {
    for (let tries = 1; ; tries++) {
      let said: string
      let final = false
      try {
        const answer = await visitor.call<T & { error?: string }>(method, path, body, key ? { 'idempotency-key': key } : {})
        if (answer.status < 300) return answer.body
        said = `${answer.status} ${answer.body?.error}`
        final = answer.status < 500 && answer.status !== 429 && answer.body?.error !== 'PAYMENT_IN_PROGRESS'
      } catch (error) {
        said = String((error as { cause?: { code?: string } }).cause?.code ?? error)
      }
      journey.failures.push(`${step} ${said}`)
      if (!insist || final || tries >= TRIES) throw new NoSuccess(said)
      await delay(1000)
    }
  }
  try {
    const { offers } = await call<SearchResults>('GET', `/api/flights/search?${searchQuery(index)}`)
    const listed = offers[index % offers.length]
    if (!listed) throw new NoSuccess('no offers')
    step = 'offer'
    const offer = await call<FlightOffer>('GET', `/api/flights/offer/${listed.id}`)
    journey.offerId = offer.id
    journey.price = { amount: offer.price.total, currency: offer.price.currency }
    const passengers = party(offer)
    journey.email = String(passengers[0]?.email)
    const money = { amount: offer.price.total, currency: offer.price.currency }
    step = 'pay'
    const payment = { ...money, cardDetails: testCard, offerId: offer.id, seats: [] }
    const paid = await call<{ paymentId: string }>('POST', '/api/payments/process-card', payment, crypto.randomUUID())
    journey.paymentId = paid.paymentId
    step = 'book'
    const request = { offerId: offer.id, passengers, seats: [], paymentDetails: { ...money, paymentId: paid.paymentId } }
    const booked = await call<NonNullable<Journey['booked']> & { bookingReference: string }>(
      'POST',
      '/api/bookings',
      request,
      crypto.randomUUID(),
    )
    journey.booked = { id: booked.id, status: booked.status, reference: booked.bookingReference, charged: booked.charged }
  } catch (error) {
    if (!(error instanceof NoSuccess)) throw error
    journey.failedAt = step
  }
  journey.ms = Math.round(performance.now() - began)
  return journey
}

export type SearchAnswer = { at: number; ms: number; status: number; cache: string | null }

export type SearchLoad = { answers: SearchAnswer[]; dropped: number; stop(): Promise<void> }

/** `perSecond` searches out of `searches`, the k-th as often as 1/k. */
export function startSearches(url: string, options: { perSecond: number; random(): number; searches: number }): SearchLoad {
  const cumulated: number[] = []
  for (let rank = 1; rank <= options.searches; rank++) cumulated.push((cumulated.at(-1) ?? 0) + 1 / rank)
  const pick = () => {
    const drawn = options.random() * (cumulated.at(-1) ?? 0)
    return cumulated.findIndex((upTo) => drawn < upTo)
  }
  return startReads(options.perSecond, () => `${url}/api/flights/search?${searchQuery(pick())}`)
}

/** `perSecond` GETs of what `address` says. Bodies are read and thrown away. */
export function startReads(perSecond: number, address: () => string): SearchLoad {
  const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: 60_000 })
  const running = new Set<Promise<void>>()
  const load: SearchLoad = {
    answers: [],
    dropped: 0,
    async stop() {
      await due.stop()
      await Promise.all(running)
      agent.destroy()
    },
  }
  const due = steadily(perSecond, () => {
    if (running.size >= 400) return void load.dropped++
    const asked = ask(address(), agent).then((answer) => {
      load.answers.push(answer)
      running.delete(asked)
    })
    running.add(asked)
  })
  return load
}

function ask(address: string, agent: Agent): Promise<SearchAnswer> {
  const at = performance.now()
  return new Promise((resolve) => {
    const done = (status: number, cache: string | null) => resolve({ at, ms: performance.now() - at, status, cache })
    const request = get(address, { agent, timeout: 20_000 }, (response) => {
      response.resume()
      response.on('end', () => done(response.statusCode ?? 0, (response.headers['x-cache'] as string | undefined) ?? null))
      response.on('error', () => done(0, null))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => done(0, null))
  })
}
