/** What the back office counts, beside what the airline and the card provider have on record: 300 bookings of travellers in three brands. */
import type { OfficePage, OfficeState } from '@passerelle/contracts/http/back-office'
import mongoose from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

const BRANDS = ['default', 'atlas.example', 'aurora.example']

type Kind = {
  state: OfficeState
  destination: string
  ofEach: number
  /** What the airline does with each of them. */
  strike?: object
  cancelled?: true
}
/** Of each brand, on a route of its own. Those whose outcome is open come last: the airline is asked for a while only. */
const KINDS: Kind[] = [
  { state: 'confirmed', destination: 'LIS', ofEach: 40 },
  { state: 'completed', destination: 'FCO', ofEach: 15 },
  { state: 'cancelled', destination: 'VIE', ofEach: 15, cancelled: true },
  { state: 'attention', destination: 'MAD', ofEach: 10, cancelled: true, strike: { case: 'refund-figures', refundCurrency: 'SEK' } },
  { state: 'failed', destination: 'ATH', ofEach: 10, strike: { case: 'insufficient-balance' } },
  { state: 'pending', destination: 'OPO', ofEach: 10, strike: { case: 'order-202', appearsAfterSeconds: 3600 } },
]
const LANES = 4
const NAMESPACE = `t${Math.random().toString(36).slice(2, 8)}-`

/** A booking as its traveller made it; `id`: null where it was refused. */
type Made = { brand: string; kind: Kind; paymentId: string; id: string | null }

let system: LocalSystem
let admin: Visitor
const made: Made[] = []

async function book(brand: string, kind: Kind, ahead: number): Promise<Made> {
  const visitor = await new Visitor(system.url).known()
  const search = `origin=CDG&destination=${kind.destination}&departureDate=${day(ahead)}&brand=${brand}`
  const offer = await visitor.offer(search, ({ conditions }) => !kind.cancelled || conditions.refundable)
  const charge = { amount: offer.price.total, currency: offer.price.currency }
  const card = { ...charge, cardDetails: testCard, offerId: offer.id }
  const paid = await visitor.post<{ paymentId: string }>(`/api/payments/process-card?brand=${brand}`, card, {
    'idempotency-key': crypto.randomUUID(),
  })
  const { paymentId } = paid.body
  const booked = await visitor.post<{ id?: string }>(`/api/bookings?brand=${brand}`, {
    offerId: offer.id,
    passengers: party(offer),
    paymentDetails: { ...charge, paymentId },
  })
  const id = booked.body.id ?? null
  const expected = kind.state === 'failed' ? 422 : kind.state === 'pending' ? 202 : 201
  // On a busy machine the outcome of others may be known a moment later too.
  if (booked.status === 202 && expected !== 202)
    await eventually('its outcome', async () => (await visitor.get<{ status: string }>(`/api/bookings/${id}`)).body.status !== 'pending')
  else expect([kind.state, booked.status]).toEqual([kind.state, expected])
  if (kind.cancelled) expect([200, 202]).toContain((await visitor.post(`/api/bookings/${id}/cancel?brand=${brand}`)).status)
  return { brand, kind, paymentId, id }
}

/** Nobody sells flights of the past: those that have landed since are given an arrival that was. */
async function land(ids: readonly string[]): Promise<void> {
  const connection = await mongoose.createConnection(system.backbone.MONGO_URL).asPromise()
  const arrival = { $set: { lastArrival: new Date(Date.now() - 86_400_000) } }
  const bookings = connection.useDb(`${NAMESPACE}booking`).collection('bookings')
  await bookings.updateMany({ _id: { $in: ids as never } }, arrival)
  await connection.close()
}

beforeAll(async () => {
  system = await localSystem({ NAMESPACE, SAMPLE_BRANDS: 'true', ANSWER_WITHIN_MS: '2000' })
  admin = new Visitor(system.url)
  await admin.post('/api/auth/login', { username: 'admin', password: system.secrets.adminPassword })
  for (const kind of KINDS) {
    const wanted = BRANDS.flatMap((brand) => Array.from({ length: kind.ofEach }, () => brand))
    if (kind.strike) await control(system.duffel, 'cases', { ...kind.strike, route: `CDG-${kind.destination}`, times: wanted.length })
    let next = 0
    const lane = async () => {
      for (let at = next++; at < wanted.length; at = next++) made.push(await book(wanted[at] ?? '', kind, 30 + at))
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }
  await land(made.flatMap(({ kind, id }) => (kind.state === 'completed' && id ? [id] : [])))
}, 480_000)
afterAll(() => system.stop())

/** The state of each booking by what others have on record of it: the order, and the money. */
async function byLedgers(): Promise<Map<Made, OfficeState | 'unclear'>> {
  const { orders } = await ledger<{ orders: (DuffelLedger['orders'][number] & { visible_at: string })[] }>(system.duffel)
  const { intents } = await ledger<StripeLedger>(system.stripe)
  const stateOf = ({ id, paymentId, kind }: Made): OfficeState | 'unclear' => {
    const order = orders.find(({ metadata }) => metadata.booking_id === id)
    const [money] = intents.filter(({ metadata }) => metadata.payment_id === paymentId)
    if (!money) return 'unclear'
    const { captured, refunded, status } = money
    if (!order) return captured === 0 && status === 'canceled' ? 'failed' : 'unclear'
    if (Date.parse(order.visible_at) > Date.now()) return captured === 0 && status === 'requires_capture' ? 'pending' : 'unclear'
    if (captured === 0) return 'unclear'
    if (order.cancelled_at) return refunded > 0 ? 'cancelled' : 'attention'
    // When a flight has landed neither of them tells.
    return refunded > 0 ? 'unclear' : kind.state === 'completed' ? 'completed' : 'confirmed'
  }
  expect(orders).toHaveLength(made.filter(({ kind }) => kind.state !== 'failed').length)
  expect(intents).toHaveLength(made.length)
  return new Map(made.map((one) => [one, stateOf(one)]))
}

test('300 bookings in three brands and all states: each tab counts what the ledgers of airline and card provider have', async () => {
  expect(made).toHaveLength(300)
  // Refunds and released holds follow a moment later.
  const found = await eventually('the end of every movement of money', async () => {
    const states = await byLedgers()
    return ![...states.values()].includes('unclear') && [...states].every(([{ kind }, state]) => kind.state === state) && states
  })
  const counts = (brand?: string) =>
    Object.fromEntries(
      KINDS.map(({ state }) => [state, [...found].filter(([one, is]) => is === state && (!brand || one.brand === brand)).length]),
    )
  const listed = async (query: string) => (await admin.get<OfficePage>(`/api/admin/bookings?limit=1${query}`)).body.counts
  expect(await listed('')).toEqual(counts())
  for (const brand of BRANDS) expect(await listed(`&brandKey=${brand}`), brand).toEqual(counts(brand))
  expect(counts('atlas.example')).toEqual({ confirmed: 40, completed: 15, cancelled: 15, attention: 10, failed: 10, pending: 10 })
}, 60_000)
