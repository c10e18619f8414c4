/** The main journey through the gateway over plain HTTP, checked against the ledgers of the outside world. */
import type { Booking, BookingCreated } from '@passerelle/contracts/http/booking'
import type { FlightOffer, SearchResults } from '@passerelle/contracts/http/search'
import { formatMoney, toMinor } from '@passerelle/contracts/rules/money'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { day, lisbon } from './searches.fixture.ts'
import {
  control,
  type DuffelLedger,
  eventually,
  type LocalSystem,
  ledger,
  localSystem,
  type Mailbox,
  party,
  type StripeLedger,
  testCard,
  Visitor,
} from './test-visitor.fixture.ts'

let system: LocalSystem

beforeAll(async () => {
  system = await localSystem({ ORDER_SEND_WITHIN_MS: '1000', ORDER_LONGEST_MS: '4000' })
})
afterAll(async () => {
  await system.stop()
})
beforeEach(async () => {
  await control(system.duffel, 'faults', undefined, 'DELETE')
  await control(system.stripe, 'faults', undefined, 'DELETE')
})

const visitor = () => new Visitor(system.url)
const orderOf = async (id: string) => (await ledger<DuffelLedger>(system.duffel)).orders.filter((order) => order.metadata.booking_id === id)
const intents = async () => (await ledger<StripeLedger>(system.stripe)).intents
const mailsTo = async (email: unknown) => (await ledger<Mailbox>(system.mailbox)).messages.filter((mail) => mail.to.includes(String(email)))
/** Money that was or may still be taken since `before`. */
const moneyMoved = async (before: number) =>
  (await intents()).slice(before).filter((intent) => ['requires_capture', 'succeeded'].includes(intent.status))

describe('booking a flight', () => {
  test('GEN-01, CONF-05, ABOOK-02, R-41, R-47, R-106, EVT-14: from a search to a confirmation, an account, a mail and the trip', async () => {
    const ines = visitor()
    const offer = await ines.offer(lisbon())
    const passengers = party(offer)
    const email = passengers[0]?.email
    const paid = await ines.pay(offer)
    expect(paid).toMatchObject({ status: 200, body: { success: true } })
    const booked = await ines.book(offer, { paymentId: paid.body.paymentId }, { passengers })
    expect(booked.status).toBe(201)
    expect(booked.body).toMatchObject({ status: 'confirmed', accountCreated: true, accountInfo: { email } })
    expect(booked.body.bookingReference).toMatch(/^[0-9A-Z]{8}$/)
    expect(booked.body.duffelBookingId.startsWith(booked.body.bookingReference)).toBe(true)
    expect(booked.body.accountInfo?.password).toHaveLength(16)
    expect(booked.body.accountInfo?.username).toMatch(/^ines\d/)
    expect(booked.body.airlineReference).toMatch(/^[A-Z0-9]{6}$/)
    const { emailContent } = booked.body
    expect(emailContent).toContain(booked.body.bookingReference)
    expect(emailContent).not.toContain(booked.body.accountInfo?.password)
    expect(emailContent).not.toMatch(/<\/?[a-z]/i)

    expect((await ines.get('/api/auth/user')).body).toMatchObject({ email })
    const trips = await eventually('the trip in the account', async () => {
      const { body } = await ines.get<Booking[]>('/api/bookings')
      return body.length > 0 && body
    })
    expect(trips.map((trip) => trip.bookingReference)).toEqual([booked.body.bookingReference])
    const read = await ines.get<Booking>(`/api/bookings/${booked.body.id}`)
    expect([trips[0], read.body].map((trip) => trip?.duffelBookingId)).toEqual(Array(2).fill(booked.body.duffelBookingId))

    const mails = await eventually('the confirmation', async () => {
      const found = (await mailsTo(email)).filter((mail) => mail.subject.startsWith('Booking confirmed'))
      return found.length > 0 && found
    })
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain(booked.body.bookingReference)
    expect(JSON.stringify(await mailsTo(email))).not.toContain(booked.body.accountInfo?.password)

    expect(await orderOf(booked.body.id)).toHaveLength(1)
    const captured = (await intents()).filter((intent) => intent.metadata.payment_id === paid.body.paymentId)
    expect(captured).toHaveLength(1)
    expect(captured[0]).toMatchObject({ status: 'succeeded', amount: toMinor(offer.price.total, offer.price.currency) })
    expect(booked.body.charged).toEqual({ amount: offer.price.total, currency: offer.price.currency })
  })

  test('C25: webhooks of the card provider pass the gateway and are accepted', async () => {
    const { delivered } = await eventually('the delivery of every event', async () => {
      const { counts } = await ledger<StripeLedger>(system.stripe)
      return (counts.webhooks.pending ?? 0) === 0 && counts.webhooks
    })
    expect(delivered).toBeGreaterThanOrEqual(2)
  })

  test('ABOOK-01, R-21: a booking with cardDetails and no paymentId charges once itself', async () => {
    const paul = visitor()
    const offer = await paul.offer(lisbon())
    const before = (await intents()).length
    const booked = await paul.book(offer, { cardDetails: testCard })
    expect(booked).toMatchObject({ status: 201, body: { status: 'confirmed' } })
    expect((await intents()).slice(before).map((intent) => intent.status)).toEqual(['succeeded'])
  })

  test('GEN-19, R-33: two adults, a child and an infant, round trip, with seats: shown = charged = stored = ordered', async () => {
    const family = visitor()
    const offer = await family.offer(
      `origin=CDG&destination=LIS&departureDate=${day(61)}&returnDate=${day(68)}&adultsCount=2&childrenCount=1&infantsCount=1`,
      (one) => one.owner.iata_code === 'ZZ',
    )
    const seated = offer.passengers.filter((passenger) => passenger.type !== 'infant_without_seat')
    const seats = await Promise.all(
      seated.flatMap((passenger, i) => [family.freeSeat(offer, passenger.id, 0, i), family.freeSeat(offer, passenger.id, 1, i)]),
    )
    const total = seats.reduce(
      (sum, seat) => sum + toMinor(seat.price.amount, seat.price.currency),
      toMinor(offer.price.total, offer.price.currency),
    )
    const paid = await family.pay(offer, { seats })
    expect(paid.status).toBe(200)
    const booked = await family.book(offer, { paymentId: paid.body.paymentId }, { seats })
    expect(booked).toMatchObject({ status: 201, body: { status: 'confirmed' } })
    expect(booked.body.bookingData.seats).toHaveLength(6)
    const intent = (await intents()).find((one) => one.metadata.payment_id === paid.body.paymentId)
    expect(intent).toMatchObject({ status: 'succeeded', amount: total })
    expect(toMinor(booked.body.charged.amount, booked.body.charged.currency)).toBe(total)
    const [order] = await orderOf(booked.body.id)
    expect(order).toMatchObject({ total_currency: 'EUR' })
  })

  test('R-17: an offer in yen is charged in yen, without decimals', async () => {
    const kenji = visitor()
    const offer = await kenji.offer(`origin=HND&destination=CTS&departureDate=${day(40)}`)
    expect(offer.price.currency).toBe('JPY')
    expect(offer.price.total).toMatch(/^\d+$/)
    const passengers = party(offer)
    const booked = await kenji.book(offer, { cardDetails: testCard }, { passengers })
    expect(booked).toMatchObject({ status: 201, body: { charged: { amount: offer.price.total, currency: 'JPY' } } })
    expect((await intents()).at(-1)).toMatchObject({ amount: Number(offer.price.total), currency: 'jpy', status: 'succeeded' })
    const shown = formatMoney(offer.price.total, 'JPY')
    expect(shown).toMatch(/^¥[\d,]+$/)
    await eventually('the mail', async () => (await mailsTo(passengers[0]?.email)).some((mail) => mail.text.includes(shown)))
  })

  test('ABOOK-31, CONF-02: two visitors who were shown the same cached offer can both book it', async () => {
    const search = lisbon()
    const [first, second] = [visitor(), visitor()]
    const offer = await first.offer(search)
    const same = await second.offer(search)
    expect(same.id).toBe(offer.id)
    const one = await first.book(offer, { cardDetails: testCard })
    const two = await second.book(same, { cardDetails: testCard })
    expect([one.status, two.status]).toEqual([201, 201])
    expect(one.body.bookingReference).not.toBe(two.body.bookingReference)
  })
})

describe('nothing is charged and nothing ordered when', () => {
  const untouched = async (work: () => Promise<void>) => {
    const [orders, before] = [(await ledger<DuffelLedger>(system.duffel)).orders.length, (await intents()).length]
    await work()
    expect((await ledger<DuffelLedger>(system.duffel)).orders).toHaveLength(orders)
    await eventually('every hold is given back', async () => (await moneyMoved(before)).length === 0)
  }

  test('APAY-04: the card is declined; another card goes through', async () => {
    const ines = visitor()
    const offer = await ines.offer(lisbon())
    await untouched(async () => {
      const declined = await ines.pay(offer, { card: { number: '4000000000009995' } })
      expect(declined).toMatchObject({ status: 402, body: { success: false, error: 'CARD_DECLINED' } })
      const direct = await ines.book(offer, { cardDetails: { ...testCard, number: '4000000000000002' } })
      expect(direct).toMatchObject({ status: 402, body: { error: 'CARD_DECLINED' } })
    })
    const paid = await ines.pay(offer)
    expect((await ines.book(offer, { paymentId: paid.body.paymentId })).status).toBe(201)
  })

  test('ABOOK-10: the offer has expired', async () => {
    const ines = visitor()
    const offer = await ines.offer(lisbon())
    const paid = await ines.pay(offer)
    await control(system.duffel, 'cases', { case: 'offer-gone', route: 'CDG-LIS', times: 1, at: 'read' })
    await untouched(async () => {
      const booked = await ines.book(offer, { paymentId: paid.body.paymentId })
      expect(booked).toMatchObject({
        status: 410,
        body: { error: 'OFFER_EXPIRED', message: 'This flight offer has expired. Please select another flight.' },
      })
    })
  })

  test('ABOOK-11: the price has changed; the new price is shown and can be paid', async () => {
    const ines = visitor()
    const offer = await ines.offer(lisbon())
    const paid = await ines.pay(offer)
    await control(system.duffel, 'cases', { case: 'price-change', route: 'CDG-LIS', amount: '10.00', at: 'read', times: 1 })
    let details: Record<string, unknown> | undefined
    await untouched(async () => {
      const booked = await ines.book(offer, { paymentId: paid.body.paymentId })
      expect(booked).toMatchObject({ status: 409, body: { error: 'PRICE_CHANGED' } })
      details = booked.body.details
    })
    expect(details).toMatchObject({ currency: 'EUR' })
    const again = await ines.get<FlightOffer>(`/api/flights/offer/${offer.id}`)
    const repaid = await ines.pay(again.body)
    expect(repaid.status).toBe(200)
    expect((await ines.book(again.body, { paymentId: repaid.body.paymentId })).status).toBe(201)
  })

  test('ABOOK-12: a seat was taken meanwhile', async () => {
    const ines = visitor()
    const offer = await ines.offer(lisbon(), (one) => one.owner.iata_code === 'ZZ')
    const seat = await ines.freeSeat(offer, 'pas_1')
    const paid = await ines.pay(offer, { seats: [seat] })
    await control(system.duffel, 'cases', { case: 'seat-taken', offerId: offer.id.replace(/^oft_/, 'off_'), designator: seat.seatId })
    await untouched(async () => {
      const booked = await ines.book(offer, { paymentId: paid.body.paymentId }, { seats: [seat] })
      expect(booked).toMatchObject({ status: 409, body: { error: 'SEAT_UNAVAILABLE' } })
    })
  })

  test('APAY-06, R-15: the amount is not the price of the offer', async () => {
    const ines = visitor()
    const offer = await ines.offer(lisbon())
    await untouched(async () => {
      expect(await ines.pay(offer, { amount: '1.00' })).toMatchObject({
        status: 422,
        body: { error: 'PAYMENT_AMOUNT_MISMATCH', message: 'Payment amount does not match the price of this offer' },
      })
      expect(await ines.book(offer, { cardDetails: testCard }, { amount: '1.00' })).toMatchObject({
        status: 422,
        body: { error: 'PAYMENT_AMOUNT_MISMATCH' },
      })
    })
  })

  test('ABOOK-13: the payment is one that the server did not record', async () => {
    const ines = visitor()
    const offer = await ines.offer(lisbon())
    await untouched(async () => {
      expect(await ines.book(offer, { paymentId: 'pay_test_0000000000' })).toMatchObject({
        status: 422,
        body: { error: 'PAYMENT_UNKNOWN' },
      })
    })
  })

  test('ABOOK-15: the airline refuses after the card was authorised', async () => {
    const ines = visitor()
    const offer = await ines.offer(lisbon())
    const paid = await ines.pay(offer)
    await control(system.duffel, 'cases', { case: 'insufficient-balance', route: 'CDG-LIS', times: 1 })
    await untouched(async () => {
      const booked = await ines.book(offer, { paymentId: paid.body.paymentId })
      expect(booked).toMatchObject({ status: 422, body: { error: 'BOOKING_REFUSED' } })
      expect(booked.body.message).toMatch(/Your card was not charged\.$/)
    })
  })
})

describe('an outcome that is not known at once', () => {
  test('ABOOK-16, CONF-08, R-110: an accepted order becomes confirmed when it appears, and is never sent twice', async () => {
    const ines = visitor()
    const offer = await ines.offer(lisbon())
    await control(system.duffel, 'cases', { case: 'order-202', route: 'CDG-LIS', times: 1, appearsAfterSeconds: 1 })
    const booked = await ines.book(offer, { cardDetails: testCard })
    expect(booked).toMatchObject({ status: 202, body: { status: 'pending' } })
    const confirmed = await eventually('the confirmation', async () => {
      const answer = await ines.get<Booking>(`/api/bookings/${booked.body.id}`)
      return answer.body.status === 'confirmed' && answer.body
    })
    expect(confirmed.bookingReference).toBe(booked.body.bookingReference)
    expect(await orderOf(booked.body.id)).toHaveLength(1)
  })

  test('ABOOK-16: an order that never appears ends without a charge', async () => {
    const ines = visitor()
    const offer = await ines.offer(lisbon())
    await control(system.duffel, 'cases', { case: 'order-502-unknown', route: 'CDG-LIS', times: 1 })
    const before = (await intents()).length
    const booked = await ines.book(offer, { cardDetails: testCard })
    expect(booked.status).toBe(202)
    await eventually('the end', async () => (await ines.get<Booking>(`/api/bookings/${booked.body.id}`)).body.status === 'cancelled', 20)
    expect(await moneyMoved(before)).toEqual([])
    expect(await orderOf(booked.body.id)).toEqual([])
  })

  test('TRIPS-23: a pending booking can be cancelled and ends cancelled without a charge', async () => {
    const ines = visitor()
    const offer = await ines.offer(lisbon(), (one) => one.conditions.refundable)
    await control(system.duffel, 'cases', { case: 'order-202', route: 'CDG-LIS', times: 1, appearsAfterSeconds: 2 })
    const before = (await intents()).length
    const booked = await ines.book(offer, { cardDetails: testCard })
    expect(booked.status).toBe(202)
    expect(await ines.post(`/api/bookings/${booked.body.id}/cancel`)).toMatchObject({ status: 200, body: { success: true } })
    await eventually('the end', async () => (await ines.get<Booking>(`/api/bookings/${booked.body.id}`)).body.status === 'cancelled', 20)
    expect(await moneyMoved(before)).toEqual([])
  })
})

describe('asking twice', () => {
  test('ABOOK-14: simultaneous identical requests make one booking, one order and one charge', async () => {
    const ines = await visitor().known()
    const offer = await ines.offer(lisbon())
    const paid = await ines.pay(offer)
    const passengers = party(offer)
    const before = (await intents()).length
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ines.book(offer, { paymentId: paid.body.paymentId }, { passengers, key: 'same-key-1' })),
    )
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    expect(answers.every((answer) => answer.status === 201 || answer.status === 200)).toBe(true)
    expect(await orderOf(answers[0]?.body.id ?? '')).toHaveLength(1)
    expect((await intents()).length).toBe(before)
    expect(answers.filter((answer) => answer.body.accountInfo?.password)).toHaveLength(1)
  })

  test('R-26: the same key for another request is refused', async () => {
    const ines = visitor()
    const offer = await ines.offer(lisbon())
    expect((await ines.book(offer, { cardDetails: testCard }, { key: 'same-key-2' })).status).toBe(201)
    expect(await ines.book(offer, { cardDetails: testCard }, { key: 'same-key-2' })).toMatchObject({
      status: 422,
      body: { error: 'IDEMPOTENCY_KEY_REUSED' },
    })
  })

  test('R-45: a repeat of the request returns the account without its password, and another visitor’s returns nothing', async () => {
    const ines = await visitor().known()
    const offer = await ines.offer(lisbon())
    const passengers = party(offer)
    const first = await ines.book(offer, { cardDetails: testCard }, { passengers, key: 'same-key-3' })
    const again = await ines.book(offer, { cardDetails: testCard }, { passengers, key: 'same-key-3' })
    expect(first.body.accountInfo?.password).toBeTruthy()
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id } })
    expect(again.body.accountInfo?.password ?? null).toBeNull()
    const other = await visitor().book(offer, { cardDetails: testCard }, { passengers, key: 'same-key-3' })
    expect(other.status).toBe(409)
    expect(other.body).toEqual({
      error: 'BOOKING_EXISTS',
      message: 'These passengers are already booked on this flight.',
      requestId: expect.any(String),
      details: { bookingId: first.body.id },
    })
  })
})

describe('who sees what', () => {
  let booking: BookingCreated
  let guest: Visitor

  beforeAll(async () => {
    guest = visitor()
    const offer = await guest.offer(lisbon())
    booking = (await guest.book(offer, { cardDetails: testCard })).body
  })

  test('ABOOK-19: the list needs a session', async () =>
    expect(await visitor().get('/api/bookings')).toMatchObject({
      status: 401,
      body: { error: 'NOT_AUTHENTICATED', message: 'Not authenticated' },
    }))

  test('ABOOK-21: strangers get 401 without and 404 with a session', async () => {
    expect((await guest.get(`/api/bookings/${booking.id}`)).status).toBe(200)
    expect((await visitor().get(`/api/bookings/${booking.id}`)).status).toBe(401)
    const stranger = visitor()
    await stranger.book(await stranger.offer(lisbon()), { cardDetails: testCard })
    expect((await stranger.get(`/api/bookings/${booking.id}`)).status).toBe(404)
    expect((await stranger.post(`/api/bookings/${booking.id}/cancel`)).status).toBe(404)
  })

  test('CONF-11: a known e-mail neither creates an account nor signs in; the booking joins that account once its address is verified', async () => {
    const email = booking.accountInfo?.email ?? ''
    const other = visitor()
    const offer = await other.offer(lisbon())
    const booked = await other.book(offer, { cardDetails: testCard }, { passengers: party(offer, { email }) })
    expect(booked.body).toMatchObject({ accountCreated: false, accountInfo: null })
    expect((await other.get('/api/auth/user')).status).toBe(401)
    expect((await other.get(`/api/bookings/${booked.body.id}`)).status).toBe(200)
    const mail = await eventually('the mail', async () =>
      (await ledger<Mailbox>(system.mailbox)).messages.find(
        (one) => one.to.includes(email) && one.subject.includes('is not in your account'),
      ),
    )
    // Whoever knows the password, but reads no mail at the address, sees nothing of it.
    expect((await guest.get(`/api/bookings/${booked.body.id}`)).status).toBe(404)
    expect((await guest.get<Booking[]>('/api/bookings')).body.map((trip) => trip.id)).not.toContain(booked.body.id)
    expect((await guest.post(`/api/bookings/${booked.body.id}/cancel`)).status).toBe(404)
    const token = /set-password#([\w-]+)/.exec(mail.text)?.[1]
    expect((await other.post('/api/auth/set-password', { token, newPassword: 'Chosen-By-Me-12' })).status).toBe(200)
    expect((await guest.get('/api/auth/user')).status).toBe(401)
    expect((await guest.post('/api/auth/login', { username: email, password: 'Chosen-By-Me-12' })).status).toBe(200)
    await eventually('the trip', async () => (await guest.get<Booking[]>('/api/bookings')).body.some((trip) => trip.id === booked.body.id))
  })

  test('CONF-10: a signed-in user who books keeps the account and gets no new one', async () => {
    const offer = await guest.offer(lisbon())
    const booked = await guest.book(offer, { cardDetails: testCard })
    expect(booked.body).toMatchObject({ status: 'confirmed', accountCreated: false })
  })

  test('R-50: a booking is found by reference and e-mail, with one answer for every mistake', async () => {
    const email = booking.accountInfo?.email
    expect((await visitor().post('/api/bookings/retrieve', { reference: booking.bookingReference.toLowerCase(), email })).status).toBe(200)
    expect(
      (await visitor().post('/api/bookings/retrieve', { reference: booking.bookingReference, email: 'else@example.org' })).status,
    ).toBe(404)
  })
})

describe('cancelling', () => {
  test('ABOOK-22, ABOOK-24: twenty cancels at once refund once; the mail says what goes back', async () => {
    const ines = visitor()
    const offer = await ines.offer(lisbon(), (one) => one.conditions.refundable && one.owner.iata_code === 'ZZ')
    const booked = await ines.book(offer, { cardDetails: testCard })
    const promised = booked.body.cancellation?.refund
    expect(promised).toBeTruthy()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ines.post(`/api/bookings/${booked.body.id}/cancel`)))
    expect(answers.every((answer) => answer.status === 200 && answer.body.success === true)).toBe(true)
    expect(answers.map(({ body }) => body.message)).toContain('Your booking has been successfully cancelled.')
    const done = await eventually('the refund', async () => {
      const answer = await ines.get<Booking>(`/api/bookings/${booked.body.id}`)
      return answer.body.refund?.refundedAt && answer.body
    })
    expect(done).toMatchObject({ status: 'cancelled', refund: promised })
    const mine = (await intents()).find((intent) => intent.amount === toMinor(booked.body.charged.amount, 'EUR') && intent.refunded > 0)
    expect(mine?.refunded).toBe(toMinor(promised?.amount ?? '0', 'EUR'))
    expect((await orderOf(booked.body.id))[0]?.cancelled_at).toBeTruthy()
    expect(await ines.post(`/api/bookings/${booked.body.id}/cancel`)).toMatchObject({
      status: 200,
      body: { message: 'Booking is already cancelled' },
    })
    await eventually('the mail', async () =>
      (await mailsTo(booked.body.accountInfo?.email)).some((mail) => mail.subject.startsWith('Booking cancelled')),
    )
  })

  test('ABOOK-23: a non-refundable ticket answers 409', async () => {
    const ines = visitor()
    const offer = await ines.offer(lisbon(), (one) => one.conditions.refund?.allowed === false)
    const booked = await ines.book(offer, { cardDetails: testCard })
    expect(booked.body.bookingData.conditions.cancellation_options).toEqual([])
    expect(await ines.post(`/api/bookings/${booked.body.id}/cancel`)).toMatchObject({
      status: 409,
      body: { error: 'BOOKING_NOT_CANCELLABLE' },
    })
  })
})

describe('searching', () => {
  test('ASRCH-14: 245 offers paged 30, 100, 100, 100 without a repeat or a hole', async () => {
    const query = `origin=CDG&destination=JFK&departureDate=${day(90)}&returnDate=${day(97)}`
    const ines = visitor()
    const first = await ines.search(query)
    expect([first.offers.length, first.total_count]).toEqual([30, 245])
    const pages = await Promise.all([1, 2, 3].map((page) => ines.search(`${query}&page=${page}&limit=100`)))
    expect(pages.map((page) => page.offers.length)).toEqual([100, 100, 45])
    const ids = pages.flatMap((page) => page.offers.map((offer) => offer.id))
    expect(new Set(ids).size).toBe(245)
    expect(ids.slice(0, 30)).toEqual(first.offers.map((offer) => offer.id))
    expect(new Set([first, ...pages].map((page) => page.search_id)).size).toBe(1)
    expect((await ines.search(`${query}&page=4&limit=100`)).offers).toEqual([])
  })

  test('ASRCH-16: 50 equal searches at once are one supplier search, POST and GET alike', async () => {
    const count = async () => (await ledger<DuffelLedger>(system.duffel)).searches.length
    const before = await count()
    const search = { origin: 'CDG', destination: 'BER', departureDate: day(70) }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        i % 2
          ? visitor().post<SearchResults>('/api/flights/search', search)
          : visitor().get<SearchResults>(`/api/flights/search?${new URLSearchParams(search)}`),
      ),
    )
    expect(new Set(answers.map((answer) => answer.body.search_id)).size).toBe(1)
    expect((await count()) - before).toBe(1)
  })
})

describe('the gateway', () => {
  test('AAUTH-10: state-changing calls from elsewhere are refused', async () => {
    const headers: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
    ]
    for (const header of headers)
      expect(await visitor().post('/api/auth/logout', undefined, header)).toMatchObject({
        status: 403,
        body: { error: 'CROSS_SITE' },
      })
    expect((await visitor().post('/api/auth/logout', undefined, { origin: system.url })).status).toBe(200)
  })

  test('AAUTH-03, AAUTH-07, AAUTH-08: register, sign in, sign out; an ended session is over', async () => {
    const paul = visitor()
    const user = {
      username: `paul${Date.now()}`,
      email: `paul${Date.now()}@example.org`,
      firstName: 'Paul',
      lastName: 'Durand',
      password: 'quiet-harbour-1',
    }
    expect(await paul.post('/api/auth/register', { ...user, isAdmin: true })).toMatchObject({ status: 201, body: { isAdmin: false } })
    expect((await paul.get('/api/auth/user')).status).toBe(401)
    expect((await paul.post('/api/auth/register', { ...user, email: 'x@example.org', username: user.username.toUpperCase() })).status).toBe(
      409,
    )
    expect(await paul.post('/api/auth/login', { username: user.username, password: 'wrong' })).toMatchObject({
      status: 401,
      body: { message: 'Invalid username or password' },
    })
    const signedIn = await paul.post('/api/auth/login', { username: user.username, password: user.password })
    expect(signedIn.status).toBe(200)
    expect(JSON.stringify(signedIn.body)).not.toMatch(/hash|argon/i)
    expect(signedIn.headers.get('x-internal-session')).toBeNull()
    const cookie = signedIn.headers.getSetCookie()[0] ?? ''
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Lax/)
    const kept = new Map(paul.cookies)
    expect((await paul.get('/api/auth/user')).body).toMatchObject({ username: user.username })
    expect((await paul.post('/api/auth/logout')).status).toBe(200)
    paul.cookies = kept
    expect((await paul.get('/api/auth/user')).status).toBe(401)
  })

  test('ACCT-14: after a password change the old one no longer signs in and other sessions end', async () => {
    const [one, two] = [visitor(), visitor()]
    const user = {
      username: `eva${Date.now()}`,
      email: `eva${Date.now()}@example.org`,
      firstName: 'Eva',
      lastName: 'Durand',
      password: 'quiet-harbour-1',
    }
    await one.post('/api/auth/register', user)
    for (const session of [one, two]) await session.post('/api/auth/login', { username: user.username, password: user.password })
    expect((await one.post('/api/auth/change-password', { currentPassword: 'quiet-harbour-1', newPassword: 'Short1!' })).status).toBe(400)
    expect((await one.post('/api/auth/change-password', { currentPassword: 'nope', newPassword: 'Much-Longer-1234' })).status).toBe(400)
    expect(
      await one.post('/api/auth/change-password', { currentPassword: 'quiet-harbour-1', newPassword: 'Much-Longer-1234' }),
    ).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect((await one.get('/api/auth/user')).status).toBe(200)
    await eventually('the other session ends', async () => (await two.get('/api/auth/user')).status === 401, 35)
    expect((await two.post('/api/auth/login', { username: user.username, password: 'quiet-harbour-1' })).status).toBe(401)
  }, 60_000)

  test('AAUTH-09: repeated wrong logins are slowed, with Retry-After', async () => {
    const mallory = visitor()
    const statuses = []
    let last: Awaited<ReturnType<Visitor['post']>> | undefined
    for (let i = 0; i < 8; i++) {
      last = await mallory.post('/api/auth/login', { username: 'nobody-at-all', password: 'x' })
      statuses.push(last.status)
    }
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
    expect(statuses.at(-1)).toBe(429)
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('API-09: an unknown /api path answers 404 JSON, internal ones are not there, forged identities are ignored', async () => {
    expect(await visitor().get('/api/nothing')).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } })
    expect((await visitor().get('/internal/bookings/bk_1/contact')).status).toBe(404)
    expect((await visitor().call('GET', '/api/bookings', undefined, { 'x-internal-token': 'forged', 'x-user-id': 'usr_1' })).status).toBe(
      401,
    )
  })

  test('bad input on every call of the journey is 4xx with error, message and request id, never 5xx', async () => {
    const odd = [
      undefined,
      '',
      'null',
      '[]',
      '"x"',
      '{}',
      '{"a":',
      { offerId: { $ne: null } },
      { __proto__: { isAdmin: true } },
      { passengers: 'x', offerId: 7 },
      { amount: {}, cardDetails: [] },
      { origin: ['CDG'], destination: null },
    ]
    const posts = [
      '/api/flights/search',
      '/api/payments/process-card',
      '/api/bookings',
      '/api/bookings/retrieve',
      '/api/auth/login',
      '/api/auth/register',
      '/api/auth/set-password',
    ]
    const gets = [
      '/api/flights/search',
      '/api/flights/search?origin=CDG&origin=LIS&destination=JFK&departureDate=2027-01-01',
      '/api/flights/search?origin[$ne]=1',
      '/api/flights/search?page=-1&origin=CDG&destination=LIS&departureDate=2030-01-01',
      '/api/flights/offer/x',
      '/api/flights/offer/%2e%2e%2f',
      '/api/flights/offer/%E0%A4%A',
      '/api/flights/offer/oft_nope',
      '/api/flights/seatmaps/oft_nope',
      '/api/flights/verify-offer/oft_nope',
      '/api/bookings/bk_1',
      '/api/bookings/%00',
    ]
    const answers = [
      ...(await Promise.all(
        posts.flatMap((path) =>
          odd.map((body) =>
            visitor()
              .call('POST', path, body, { 'content-type': 'application/json' })
              .then((answer) => ({ path, ...answer })),
          ),
        ),
      )),
      ...(await Promise.all(
        gets.map((path) =>
          visitor()
            .get(path)
            .then((answer) => ({ path, ...answer })),
        ),
      )),
    ]
    for (const { path, status, body } of answers) {
      expect(status, `${path} ${JSON.stringify(body)}`).toBeGreaterThanOrEqual(400)
      expect(status, `${path} ${JSON.stringify(body)}`).toBeLessThan(500)
      expect(body, path).toMatchObject({ error: expect.any(String), message: expect.any(String), requestId: expect.any(String) })
    }
  })
})

test('everything acknowledged is still there after a stop and a start', async () => {
  const ines = visitor()
  const offer = await ines.offer(lisbon())
  const booked = await ines.book(offer, { cardDetails: testCard })
  await system.restart()
  expect((await ines.get<Booking>(`/api/bookings/${booked.body.id}`)).body).toMatchObject({
    status: 'confirmed',
    bookingReference: booked.body.bookingReference,
  })
  expect(await orderOf(booked.body.id)).toHaveLength(1)
})
