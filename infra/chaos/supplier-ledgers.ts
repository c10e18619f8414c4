/** The airline's and the card provider's side of a campaign that leaves HTTP out: they do what they are asked, once per key, and remember it. */
import type { Supplier } from '@passerelle/booking/duffel'
import { delay } from '@passerelle/kit/runtime'
import type { Intent } from '@passerelle/payment/domain/intent'
import { type CardProvider, ProviderError } from '@passerelle/payment/stripe'

/** Of a supplier that answers at once; a real one takes longer and costs no more. */
const ANSWER_MS = 5

export type OrderLedger = Supplier & { orders: { id: string; bookingId: string; cancelled: boolean }[] }

export function orderLedger(): OrderLedger {
  const orders: OrderLedger['orders'] = []
  const shown = ({ id, cancelled }: OrderLedger['orders'][number]) => ({ id, airlineReference: 'CHAOS1', cancellable: true, cancelled })
  return {
    orders,
    async order(request) {
      await delay(ANSWER_MS)
      const order = { id: `ord_${orders.length + 1}`, bookingId: request.metadata.booking_id ?? '', cancelled: false }
      orders.push(order)
      return { kind: 'ordered', order: shown(order) }
    },
    async find(bookingId) {
      await delay(ANSWER_MS)
      const found = orders.find((order) => order.bookingId === bookingId)
      return found ? shown(found) : null
    },
    recent: async () => orders.map((order) => ({ ...shown(order), bookingId: order.bookingId })),
    async cancel(orderId) {
      await delay(ANSWER_MS)
      const order = orders.find(({ id }) => id === orderId)
      if (!order) return { kind: 'refused', reason: 'not_found' }
      order.cancelled = true
      return { kind: 'cancelled', refund: { amount: null, currency: null, to: null, credits: [] } }
    },
  }
}

type LedgerIntent = { id: string; paymentId: string; amountMinor: number; currency: string; status: string; captures: number }

export type IntentLedger = CardProvider & { intents: LedgerIntent[] }

export function intentLedger(): IntentLedger {
  const intents: LedgerIntent[] = []
  const byId = new Map<string, LedgerIntent>()
  const byKey = new Map<string, LedgerIntent>()
  const get = (id: string) => {
    const intent = byId.get(id)
    if (!intent) throw new ProviderError('refused', { code: 'resource_missing' })
    return intent
  }
  const shown = ({ id, status }: LedgerIntent): Intent => ({ id, status, error: null, cardSummary: { brand: 'visa', last4: '4242' } })
  /** Moves from one state to the other; what has moved already is answered as it is. */
  const move = async (id: string, from: readonly string[], to: string, done: (intent: LedgerIntent) => void = () => undefined) => {
    await delay(ANSWER_MS)
    const intent = get(id)
    if (intent.status === to) return shown(intent)
    if (!from.includes(intent.status)) throw new ProviderError('refused', { code: 'payment_intent_unexpected_state' })
    intent.status = to
    done(intent)
    return shown(intent)
  }
  return {
    intents,
    async create({ id: paymentId, amountMinor, currency }, key) {
      await delay(ANSWER_MS)
      let intent = byKey.get(key)
      if (!intent) {
        const id = `pi_${intents.length + 1}`
        intent = { id, paymentId, amountMinor, currency, status: 'requires_confirmation', captures: 0 }
        byKey.set(key, intent)
        byId.set(id, intent)
        intents.push(intent)
      }
      return shown(intent)
    },
    confirm: (id) => move(id, ['requires_confirmation'], 'requires_capture'),
    createMethod: async () => 'pm_card_visa',
    async read(id) {
      await delay(ANSWER_MS)
      return shown(get(id))
    },
    capture: (id) =>
      move(id, ['requires_capture'], 'succeeded', (intent) => {
        intent.captures += 1
      }),
    cancel: (id) => move(id, ['requires_confirmation', 'requires_capture'], 'canceled'),
    refund: () => Promise.reject(new ProviderError('refused', { code: 'no_refunds_here' })),
    refundsOf: async () => [],
  }
}
