/** What the product relies on of its suppliers, as calls whose answers are written down the same way for the supplier and for its simulator. */
import { Duffel, DuffelError } from '@duffel/api'
import type { Offer } from '@duffel/api/types'
import Stripe from 'stripe'

/** One line for each thing that was seen. Ids, times and amounts that differ from run to run are left out. */
export type Seen = Record<string, string>
export type Supplier = { name: string; seen(): Promise<Seen> }

const LATER_DAYS = 60

/** The answer in a few words: what `tell` picks of a success, else status, type and code. */
async function outcome<T>(call: () => Promise<T>, tell: (answer: T) => unknown): Promise<string> {
  try {
    return JSON.stringify(tell(await call()))
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError)
      return ['refused', error.statusCode, error.rawType, error.code, error.decline_code].filter(Boolean).join(' ')
    if (error instanceof DuffelError)
      return ['refused', error.meta?.status, error.errors?.[0]?.type, error.errors?.[0]?.code].filter(Boolean).join(' ')
    throw error
  }
}

/** @param address absent: Stripe itself */
export function stripeSeen(key: string, address?: { host: string; port: number }): () => Promise<Seen> {
  const stripe = new Stripe(key, {
    telemetry: false,
    maxNetworkRetries: 0,
    timeout: 30_000,
    ...(address && { ...address, protocol: 'http' }),
  })
  const create = () =>
    stripe.paymentIntents.create({
      ...{ amount: 27_368, currency: 'eur', capture_method: 'manual', allowed_payment_method_types: ['card'] },
      metadata: { payment_id: 'contract' },
    })
  const confirm = (id: string, method: string) =>
    stripe.paymentIntents.confirm(id, { payment_method: method, error_on_requires_action: true, expand: ['latest_charge'] })
  const hold = async (method = 'pm_card_visa') => confirm((await create()).id, method)
  const brief = ({ status, amount_capturable, amount_received, currency }: Stripe.PaymentIntent) => ({
    ...{ status, amount_capturable, amount_received, currency },
  })
  return async () => {
    const seen: Seen = {}
    const see = async <T>(name: string, call: () => Promise<T>, tell: (answer: T) => unknown) => {
      seen[name] = await outcome(call, tell)
    }
    await see('a new intent', create, brief)
    for (const card of [
      'visa',
      'visa_chargeDeclined',
      'visa_chargeDeclinedInsufficientFunds',
      'chargeDeclinedExpiredCard',
      'authenticationRequired',
    ])
      await see(`a hold on pm_card_${card}`, () => hold(`pm_card_${card}`), brief)
    const held = await hold()
    await see('a capture', () => stripe.paymentIntents.capture(held.id), brief)
    await see('a second capture', () => stripe.paymentIntents.capture(held.id), brief)
    await see('cancelling what was captured', () => stripe.paymentIntents.cancel(held.id), brief)
    const refund = (amount: number) => stripe.refunds.create({ payment_intent: held.id, amount, metadata: { booking_id: 'contract' } })
    await see(
      'a refund of a part',
      () => refund(10_000),
      ({ status, amount, metadata }) => ({ status, amount, metadata }),
    )
    await see(
      'a refund of more than is left',
      () => refund(20_000),
      ({ status }) => status,
    )
    await see(
      'the rest',
      () => refund(17_368),
      ({ status }) => status,
    )
    await see(
      'a refund of what was refunded',
      () => refund(1),
      ({ status }) => status,
    )
    await see(
      'the list of refunds',
      () => stripe.refunds.list({ payment_intent: held.id, limit: 100 }),
      ({ data }) => data.map(({ amount }) => amount),
    )
    await see(
      'the list of disputes',
      () => stripe.disputes.list({ payment_intent: held.id, limit: 100 }),
      ({ data }) => data.length,
    )
    const given = await hold()
    await see('a cancelled hold', () => stripe.paymentIntents.cancel(given.id), brief)
    await see('capturing what was cancelled', () => stripe.paymentIntents.capture(given.id), brief)
    await see('an intent that does not exist', () => stripe.paymentIntents.retrieve('pi_nobody'), brief)
    const idempotencyKey = `contract-${held.id}`
    const again = (amount: number) =>
      stripe.paymentIntents.create(
        { amount, currency: 'eur', capture_method: 'manual', allowed_payment_method_types: ['card'], metadata: {} },
        { idempotencyKey },
      )
    const first = await again(500)
    await see(
      'the same key again',
      () => again(500),
      ({ id }) => id === first.id,
    )
    await see(
      'the same key for another amount',
      () => again(600),
      ({ id }) => id === first.id,
    )
    return seen
  }
}

/** @param url absent: Duffel itself */
export function duffelSeen(token: string, url?: string): () => Promise<Seen> {
  const duffel = new Duffel({ token, ...(url && { basePath: url }) })
  const date = () => new Date(Date.now() + LATER_DAYS * 86_400_000).toISOString().slice(0, 10)
  const search = async (origin: string, destination: string) => {
    const slices = [{ origin, destination, departure_date: date() }]
    const query = { slices, passengers: [{ type: 'adult' }], cabin_class: 'economy', return_offers: true }
    const { data } = (await duffel.offerRequests.create(query as never)) as unknown as { data: { offers: Offer[] } }
    return data.offers.filter(({ owner }) => owner.iata_code === 'ZZ')
  }
  return async () => {
    const seen: Seen = {}
    const see = async <T>(name: string, call: () => Promise<T>, tell: (answer: T) => unknown) => {
      seen[name] = await outcome(call, tell)
    }
    await see(
      'a search without flights',
      () => search('PVD', 'RAI'),
      (offers) => offers.length,
    )
    const [gone] = await search('LGW', 'LHR')
    await see(
      'reading an offer that is gone',
      () => duffel.offers.get(gone?.id ?? 'off_none'),
      () => 'read',
    )
    const offers = await search('CDG', 'LIS')
    const offer = offers.find(({ conditions }) => conditions.refund_before_departure?.allowed) ?? offers[0]
    if (!offer) return { ...seen, 'an offer of Duffel Airways': 'none' }
    await see(
      'reading an offer',
      () => duffel.offers.get(offer.id),
      ({ data }) => data.slices.map(({ segments }) => segments.length > 0),
    )
    const order = (amount: string) =>
      duffel.orders.create({
        type: 'instant',
        selected_offers: [offer.id],
        services: [],
        payments: [{ type: 'balance', amount, currency: offer.total_currency }],
        metadata: { booking_id: 'contract' },
        passengers: [
          {
            ...{ id: offer.passengers[0]?.id, title: 'ms', gender: 'f', given_name: 'Ines', family_name: 'Moreau', born_on: '1990-02-14' },
            ...{ email: 'ines@example.org', phone_number: '+33612345678' },
          },
        ],
      } as never)
    await see(
      'an order with another amount',
      () => order('1.00'),
      () => 'ordered',
    )
    let orderId = ''
    const made = ({ data }: { data: { id: string; metadata?: unknown; available_actions?: string[] } }) => {
      orderId = data.id
      return { metadata: data.metadata, cancellable: data.available_actions?.includes('cancel') }
    }
    await see('an order', () => order(offer.total_amount), made as never)
    await see(
      'a second order of the search',
      () => order(offer.total_amount),
      () => 'ordered',
    )
    if (!orderId) return seen
    await see(
      'its changes by the airline',
      () => duffel.airlineInitiatedChanges.list(orderId),
      ({ data }) => data.length,
    )
    await see(
      'finding it by its offer',
      () => duffel.orders.list({ offer_id: offer.id } as never),
      ({ data }) => data.map(({ id }) => id === orderId),
    )
    const quote = () => duffel.orderCancellations.create({ order_id: orderId })
    let quoteId = ''
    await see('a quote for cancelling', quote, ({ data }) => {
      quoteId = data.id
      return { refund_to: data.refund_to, confirmed: data.confirmed_at !== null }
    })
    await see(
      'its confirmation',
      () => duffel.orderCancellations.confirm(quoteId),
      ({ data }) => ({ confirmed: data.confirmed_at !== null }),
    )
    await see('a quote for what is cancelled', quote, () => 'quoted')
    await see(
      'a change that does not exist',
      () => duffel.airlineInitiatedChanges.accept('aic_nobody'),
      () => 'accepted',
    )
    return seen
  }
}

/** What the simulator says otherwise than the supplier; nothing where they agree. */
export function differences(supplier: Seen, simulator: Seen): string[] {
  const names = [...new Set([...Object.keys(supplier), ...Object.keys(simulator)])]
  return names.flatMap((name) =>
    supplier[name] === simulator[name]
      ? []
      : [`${name}: the supplier says ${supplier[name] ?? 'nothing'}, the simulator ${simulator[name] ?? 'nothing'}`],
  )
}
