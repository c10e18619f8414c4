/** The airline's and the card provider's side of a campaign without HTTP: they do what they are asked, once per key, and remember it. */
import type { Supplier } from '@passerelle/booking/duffel'
import { delay } from '@passerelle/kit/runtime'
import type { Intent } from '@passerelle/payment/domain/intent'
import { type CardProvider, ProviderError } from '@passerelle/payment/stripe'
import type { Ledgers } from './invariants.ts'

/** Of a supplier that answers at once; a real one takes longer and costs no more. */
const ANSWER_MS = 5

export function orderLedger(): Supplier & Pick<Ledgers, 'orders'> {
  const orders: Ledgers['orders'] = []
  const shown = ({ id, booking_reference, cancelled_at }: Ledgers['orders'][number]) => ({
    id,
    airlineReference: booking_reference,
    cancellable: true,
    cancelled: cancelled_at !== null,
    tickets: [],
  })
  return {
    orders,
    async order({ metadata, payments }) {
      await delay(ANSWER_MS)
      const [paid] = payments
      const total = { total_amount: paid?.amount ?? '', total_currency: paid?.currency ?? '' }
      const order = { id: `ord_${orders.length + 1}`, booking_reference: 'CHAOS1', ...total, metadata, cancelled_at: null }
      orders.push(order)
      return { kind: 'ordered', order: shown(order) }
    },
    async find(bookingId) {
      await delay(ANSWER_MS)
      const found = orders.find(({ metadata }) => metadata.booking_id === bookingId)
      return found ? shown(found) : null
    },
    madeSince: async () =>
      orders.map((order) => ({
        ...shown(order),
        bookingId: order.metadata.booking_id ?? null,
        createdAt: new Date(),
        total: { amount: order.total_amount, currency: order.total_currency },
      })),
    async cancel(orderId) {
      await delay(ANSWER_MS)
      const order = orders.find(({ id }) => id === orderId)
      if (!order) return { kind: 'refused', reason: 'not_found' }
      order.cancelled_at = new Date().toISOString()
      return { kind: 'cancelled', refund: { amount: null, currency: null, to: null, credits: [] } }
    },
  }
}

type LedgerIntent = Ledgers['intents'][number]

export function intentLedger(): CardProvider & Pick<Ledgers, 'intents' | 'captures'> {
  const byId = new Map<string, LedgerIntent>()
  const byKey = new Map<string, LedgerIntent>()
  const intents: LedgerIntent[] = []
  const captures: Ledgers['captures'] = []
  const shown = ({ id, status }: LedgerIntent): Intent => ({
    id,
    status,
    error: null,
    cardSummary: { brand: 'visa', last4: '4242' },
    clientSecret: null,
  })
  const read = async (id: string) => {
    await delay(ANSWER_MS)
    const intent = byId.get(id)
    if (!intent) throw new ProviderError('refused', { code: 'resource_missing' })
    return intent
  }
  /** Moves from one status to the next; an intent that has it already is returned as it is. */
  const move = async (id: string, from: readonly string[], to: string): Promise<Intent> => {
    const intent = await read(id)
    if (intent.status === to) return shown(intent)
    if (!from.includes(intent.status)) throw new ProviderError('refused', { code: 'payment_intent_unexpected_state' })
    intent.status = to
    if (to === 'succeeded') {
      intent.captured = intent.amount
      captures.push({ paymentIntent: id })
    }
    return shown(intent)
  }
  return {
    intents,
    captures,
    async create({ id: payment_id, amountMinor, currency }, key) {
      await delay(ANSWER_MS)
      const known = byKey.get(key)
      if (known) return shown(known)
      const amounts = { amount: amountMinor, currency, captured: 0, refunded: 0 }
      const intent = { id: `pi_${intents.length + 1}`, ...amounts, status: 'requires_confirmation', metadata: { payment_id } }
      byKey.set(key, intent)
      byId.set(intent.id, intent)
      intents.push(intent)
      return shown(intent)
    },
    confirm: (id) => move(id, ['requires_confirmation'], 'requires_capture'),
    createMethod: async () => 'pm_card_visa',
    read: async (id) => shown(await read(id)),
    capture: (id) => move(id, ['requires_capture'], 'succeeded'),
    cancel: (id) => move(id, ['requires_confirmation', 'requires_capture'], 'canceled'),
    refund: () => Promise.reject(new ProviderError('refused', { code: 'no_refunds_here' })),
    refundsOf: async () => [],
    disputesOf: async () => [],
    made: async () => ({ intents: [], after: null }),
  }
}
