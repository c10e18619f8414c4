/** Load in an open model: what is due is started when it is due, however slow the answers are. */
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

export type Load<T> = {
  done: T[]
  /** Not started because too many were under way. */
  dropped: number
  underWay(): number
  /** Starts no more, waits for those under way, and returns all. */
  stop(): Promise<T[]>
}

/** Begins `work` `perSecond` times a second, but no more than `most` at once. */
function steadily<T>(perSecond: number, most: number, work: () => Promise<T>): Load<T> {
  const running = new Set<Promise<void>>()
  let stopping = false
  const load: Load<T> = {
    done: [],
    dropped: 0,
    underWay: () => running.size,
    async stop() {
      stopping = true
      await beginning
      await Promise.all(running)
      return load.done
    },
  }
  const beginOne = () => {
    const one = work().then((result) => {
      load.done.push(result)
      running.delete(one)
    })
    running.add(one)
  }
  const beginAll = async () => {
    const began = performance.now()
    for (let n = 0; !stopping; n++) {
      await delay(Math.max(0, began + (n * 1000) / perSecond - performance.now()))
      if (running.size >= most) load.dropped++
      else if (!stopping) beginOne()
    }
  }
  const beginning = beginAll()
  return load
}

type Step = 'search' | 'offer' | 'pay' | 'book'

/** What a visitor was told. A 2xx answer is a promise. */
export type Journey = {
  email: string
  /** Shown total of the offer. */
  price: { amount: string; currency: string } | null
  /** Acknowledged by process-card. */
  paymentId: string | null
  /** Acknowledged by the booking. */
  booked: { id: string; status: string; bookingReference: string } | null
  /** Answers that were no success, in order: "book 503 UPSTREAM_UNAVAILABLE". */
  failures: string[]
  failedAt: Step | null
  ms: number
}

type BookingOptions = {
  perSecond: number
  random(): number
  /** Searches that the journeys begin with. */
  searches: number
  /** As the website does: a call without an outcome is made again with the same key. Otherwise the first failure ends the journey. */
  insist: boolean
  maxUnderWay?: number
}

/** Somebody who calls the product; each journey is a new one's. */
export type Traveller = {
  call<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<{ status: number; body: T }>
}

const TRIES = 12

export function startBookings(newcomer: () => Traveller, options: BookingOptions): Load<Journey> {
  const { perSecond, maxUnderWay = 200, random, searches, insist } = options
  return steadily(perSecond, maxUnderWay, () => travel(newcomer(), Math.floor(random() * searches), insist))
}

class NoSuccess extends Error {}

async function travel(visitor: Traveller, index: number, insist: boolean): Promise<Journey> {
  const began = performance.now()
  const journey: Journey = { email: '', price: null, paymentId: null, booked: null, failures: [], failedAt: null, ms: 0 }
  let step: Step = 'search'
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers: Record<string, string> = body ? { 'idempotency-key': crypto.randomUUID() } : {}
    for (let tries = 1; ; tries++) {
      let failure: string
      let final = false
      try {
        const answer = await visitor.call<T & { error?: string }>(method, path, body, headers)
        if (answer.status < 300) return answer.body
        failure = `${answer.status} ${answer.body?.error}`
        final = answer.status < 500 && answer.status !== 429 && answer.body?.error !== 'PAYMENT_IN_PROGRESS'
      } catch (error) {
        failure = String((error as { cause?: { code?: string } }).cause?.code ?? error)
      }
      journey.failures.push(`${step} ${failure}`)
      if (!insist || final || tries >= TRIES) throw new NoSuccess(failure)
      await delay(1000)
    }
  }
  try {
    const { offers } = await call<SearchResults>('GET', `/api/flights/search?${searchQuery(index)}`)
    const listed = offers[index % offers.length]
    if (!listed) throw new NoSuccess('no offers')
    step = 'offer'
    const offer = await call<FlightOffer>('GET', `/api/flights/offer/${listed.id}`)
    const price = { amount: offer.price.total, currency: offer.price.currency }
    const passengers = party(offer)
    Object.assign(journey, { price, email: String(passengers[0]?.email) })
    step = 'pay'
    const payment = { ...price, cardDetails: testCard, offerId: offer.id, seats: [] }
    const { paymentId } = await call<{ paymentId: string }>('POST', '/api/payments/process-card', payment)
    journey.paymentId = paymentId
    step = 'book'
    const request = { offerId: offer.id, passengers, seats: [], paymentDetails: { ...price, paymentId } }
    journey.booked = await call<NonNullable<Journey['booked']>>('POST', '/api/bookings', request)
  } catch (error) {
    if (!(error instanceof NoSuccess)) throw error
    journey.failedAt = step
  }
  journey.ms = Math.round(performance.now() - began)
  return journey
}

export type Read = { at: number; ms: number; status: number; cache: string | null }

/** `perSecond` searches out of `searches`, the k-th as often as 1/k. */
export function startSearches(url: string, options: { perSecond: number; random(): number; searches: number }): Load<Read> {
  const cumulated: number[] = []
  for (let rank = 1; rank <= options.searches; rank++) cumulated.push((cumulated.at(-1) ?? 0) + 1 / rank)
  const pick = () => {
    const drawn = options.random() * (cumulated.at(-1) ?? 0)
    return cumulated.findIndex((upTo) => drawn < upTo)
  }
  return startReads(options.perSecond, () => `${url}/api/flights/search?${searchQuery(pick())}`)
}

/** `perSecond` GETs of what `address` says. Bodies are read and thrown away. */
export function startReads(perSecond: number, address: () => string): Load<Read> {
  return steadily(perSecond, 400, async () => {
    const at = performance.now()
    const answer = await fetch(address(), { signal: AbortSignal.timeout(20_000) }).catch(() => undefined)
    const whole = await answer?.arrayBuffer().catch(() => undefined)
    const cache = answer?.headers.get('x-cache') ?? null
    return { at, ms: performance.now() - at, status: whole && answer ? answer.status : 0, cache }
  })
}
