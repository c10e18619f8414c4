/** The card provider in memory, as `stripe.ts` of the payment service shows it: the first answer to a key is the answer to that key, 5xx included. */
import type { Intent } from '@passerelle/payment/domain/intent'
import { type CardProvider, type MovedMoney, ProviderError, type ProviderRefund } from '@passerelle/payment/stripe'
import type { LedgerIntent, Ledgers } from './ledgers.ts'

export type CardTools = {
  ledgers: Ledgers
  now(): number
  behaviourAt(point: string): string | undefined
  /** An event for the webhook. */
  emit(type: string, intent: LedgerIntent): void
  /** Called right before an amount is taken. */
  onCapture(intent: LedgerIntent): void
}

type Stored = { value: unknown } | { error: ProviderError }
const refused = (code: string) => new ProviderError('refused', { code })
const failed = () => new ProviderError('unknown', { code: 'api_error', needsNewKey: true })

export function memoryCardProvider({ ledgers, now, behaviourAt, emit, onCapture }: CardTools): CardProvider {
  const answers = new Map<string, Stored>()
  const { intents } = ledgers
  const find = (id: string) => {
    const found = intents.find((intent) => intent.id === id)
    if (!found) throw refused('resource_missing')
    return found
  }
  const shown = ({ id, status, declined }: LedgerIntent): Intent => ({
    id,
    status,
    error: declined ? { code: 'card_declined', declineCode: 'generic_decline' } : null,
    cardSummary: status === 'requires_capture' || status === 'succeeded' ? { brand: 'visa', last4: '4242' } : null,
    clientSecret: null,
  })
  const shownRefund = ({ id, bookingId, amountMinor }: LedgerIntent['refunds'][number]): ProviderRefund => ({
    id,
    status: 'succeeded',
    bookingId,
    amountMinor,
  })
  const moneyOf = ({ id, paymentId, createdAt, currency, amountMinor, captures, refunds }: LedgerIntent): MovedMoney => ({
    intentId: id,
    paymentId,
    createdAt: new Date(createdAt),
    currency,
    capturedMinor: captures.length > 0 ? amountMinor : 0,
    refundedMinor: refunds.reduce((sum, one) => sum + one.amountMinor, 0),
  })
  const move = (intent: LedgerIntent, status: LedgerIntent['status'], type: string) => {
    intent.status = status
    emit(type, intent)
    return shown(intent)
  }
  /** Once per key. */
  const once = async <T>(point: string, key: string, work: (how: string | undefined) => T): Promise<T> => {
    let stored = answers.get(key)
    if (!stored) {
      const how = behaviourAt(`card.${point}`)
      stored = how === '500' ? { error: failed() } : attempt(() => work(how))
      if (how === '500, done') stored = { error: failed() }
      answers.set(key, stored)
    }
    if ('error' in stored) throw stored.error
    return stored.value as T
  }
  return {
    create: ({ id, amountMinor, currency }, key) =>
      once('create', key, () => {
        const intent: LedgerIntent = {
          id: `pi_${intents.length + 1}`,
          paymentId: id,
          amountMinor,
          currency,
          status: 'requires_payment_method',
          declined: false,
          createdAt: now(),
          captures: [],
          refunds: [],
        }
        intents.push(intent)
        return shown(intent)
      }),
    confirm: (intentId, _about, key) =>
      once('confirm', key, (how) => {
        const intent = find(intentId)
        if (intent.status !== 'requires_payment_method') throw refused('payment_intent_unexpected_state')
        intent.declined = how === 'declined'
        if (intent.declined) {
          emit('payment_intent.payment_failed', intent)
          throw new ProviderError('declined', { code: 'card_declined', declineCode: 'generic_decline' })
        }
        return move(intent, 'requires_capture', 'payment_intent.amount_capturable_updated')
      }),
    createMethod: async () => 'pm_card_visa',
    read: async (intentId) => shown(find(intentId)),
    capture: (intentId, key) =>
      once('capture', key, (how) => {
        const intent = find(intentId)
        if (how === 'hold expired' && intent.status === 'requires_capture') move(intent, 'canceled', 'payment_intent.canceled')
        if (intent.status !== 'requires_capture') throw refused('payment_intent_unexpected_state')
        onCapture(intent)
        intent.captures.push(now())
        return move(intent, 'succeeded', 'payment_intent.succeeded')
      }),
    cancel: (intentId, key) =>
      once('cancel', key, () => {
        const intent = find(intentId)
        if (intent.status === 'succeeded' || intent.status === 'canceled') throw refused('payment_intent_unexpected_state')
        return move(intent, 'canceled', 'payment_intent.canceled')
      }),
    refund: ({ intentId, bookingId, amountMinor }, key) =>
      once('refund', key, (how) => {
        const intent = find(intentId)
        const left =
          (intent.status === 'succeeded' ? intent.amountMinor : 0) - intent.refunds.reduce((sum, one) => sum + one.amountMinor, 0)
        if (how === 'refused') throw refused('charge_disputed')
        if (amountMinor > left) throw refused(left === 0 ? 'charge_already_refunded' : 'amount_too_large')
        const refund = { id: `re_${intent.id}_${intent.refunds.length + 1}`, bookingId, amountMinor }
        intent.refunds.push(refund)
        emit('charge.refunded', intent)
        return shownRefund(refund)
      }),
    refundsOf: async (intentId) => find(intentId).refunds.toReversed().map(shownRefund),
    disputesOf: async () => [],
    moneyOf: async (intentId) => moneyOf(find(intentId)),
    async made({ from, to }) {
      const within = intents.filter(({ createdAt }) => createdAt >= from.getTime() && createdAt < to.getTime())
      return { intents: within.toReversed().map(moneyOf), after: null }
    },
  }
}

function attempt(work: () => unknown): Stored {
  try {
    return { value: work() }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { error }
  }
}
