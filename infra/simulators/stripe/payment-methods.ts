import { invalidParameter, missingResource } from './error.ts'
import type { Parameters } from './parameters.ts'
import type { PaymentMethod } from './resources.ts'
import { cardNamed, type TestCard, testCardOf } from './test-cards.ts'
import type { World } from './world.ts'

const text = { type: 'text' } as const

export const paymentMethodSpec = {
  type: { type: 'choice', of: ['card'], required: true },
  card: { type: 'object', fields: { token: { ...text, required: true } }, required: true },
  billing_details: { type: 'object', fields: { email: text, name: text, phone: text } },
  metadata: { type: 'metadata' },
  expand: { type: 'list' },
} as const

export const createPaymentMethod = (world: World, params: Parameters<typeof paymentMethodSpec>): PaymentMethod => {
  const known = params.card.token.startsWith('tok_') ? testCardOf(params.card.token) : undefined
  if (!known) throw missingResource('token', params.card.token, 'card[token]')
  const method = newMethod(world, known.name, known.card)
  Object.assign(method.billing_details, params.billing_details)
  method.metadata = params.metadata ?? {}
  world.store.replace('payment_method', method)
  return method
}

/** `pm_card_visa` and the like stand for a new payment method each time they are named; any other id must exist. */
export const findPaymentMethod = (world: World, id: string, param?: string): PaymentMethod => {
  const known = id.startsWith('pm_card_') ? testCardOf(id) : undefined
  if (known) return newMethod(world, known.name, known.card)
  const method = world.store.find('payment_method', id)
  if (!method) throw missingResource('PaymentMethod', id, param)
  return method
}

export const cardBehind = (world: World, method: PaymentMethod): TestCard => {
  const name = world.store.parentOf(method.id)
  if (name === undefined) throw invalidParameter('This payment method has no card.', 'payment_method')
  return cardNamed(name)
}

const newMethod = (world: World, name: string, card: TestCard): PaymentMethod => {
  const method: PaymentMethod = {
    id: world.newId('pm'),
    object: 'payment_method',
    type: 'card',
    card: {
      brand: card.brand,
      last4: card.last4,
      exp_month: 12,
      exp_year: new Date(world.now() * 1000).getUTCFullYear() + 1,
      funding: 'credit',
      country: 'US',
      three_d_secure_usage: { supported: true },
    },
    billing_details: { address: null, email: null, name: null, phone: null },
    created: world.now(),
    customer: null,
    livemode: false,
    metadata: {},
  }
  world.store.insert('payment_method', method, name)
  return method
}
