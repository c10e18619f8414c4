/** What the suppliers do wrong while a campaign goes on: a tenth of the calls is lost, half of these with effect, a twentieth fails. */
import { control } from '@passerelle/local/test-visitor.fixture'
import { mark } from './campaign.ts'

type Supplier = 'duffel' | 'stripe' | 'mailbox'
type Fault = { supplier: Supplier; name: string; match?: { method?: string; path?: string }; effect: string; probability: number } & Record<
  string,
  unknown
>

const orders = { match: { method: 'POST', path: '/air/orders' }, supplier: 'duffel' as const }
const lists = { match: { method: 'GET', path: '/air/orders' }, supplier: 'duffel' as const }
const cancellations = { match: { method: 'POST', path: '/air/order_cancellations*' }, supplier: 'duffel' as const }
const cards = { match: { method: 'POST', path: '/v1/payment_intents*' }, supplier: 'stripe' as const }
const refunds = { match: { method: 'POST', path: '/v1/refunds' }, supplier: 'stripe' as const }
const voids = { match: { method: 'POST', path: '/v1/payment_intents/*/cancel' }, supplier: 'stripe' as const }
const captures = { match: { method: 'POST', path: '/v1/payment_intents/*/capture' }, supplier: 'stripe' as const }
const NOT_CANCELLED = {
  meta: { status: 422, request_id: 'chaos' },
  errors: [
    { type: 'invalid_state_error', code: 'unsupported_action', title: 'Unsupported action', message: 'This order cannot be cancelled.' },
  ],
}
const DECLINED = {
  error: { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
}

/** Each is a mark: the call that it strikes is made in one state of a booking only. */
export const weather: readonly Fault[] = [
  { ...orders, name: 'order lost, not made', effect: 'hang', probability: 0.05 },
  { ...orders, name: 'order lost, made', effect: 'hang', afterCommit: true, probability: 0.05 },
  { ...orders, name: 'order fails with 500, made', effect: 'status', status: 500, afterCommit: true, probability: 0.025 },
  { ...orders, name: 'order fails with 503, not made', effect: 'status', status: 503, probability: 0.025 },
  { ...orders, name: 'order accepted with 202', effect: 'status', status: 202, body: {}, afterCommit: true, probability: 0.04 },
  { ...orders, name: 'order answered late', effect: 'delay', ms: 6000, afterCommit: true, probability: 0.03 },
  { ...cancellations, name: 'cancellation lost, not made', effect: 'reset', probability: 0.05 },
  { ...cancellations, name: 'cancellation lost, made', effect: 'reset-after-commit', probability: 0.05 },
  { ...cancellations, name: 'cancellation fails with 502', effect: 'html', probability: 0.05 },
  { ...captures, name: 'capture refused for good', effect: 'status', status: 402, body: DECLINED, probability: 0.03 },
  { ...captures, name: 'capture lost, made', effect: 'reset-after-commit', probability: 0.05 },
  { ...cards, name: 'card call lost, not made', effect: 'reset', probability: 0.03 },
  { ...cards, name: 'card call lost, made', effect: 'reset-after-commit', probability: 0.03 },
  { ...cards, name: 'card call fails with 500', effect: 'status', status: 500, probability: 0.03 },
  { ...refunds, name: 'refund lost, made', effect: 'reset-after-commit', probability: 0.1 },
  { supplier: 'stripe', name: 'webhook late', effect: 'webhook-late', ms: 20_000, probability: 0.2 },
  { supplier: 'mailbox', name: 'mail refused', effect: 'smtp', probability: 0.05 },
  { supplier: 'mailbox', name: 'mail taken, answer lost', effect: 'smtp-reset-after-commit', probability: 0.05 },
]

/** Suppliers that do not do what they are asked for. Not with captures that are refused: a ticket that nobody pays and nobody cancels is an operator's. */
export const refusals: readonly Fault[] = [
  { ...orders, name: 'order lost, made', effect: 'hang', afterCommit: true, probability: 0.3 },
  { ...lists, name: 'list of orders fails with 500', effect: 'status', status: 500, probability: 0.7 },
  { ...cancellations, name: 'cancellation refused', effect: 'status', status: 422, body: NOT_CANCELLED, probability: 0.5 },
  { ...voids, name: 'hold not let go', effect: 'status', status: 500, probability: 0.8 },
]

export type Suppliers = Record<Supplier, string>

/**
 * Sets the faults, each certain for its first `certain` calls and by chance from then on; the returned function takes them back and marks how
 * often each has struck.
 */
export async function makeWeather(suppliers: Suppliers, faults: readonly Fault[], certain: number): Promise<() => Promise<void>> {
  const set = new Map<string, string>()
  const add = async (name: string, supplier: Supplier, fault: object) => {
    const answer = await fetch(`${suppliers[supplier]}/_sim/faults`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fault) },
    })
    set.set(`${supplier} ${((await answer.json()) as { id: string }).id}`, name)
  }
  for (const { supplier, name, probability: _, ...fault } of faults) await add(name, supplier, { ...fault, times: certain })
  for (const { supplier, name, ...fault } of faults) await add(name, supplier, fault)
  return async () => {
    for (const supplier of new Set(faults.map((fault) => fault.supplier))) {
      const { faults: left } = (await (await fetch(`${suppliers[supplier]}/_sim/faults`)).json()) as {
        faults: { id: string; hits: number }[]
      }
      for (const [key, name] of [...set].filter(([key]) => key.startsWith(supplier)))
        mark(name, left.find(({ id }) => key === `${supplier} ${id}`)?.hits ?? certain)
      await control(suppliers[supplier], 'faults', undefined, 'DELETE')
    }
  }
}
