/** The routes of the API: for each its parameters and what carries it out. */
import { missingResource } from './error.ts'
import type { Form } from './form.ts'
import { type Parameters, readParameters, type Spec } from './parameters.ts'
import { cancelSpec, captureSpec, confirmSpec, createSpec, updateSpec } from './payment-intent-parameters.ts'
import { cancelIntent, captureIntent, confirmIntent, createIntent, findIntent, updateIntent } from './payment-intents.ts'
import { createPaymentMethod, findPaymentMethod, paymentMethodSpec } from './payment-methods.ts'
import { checkExpansions, expand, listPage, listSpec } from './present.ts'
import { createRefund, findRefund, refundSpec } from './refunds.ts'
import type { Kind } from './resources.ts'
import type { World } from './world.ts'

export type Endpoint = {
  method: 'GET' | 'POST'
  /** `:id` stands for one segment. */
  path: string
  run(world: World, form: Form, id: string): unknown
}

const retrieveSpec = { expand: { type: 'list' } } as const

const endpoint = <const S extends Spec>(
  method: 'GET' | 'POST',
  path: string,
  kind: Kind,
  spec: S,
  work: (world: World, params: Parameters<S>, id: string) => unknown,
): Endpoint => ({
  method,
  path,
  run: (world, form, id) => {
    const params = readParameters(form, spec)
    const paths = (params as { expand?: string[] }).expand
    checkExpansions(kind, (spec as Spec) === listSpec || 'starting_after' in spec, paths)
    return expand(world, work(world, params, id), paths)
  },
})

const filteredByIntent = { ...listSpec, payment_intent: { type: 'text' } } as const

const found = <T>(object: T | undefined, kind: string, id: string): T => {
  if (object === undefined) throw missingResource(kind, id)
  return object
}

export const endpoints: Endpoint[] = [
  endpoint('POST', '/v1/payment_intents', 'payment_intent', createSpec, createIntent),
  endpoint('GET', '/v1/payment_intents', 'payment_intent', listSpec, (world, params) =>
    listPage(world, 'payment_intent', '/v1/payment_intents', params),
  ),
  endpoint('GET', '/v1/payment_intents/:id', 'payment_intent', retrieveSpec, (world, _params, id) => findIntent(world, id)),
  endpoint('POST', '/v1/payment_intents/:id', 'payment_intent', updateSpec, (world, params, id) => updateIntent(world, id, params)),
  endpoint('POST', '/v1/payment_intents/:id/confirm', 'payment_intent', confirmSpec, (world, params, id) =>
    confirmIntent(world, id, params),
  ),
  endpoint('POST', '/v1/payment_intents/:id/capture', 'payment_intent', captureSpec, (world, params, id) =>
    captureIntent(world, id, params),
  ),
  endpoint('POST', '/v1/payment_intents/:id/cancel', 'payment_intent', cancelSpec, (world, params, id) => cancelIntent(world, id, params)),
  endpoint('POST', '/v1/refunds', 'refund', refundSpec, createRefund),
  endpoint('GET', '/v1/refunds', 'refund', filteredByIntent, (world, params) =>
    listPage(world, 'refund', '/v1/refunds', params, params.payment_intent),
  ),
  endpoint('GET', '/v1/refunds/:id', 'refund', retrieveSpec, (world, _params, id) => findRefund(world, id)),
  endpoint('GET', '/v1/charges', 'charge', filteredByIntent, (world, params) =>
    listPage(world, 'charge', '/v1/charges', params, params.payment_intent),
  ),
  endpoint('GET', '/v1/charges/:id', 'charge', retrieveSpec, (world, _params, id) => found(world.store.find('charge', id), 'charge', id)),
  endpoint('POST', '/v1/payment_methods', 'payment_method', paymentMethodSpec, createPaymentMethod),
  endpoint('GET', '/v1/payment_methods/:id', 'payment_method', retrieveSpec, (world, _params, id) => findPaymentMethod(world, id)),
  endpoint('GET', '/v1/events', 'event', listSpec, (world, params) => listPage(world, 'event', '/v1/events', params)),
  endpoint('GET', '/v1/events/:id', 'event', retrieveSpec, (world, _params, id) => found(world.store.find('event', id), 'event', id)),
]
