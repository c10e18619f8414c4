import { invalidParameter, missingResource, refusedOperation } from './error.ts'
import { formatAmount } from './money.ts'
import type { Parameters } from './parameters.ts'
import { changed, findIntent } from './payment-intents.ts'
import type { Charge, Refund } from './resources.ts'
import { usePlan, type World } from './world.ts'

export const refundSpec = {
  payment_intent: { type: 'text' },
  charge: { type: 'text' },
  amount: { type: 'integer' },
  reason: { type: 'choice', of: ['duplicate', 'fraudulent', 'requested_by_customer'] },
  metadata: { type: 'metadata' },
  expand: { type: 'list' },
} as const

/** Gives back all or part of what was captured, until nothing is left. */
export const createRefund = (world: World, params: Parameters<typeof refundSpec>): Refund => {
  const charge = chargeToRefund(world, params)
  if (charge.disputed)
    throw refusedOperation(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  const left = charge.amount_captured - charge.amount_refunded
  if (left === 0) throw refusedOperation(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  const amount = params.amount ?? left
  if (amount < 1) throw invalidParameter('This value must be greater than or equal to 1.', 'amount', 'parameter_invalid_integer')
  if (amount > left)
    throw refusedOperation(
      `Refund amount (${formatAmount(amount, charge.currency)}) is greater than unrefunded amount on charge (${formatAmount(left, charge.currency)})`,
      { param: 'amount' },
    )
  const refund: Refund = {
    id: world.newId('re'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: world.now(),
    currency: charge.currency,
    metadata: changed({}, params.metadata),
    payment_intent: charge.payment_intent,
    reason: params.reason ?? null,
    status: usePlan(world.plans, 'refund-pending') ? 'pending' : 'succeeded',
  }
  world.store.insert('refund', refund, charge.payment_intent)
  changeRefunded(world, charge, amount)
  world.emit('charge.refunded', charge)
  if (usePlan(world.plans, 'refund-failed')) failRefund(world, refund)
  return refund
}

/** A pending refund has reached the cardholder. */
export const settleRefund = (world: World, refund: Refund): Refund => {
  refund.status = 'succeeded'
  world.store.replace('refund', refund)
  world.emit('refund.updated', refund)
  return refund
}

/** The bank sends the money back: it is the merchant's again, and can be refunded again. */
export const failRefund = (world: World, refund: Refund): Refund => {
  refund.status = 'failed'
  refund.failure_reason = 'unknown'
  world.store.replace('refund', refund)
  const charge = world.store.find('charge', refund.charge)
  if (charge) changeRefunded(world, charge, -refund.amount)
  world.emit('refund.failed', refund)
  return refund
}

export const findRefund = (world: World, id: string): Refund => {
  const refund = world.store.find('refund', id)
  if (!refund) throw missingResource('refund', id)
  return refund
}

const changeRefunded = (world: World, charge: Charge, by: number): void => {
  charge.amount_refunded += by
  charge.refunded = charge.amount_refunded === charge.amount_captured
  world.store.replace('charge', charge)
}

const chargeToRefund = (world: World, params: Parameters<typeof refundSpec>): Charge => {
  if ((params.payment_intent === undefined) === (params.charge === undefined))
    throw invalidParameter(
      'You must provide exactly one of the following parameters: payment_intent, charge.',
      'payment_intent',
      'parameter_missing',
    )
  if (params.charge !== undefined) {
    const charge = world.store.find('charge', params.charge)
    if (!charge) throw missingResource('charge', params.charge, 'charge')
    if (!charge.captured) throw refusedOperation(`Charge ${charge.id} has not been captured; cancel its PaymentIntent instead.`)
    return charge
  }
  const id = params.payment_intent as string
  if (!world.store.find('payment_intent', id)) throw missingResource('payment_intent', id, 'payment_intent')
  const intent = findIntent(world, id)
  const charge = intent.latest_charge === null ? undefined : world.store.find('charge', intent.latest_charge)
  if (!charge?.captured) throw refusedOperation(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`)
  return charge
}
