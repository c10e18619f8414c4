/** Nobody buys the same flight twice, and no key of one visitor opens anything of another: through the gateway, checked against the ledgers. */
import type { BookingAttempt } from '@passerelle/contracts/http/booking'
import type { FlightOffer } from '@passerelle/contracts/http/search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lisbon } from './searches.fixture.ts'
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

beforeAll(async () => {
  system = await localSystem({ ORDER_SEND_WITHIN_MS: '1000', ORDER_LONGEST_MS: '4000' })
})
afterAll(async () => {
  await system.stop()
})

const visitor = () => new Visitor(system.url).known()

/** Runs a checkout and tells what the suppliers did in it, once no hold is left on any card. */
async function done<T>(work: () => Promise<T>): Promise<{ result: T; orders: number; captures: number }> {
  const orders = async () => (await ledger<DuffelLedger>(system.duffel)).orders.length
  const intents = async () => (await ledger<StripeLedger>(system.stripe)).intents
  const [ordersBefore, intentsBefore] = [await orders(), (await intents()).length]
  const result = await work()
  const own = await eventually('no hold is left', async () => {
    const found = (await intents()).slice(intentsBefore)
    return found.every(({ status }) => status !== 'requires_capture') && found
  })
  return { result, orders: (await orders()) - ordersBefore, captures: own.filter(({ captured }) => captured > 0).length }
}

/** Paid by a call of its own before it is booked, as the website does it. */
async function payAndBook(who: Visitor, offer: FlightOffer, passengers: object[], key: string) {
  const paid = await who.pay(offer)
  return who.book(offer, { paymentId: paid.body.paymentId }, { passengers, key })
}

describe('the same passengers on the same flight', () => {
  test('R-26: one visitor pays twice at once, with two keys and two holds: one order, one capture', async () => {
    const ines = await visitor()
    const offer = await ines.offer(lisbon())
    const passengers = party(offer)
    const { result, orders, captures } = await done(() =>
      Promise.all(['tab-1', 'tab-2', 'tab-3'].map((key) => payAndBook(ines, offer, passengers, key))),
    )
    expect(result.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(new Set(result.map(({ body }) => body.id)).size).toBe(1)
    expect({ orders, captures }).toEqual({ orders: 1, captures: 1 })
  })

  test('R-26: so too with cards that come along', async () => {
    const ines = await visitor()
    const offer = await ines.offer(lisbon())
    const passengers = party(offer)
    const { result, orders, captures } = await done(() =>
      Promise.all(['card-1', 'card-2'].map((key) => ines.book(offer, { cardDetails: testCard }, { passengers, key }))),
    )
    expect(result.map(({ status }) => status).sort()).toEqual([200, 201])
    expect({ orders, captures }).toEqual({ orders: 1, captures: 1 })
  })

  test('R-26: paying again after going back is answered with the booking', async () => {
    const ines = await visitor()
    const offer = await ines.offer(lisbon())
    const passengers = party(offer)
    const { result, orders, captures } = await done(async () => [
      await payAndBook(ines, offer, passengers, 'before-back'),
      await payAndBook(ines, offer, passengers, 'after-back'),
    ])
    expect(result.map(({ status }) => status)).toEqual([201, 200])
    expect(result[1]?.body.bookingReference).toBe(result[0]?.body.bookingReference)
    expect({ orders, captures }).toEqual({ orders: 1, captures: 1 })
  })

  test('R-26: a retry under a new key after "pending" orders nothing more', async () => {
    const ines = await visitor()
    const offer = await ines.offer(lisbon())
    const passengers = party(offer)
    await control(system.duffel, 'cases', { case: 'order-202', route: 'CDG-LIS', times: 1, appearsAfterSeconds: 2 })
    const { result, orders, captures } = await done(async () => [
      await payAndBook(ines, offer, passengers, 'pending-1'),
      await payAndBook(ines, offer, passengers, 'pending-2'),
    ])
    expect(result.map(({ status }) => status)).toEqual([202, 202])
    expect(new Set(result.map(({ body }) => body.id)).size).toBe(1)
    expect({ orders, captures }).toEqual({ orders: 1, captures: 1 })
  })

  test('R-26: of two cookie jars one books; the other is told, and its hold is voided', async () => {
    const [one, two] = [await visitor(), await visitor()]
    const search = lisbon()
    const offer = await one.offer(search)
    const passengers = party(offer)
    const { result, orders, captures } = await done(() =>
      Promise.all([one, two].map(async (jar) => payAndBook(jar, await jar.offer(search), passengers, 'the-same-key'))),
    )
    expect(result.map(({ status }) => status).sort()).toEqual([201, 409])
    const [booked, refused] = result.toSorted((a, b) => a.status - b.status)
    expect(refused?.body).toMatchObject({ error: 'BOOKING_EXISTS', details: { bookingId: booked?.body.id } })
    expect({ orders, captures }).toEqual({ orders: 1, captures: 1 })
  })
})

describe('an idempotency key', () => {
  test('R-26: that another visitor has used already is this visitor’s own all the same', async () => {
    const [one, two] = [await visitor(), await visitor()]
    const search = lisbon()
    const { result, orders, captures } = await done(async () => [
      await one.book(await one.offer(search), { cardDetails: testCard }, { key: 'everybodys-key' }),
      await two.book(await two.offer(search), { cardDetails: testCard }, { key: 'everybodys-key' }),
    ])
    expect(result.map(({ status }) => status)).toEqual([201, 201])
    expect(result[0]?.body.id).not.toBe(result[1]?.body.id)
    expect({ orders, captures }).toEqual({ orders: 2, captures: 2 })
  })

  test('tells its visitor, and nobody else, what came of the attempt', async () => {
    const ines = await visitor()
    const offer = await ines.offer(lisbon())
    const attempt = (who: Visitor, key: string) => who.get<BookingAttempt>(`/api/bookings/attempts/${key}`)
    expect((await attempt(ines, 'unheard')).body).toEqual({ outcome: 'none', booking: null, failure: null })
    const booked = await ines.book(offer, { cardDetails: testCard }, { key: 'unheard' })
    expect(await attempt(ines, 'unheard')).toMatchObject({
      status: 200,
      body: { outcome: 'confirmed', booking: { id: booked.body.id }, failure: null },
    })
    expect((await attempt(await visitor(), 'unheard')).body).toMatchObject({ outcome: 'none', booking: null })
    expect((await attempt(new Visitor(system.url), 'unheard')).status).toBe(401)
  })
})
