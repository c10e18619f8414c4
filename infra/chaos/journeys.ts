/** Visitors who search, pay, book, cancel, and note every answer that they get. */
import type { FlightOffer, SearchResults } from '@passerelle/contracts/http/search'
import { delay } from '@passerelle/kit/runtime'
import { party, testCard } from '@passerelle/local/test-visitor.fixture'
import { type Load, searchQuery, steadily } from './load.ts'

type Step = 'search' | 'offer' | 'pay' | 'book' | 'read' | 'cancel'

type Told = {
  id: string
  status: string
  bookingReference: string
  accountCreated?: boolean
  accountInfo?: { password: string | null } | null
}

/** One HTTP answer as a visitor got it; `booking` when it shows one. Milliseconds since 1970. */
export type Answer = { asked: number; at: number; step: Step; status: number; error: string | null; text: string; booking: Told | null }

/** What a visitor was told. A 2xx answer is a promise. */
export type Journey = {
  email: string
  /** Shown to the visitor once, kept nowhere. */
  password: string | null
  /** Shown total of the offer. */
  price: { amount: string; currency: string } | null
  /** Acknowledged by process-card. */
  paymentId: string | null
  /** The first acknowledgement of the booking. */
  booked: Told | null
  answers: Answer[]
  /** Answers that were no success, in order: "book 503 UPSTREAM_UNAVAILABLE". */
  failures: string[]
  failedAt: Step | null
  ms: number
}

/** Shares of visitors, 0 to 1, who do something else than book once and go. */
export type Habits = {
  /** Their card is declined. */
  declines: number
  /** They send the booking twice at the same moment, with one key. */
  twice: number
  /** They have booked before: the address belongs to an account. */
  again: number
  /** They cancel what is confirmed, clicking twice. */
  cancels: number
  /** They cancel while they are told "pending". */
  cancelsEarly: number
  /** They have paid, and book when a hold of the campaign has come to its end. */
  late: number
}

type BookingOptions = {
  perSecond: number
  random(): number
  /** Searches that the journeys begin with. */
  searches: number
  /** As the website does: a call without an outcome is made again with the same key. Otherwise the first failure ends the journey. */
  insist: boolean
  maxUnderWay?: number
  habits?: Partial<Habits>
  /** No more than so many are begun. */
  most?: number
}

/** Somebody who calls the product; each journey is a new one's. */
export type Traveller = {
  call<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<{ status: number; body: T }>
}

const TRIES = 12
/** How long a visitor looks at a booking that is pending, once a second and a half. */
const READS = 60
const LOOKS = 8
const READ_MS = 1500
/** Somewhat longer than the holds of a campaign with visitors who book late. */
const LATE_MS = 12_000
const DECLINED = '4000 0000 0000 0002'

export function startBookings(newcomer: () => Traveller, options: BookingOptions): Load<Journey> {
  const { perSecond, maxUnderWay = 200, random, searches, insist, habits = {}, most } = options
  const emails: string[] = []
  const begin = async () => {
    const does = (habit: keyof Habits) => random() < (habits[habit] ?? 0)
    const [decline, twice, again, cancel, cancelEarly, late] = [
      does('declines'),
      does('twice'),
      does('again'),
      does('cancels'),
      does('cancelsEarly'),
      does('late'),
    ]
    const index = Math.floor(random() * searches)
    const email = again ? emails[Math.floor(random() * emails.length)] : undefined
    const journey = await travel(newcomer(), { index, insist, decline, twice, email, cancel, cancelEarly, late })
    if (journey.booked && !email) emails.push(journey.email)
    return journey
  }
  return steadily(perSecond, maxUnderWay, begin, most)
}

export type Plan = {
  index: number
  insist: boolean
  decline?: boolean
  twice?: boolean
  email?: string | undefined
  cancel?: boolean
  cancelEarly?: boolean
  late?: boolean
}

class NoSuccess extends Error {}

/** Nobody knows what came of it: the website asks again. */
const isOpenEnded = (status: number, error: string | null) =>
  (status >= 500 && error !== 'BOOKING_FAILED') || status === 429 || error === 'PAYMENT_IN_PROGRESS'

/** One visitor from the search to the end that the booking comes to. */
export async function travel(visitor: Traveller, plan: Plan): Promise<Journey> {
  const began = performance.now()
  const journey: Journey = {
    ...{ email: '', password: null, price: null, paymentId: null, booked: null },
    ...{ answers: [], failures: [], failedAt: null, ms: 0 },
  }
  let step: Step = 'search'
  const callOnce = async <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const asked = Date.now()
    const { status, body: given } = await visitor.call<T & Partial<Told> & { error?: string; message?: string }>(
      method,
      path,
      body,
      headers,
    )
    const error = status < 300 ? null : String(given?.error)
    const { id = '', status: state = '', bookingReference = '', accountCreated, accountInfo } = given ?? {}
    journey.password ??= accountInfo?.password ?? null
    const booking =
      error === null && bookingReference ? { id, status: state, bookingReference, accountCreated: accountCreated === true } : null
    journey.answers.push({ asked, at: Date.now(), step, status, error, text: given?.message ?? '', booking })
    return { status, error, body: given as T }
  }
  const call = async <T>(method: string, path: string, body?: unknown, key: string = crypto.randomUUID()): Promise<T> => {
    const headers: Record<string, string> = body ? { 'idempotency-key': key } : {}
    for (let tries = 1; ; tries++) {
      let failure: string
      let final = false
      try {
        const answer = await callOnce<T>(method, path, body, headers)
        if (answer.error === null) return answer.body
        failure = `${answer.status} ${answer.error}`
        final = !isOpenEnded(answer.status, answer.error)
      } catch (error) {
        failure = String((error as { cause?: { code?: string } }).cause?.code ?? error)
      }
      journey.failures.push(`${step} ${failure}`)
      if (!plan.insist || final || tries >= TRIES) throw new NoSuccess(failure)
      await delay(1000)
    }
  }
  /** The same request several times at once; the first success counts. */
  const together = async <T>(times: number, ask: () => Promise<T>): Promise<T> => {
    const all = await Promise.allSettled(Array.from({ length: times }, ask))
    const done = all.find((one) => one.status === 'fulfilled') ?? all[0]
    if (done?.status === 'fulfilled') return done.value
    throw done?.reason
  }
  try {
    const search = async (index: number) => (await call<SearchResults>('GET', `/api/flights/search?${searchQuery(index)}`)).offers
    let offers = await search(plan.index)
    const refundable = () => offers.filter(({ conditions }) => conditions.refund?.allowed)
    // Who will cancel looks on until there is a flight that can be cancelled.
    for (let more = 1; plan.cancel && more < LOOKS && refundable().length === 0; more++) offers = await search(plan.index + more)
    const suitable = plan.cancel && refundable().length > 0 ? refundable() : offers
    const listed = suitable[plan.index % suitable.length]
    if (!listed) throw new NoSuccess('no offers')
    step = 'offer'
    const offer = await call<FlightOffer>('GET', `/api/flights/offer/${listed.id}`)
    const price = { amount: offer.price.total, currency: offer.price.currency }
    const passengers = party(offer)
    if (plan.email && passengers[0]) passengers[0].email = plan.email
    Object.assign(journey, { price, email: String(passengers[0]?.email) })
    step = 'pay'
    const cardDetails = plan.decline ? { ...testCard, number: DECLINED } : testCard
    const { paymentId } = await call<{ paymentId: string }>('POST', '/api/payments/process-card', {
      ...{ ...price, cardDetails, offerId: offer.id, seats: [] },
    })
    journey.paymentId = paymentId
    if (plan.late) await delay(LATE_MS)
    step = 'book'
    const request = { offerId: offer.id, passengers, seats: [], paymentDetails: { ...price, paymentId } }
    const key = crypto.randomUUID()
    const booked = await together(plan.twice ? 2 : 1, () => call<Told>('POST', '/api/bookings', request, key))
    journey.booked = booked
    step = 'cancel'
    const cancel = () => together(2, () => call('POST', `/api/bookings/${booked.id}/cancel`))
    if (booked.status === 'pending' && plan.cancelEarly) await cancel()
    step = 'read'
    const read = () => call<Told & { cancellation: unknown }>('GET', `/api/bookings/${booked.id}`)
    let now = booked.status === 'pending' || plan.cancel ? await read() : null
    for (let reads = 1; now?.status === 'pending' && reads < READS; reads++) {
      await delay(READ_MS)
      now = await read()
    }
    step = 'cancel'
    if (plan.cancel && now?.status === 'confirmed' && now.cancellation) await cancel()
  } catch (error) {
    if (!(error instanceof NoSuccess)) throw error
    journey.failedAt = step
  }
  journey.ms = Math.round(performance.now() - began)
  return journey
}
