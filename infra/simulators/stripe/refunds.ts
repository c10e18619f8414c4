import { z } from 'zod'
import { invalidParameter, refusedOperation } from './error.ts'
import { formatAmount } from './money.ts'
import { integer, metadata, text } from './parameters.ts'
import { chargeOf, findIntent } from './payment-intents.ts'
import type { Refund } from './resources.ts'
import type { World } from './world.ts'

export const refundSchema = z.strictObject({ payment_intent: text, amount: integer, metadata })
export const refundListSchema = z.strictObject({ payment_intent: text, limit: z.literal('100') })

/** Gives back all or part of what was captured, until nothing is left. */
export const createRefund = (world: World, { payment_intent, amount, metadata }: z.output<typeof refundSchema>): Refund => {
  const charge = chargeOf(world, findIntent(world, payment_intent, 'payment_intent'))
  if (!charge.captured) throw refusedOperation(`This PaymentIntent (${payment_intent}) does not have a successful charge to refund.`)
  if (charge.disputed)
    throw refusedOperation(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  const left = charge.amount_captured - charge.amount_refunded
  if (left === 0) throw refusedOperation(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
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
    metadata,
    payment_intent,
    status: 'succeeded',
  }
  world.documents.insert('refund', refund.id, refund, { parent: payment_intent })
  const refunded = { ...charge, amount_refunded: charge.amount_refunded + amount, refunded: amount === left }
  world.documents.replace('charge', charge.id, refunded)
  world.emit('charge.refunded', refunded)
  return refund
}

/** Newest first. No intent here has a hundred refunds, so there is one page. */
export const listRefunds = (world: World, { payment_intent }: z.output<typeof refundListSchema>) => ({
  object: 'list',
  url: '/v1/refunds',
  has_more: false,
  data: world.documents.list<Refund>('refund', { parent: payment_intent, newestFirst: true }),
})
