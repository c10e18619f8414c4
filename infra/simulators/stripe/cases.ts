/** Named cases that a test can bring about with POST `/_sim/cases`. */
import { ControlRefusal } from '../control.ts'
import { completePayment, failAuthentication, openDispute } from './payment-attempt.ts'
import { chargeOf, expireHold } from './payment-intents.ts'
import { failRefund, settleRefund } from './refunds.ts'
import type { PaymentIntent, Refund } from './resources.ts'
import type { Plan, World } from './world.ts'

const PLANS: readonly Plan[] = ['refund-pending', 'refund-failed', 'stored-error', 'events-twice']

/**
 * `{ case: 'authenticate', paymentIntent, outcome: 'success' | 'failure' }`: the cardholder answers the 3-D Secure demand.
 * `{ case: 'expire-hold', paymentIntent }`: the bank gives up the hold now.
 * `{ case: 'dispute', paymentIntent }`: the cardholder disputes a captured payment.
 * `{ case: 'settle-refund' | 'fail-refund', refund }`: what becomes of a refund that is pending (or, failing, done).
 * `{ case: 'refund-pending' | 'refund-failed' | 'stored-error' | 'events-twice', times? }`: what happens to the next ones.
 */
export const runCase = (world: World, body: unknown): unknown =>
  world.store.transaction(() => {
    const request = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
    const plan = PLANS.find((name) => name === request.case)
    if (plan) {
      const times = request.times ?? 1
      if (!Number.isInteger(times) || (times as number) < 0) throw new ControlRefusal('times is a whole number')
      world.plans.set(plan, times as number)
      return { case: plan, times }
    }
    if (request.case === 'settle-refund') return settleRefund(world, refundIn(world, request, ['pending']))
    if (request.case === 'fail-refund') return failRefund(world, refundIn(world, request, ['pending', 'succeeded']))
    if (request.case === 'dispute') {
      const intent = intentIn(world, request, 'succeeded')
      openDispute(world, chargeOf(world, intent))
      return intent
    }
    if (request.case === 'expire-hold') return expireHold(world, intentIn(world, request, 'requires_capture'))
    if (request.case === 'authenticate') {
      if (request.outcome !== 'success' && request.outcome !== 'failure') throw new ControlRefusal('outcome is success or failure')
      return authenticate(world, intentIn(world, request, 'requires_action'), request.outcome === 'success')
    }
    throw new ControlRefusal(`case is one of authenticate, expire-hold, dispute, settle-refund, fail-refund, ${PLANS.join(', ')}`)
  })

/** The cardholder's answer to the bank's question. */
export const authenticate = (world: World, intent: PaymentIntent, success: boolean): PaymentIntent => {
  const method = intent.payment_method === null ? undefined : world.store.find('payment_method', intent.payment_method)
  if (!method) throw new ControlRefusal('this intent has no payment method')
  if (success) completePayment(world, intent, method)
  else failAuthentication(world, intent, method)
  return intent
}

const intentIn = (world: World, request: Record<string, unknown>, status: PaymentIntent['status']): PaymentIntent => {
  const intent = world.store.find('payment_intent', String(request.paymentIntent))
  if (!intent) throw new ControlRefusal(`no payment intent ${request.paymentIntent}`)
  if (intent.status !== status) throw new ControlRefusal(`the intent is ${intent.status}, not ${status}`)
  return intent
}

const refundIn = (world: World, request: Record<string, unknown>, statuses: Refund['status'][]): Refund => {
  const refund = world.store.find('refund', String(request.refund))
  if (!refund) throw new ControlRefusal(`no refund ${request.refund}`)
  if (!statuses.includes(refund.status)) throw new ControlRefusal(`the refund is ${refund.status}`)
  return refund
}
