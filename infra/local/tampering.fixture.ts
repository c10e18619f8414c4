/** A checkout whose requests somebody changes on the way, and what the suppliers' ledgers say of it afterwards. */
import type { FlightOffer } from '@passerelle/contracts/http/search'
import { freePorts } from '@passerelle/servers/ports'
import { expect } from 'vitest'
import { lisbon } from './searches.fixture.ts'
import { type DuffelLedger, ledger, localSystem, party, type StripeLedger, testCard, Visitor } from './test-visitor.fixture.ts'

export type Effects = { orders: number; captures: number }
export type TamperedWorld = Awaited<ReturnType<typeof openTamperedWorld>>
/** A visitor who has looked at an offer. */
export type Checkout = { visitor: Visitor; offer: FlightOffer }

/** With a second pair of simulators for live mode. */
export async function openTamperedWorld() {
  const live = await freePorts(2)
  const [LIVE_DUFFEL, LIVE_STRIPE] = live.map(String)
  const system = await localSystem({
    LIVE_SIMULATORS: 'true',
    DUFFEL_LIVE_SIMULATOR_PORT: LIVE_DUFFEL ?? '',
    STRIPE_LIVE_SIMULATOR_PORT: LIVE_STRIPE ?? '',
  })
  const [duffelLive, stripeLive] = live.map((port) => `http://127.0.0.1:${port}`)

  async function effects(): Promise<Effects> {
    const orders = await Promise.all([system.duffel, duffelLive ?? ''].map(async (one) => (await ledger<DuffelLedger>(one)).orders.length))
    const intents = await Promise.all([system.stripe, stripeLive ?? ''].map(async (one) => (await ledger<StripeLedger>(one)).intents))
    const captures = intents.flat().filter(({ captured }) => captured > 0)
    return { orders: orders.reduce((sum, one) => sum + one, 0), captures: captures.length }
  }

  async function checkout(query = lisbon(), fits?: (offer: FlightOffer) => boolean, brand?: string): Promise<Checkout> {
    const visitor = await new Visitor(system.url).known()
    if (brand) visitor.cookies.set('brand', brand)
    return { visitor, offer: await visitor.offer(query, fits) }
  }

  /** The hold of a checkout that nobody has tampered with. */
  async function held({ visitor, offer }: Checkout, seats: { price: { amount: string } }[] = []): Promise<string> {
    const paid = await visitor.pay(offer, { seats })
    expect(paid.status, JSON.stringify(paid.body)).toBe(200)
    return paid.body.paymentId
  }

  return {
    system,
    effects,
    checkout,
    held,
    /** A booking that is in order. */
    async booked(about: Checkout) {
      const paymentId = await held(about)
      const passengers = party(about.offer)
      const key = crypto.randomUUID()
      const answer = await about.visitor.book(about.offer, { paymentId }, { passengers, key })
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      return { ...about, paymentId, passengers, key, id: answer.body.id }
    },
    async admin(): Promise<Visitor> {
      const admin = new Visitor(system.url)
      await admin.post('/api/auth/login', { username: 'admin', password: system.secrets.adminPassword })
      expect((await admin.post('/api/admin/login', { password: system.secrets.adminPassword })).status).toBe(200)
      return admin
    },
  }
}

/** What the website sends to hold an amount. */
export const paymentOf = ({ offer }: Checkout) => ({
  amount: offer.price.total,
  currency: offer.price.currency,
  offerId: offer.id,
  seats: [] as object[],
  cardDetails: testCard as object | undefined,
})

/** What the website sends to book with a hold. */
export const bookingOf = ({ offer }: Checkout, paymentId: string) => ({
  offerId: offer.id,
  passengers: party(offer),
  seats: [] as object[],
  paymentDetails: { amount: offer.price.total, currency: offer.price.currency, paymentId } as Record<string, unknown>,
})

/** A price and so many hundredths. What a client may round itself, up to half a unit, is charged as the price is. */
export const shifted = (amount: string, cents: number) => ((Math.round(Number(amount) * 100) + cents) / 100).toFixed(2)
