/** Named cases that a test can bring about with POST `/_sim/cases`. */
import { ControlRefusal } from '../control.ts'
import { answerChallenge, openDispute } from './charges.ts'
import { closeDispute } from './disputes.ts'
import { StripeApiError } from './error.ts'
import { chargeOf, expireHold } from './payment-intents.ts'
import { createRefund } from './refunds.ts'
import type { PaymentIntent } from './resources.ts'
import type { World } from './world.ts'

/**
 * `{ case: 'expire-hold', paymentIntent }`: the bank gives up the hold now.
 * `{ case: 'dispute', paymentIntent }`: the cardholder disputes a captured payment.
 * `{ case: 'close-dispute', paymentIntent, won }`: the bank decides it.
 * `{ case: 'refund', paymentIntent, amount }`: somebody refunds so much in the dashboard.
 * `{ case: 'answer-challenge', paymentIntent, agreed }`: the cardholder answers the bank, without a browser.
 * `{ case: 'stored-error' }`: the next request with an idempotency key is answered 500, and so is every replay of its key.
 */
export const runCase = (world: World, body: unknown): unknown =>
  world.documents.transaction(() => {
    const request = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
    if (request.case === 'stored-error') world.storedErrors += 1
    else if (request.case === 'expire-hold') expireHold(world, intentIn(world, request, 'requires_capture'))
    else if (request.case === 'dispute') openDispute(world, chargeOf(world, intentIn(world, request, 'succeeded')))
    else if (request.case === 'close-dispute') {
      if (!closeDispute(world, chargeOf(world, intentIn(world, request, 'succeeded')), request.won === true))
        throw new ControlRefusal('no dispute is open')
    } else if (request.case === 'refund') refundByHand(world, intentIn(world, request, 'succeeded'), Number(request.amount))
    else if (request.case === 'answer-challenge')
      answerChallenge(world, intentIn(world, request, 'requires_action'), request.agreed === true)
    else throw new ControlRefusal('case is one of expire-hold, dispute, close-dispute, refund, answer-challenge, stored-error')
    return request
  })

/** Without the metadata that the product gives to its own. */
const refundByHand = (world: World, { id }: PaymentIntent, amount: number): void => {
  try {
    createRefund(world, { payment_intent: id, amount, metadata: {} })
  } catch (error) {
    throw error instanceof StripeApiError ? new ControlRefusal(error.body.message) : error
  }
}

const intentIn = (world: World, request: Record<string, unknown>, status: PaymentIntent['status']): PaymentIntent => {
  const intent = world.documents.find<PaymentIntent>('payment_intent', String(request.paymentIntent))
  if (!intent) throw new ControlRefusal(`no payment intent ${request.paymentIntent}`)
  if (intent.status !== status) throw new ControlRefusal(`the intent is ${intent.status}, not ${status}`)
  return intent
}
