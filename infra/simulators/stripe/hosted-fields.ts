/**
 * What a browser asks of Stripe: the script, the fields for a card in a frame, and the page on which a bank asks its customer. Numbers
 * arrive here alone; the product gets the id of a payment method.
 */
import { join } from 'node:path'
import express, { type Router } from 'express'
import { z } from 'zod'
import { answerChallenge } from './charges.ts'
import { type ErrorBody, StripeApiError } from './error.ts'
import { findIntent } from './payment-intents.ts'
import type { PaymentIntent, PaymentMethod } from './resources.ts'
import { cardNamed, nameOfNumber } from './test-cards.ts'
import type { World } from './world.ts'

const folder = join(import.meta.dirname, 'hosted')
const Card = z.strictObject({
  key: z.string().regex(/^pk_live_\S+$/),
  number: z.string().regex(/^\d{12,19}$/),
  expiry: z.string().regex(/^(0[1-9]|1[0-2])\d\d$/),
  cvc: z.string().regex(/^\d{3,4}$/),
})
const Question = z.strictObject({ clientSecret: z.string(), agreed: z.boolean().optional() })

/** @param wake events may be due */
export const hostedFields = (world: World, wake: () => void): Router => {
  const router = express.Router()
  router.use('/hosted', express.json())
  router.get(
    '/endive/stripe.js',
    (_req, res) => void res.set('cross-origin-resource-policy', 'cross-origin').sendFile(join(folder, 'stripe.js')),
  )
  router.get('/hosted/:page', (req, res, next) =>
    ['fields', 'challenge'].includes(req.params.page) ? res.sendFile(join(folder, `${req.params.page}.html`)) : next(),
  )
  router.post('/hosted/payment_methods', (req, res) => {
    const card = Card.safeParse(req.body)
    if (!card.success) return void res.status(402).json({ error: errorOf(String(card.error.issues[0]?.path[0])) })
    res.json(world.documents.transaction(() => publicMethod(makeMethod(world, card.data.number))))
  })
  router.post('/hosted/payment_intents/:id', (req, res) => {
    try {
      res.json(world.documents.transaction(() => answerQuestion(world, req.params.id, Question.parse(req.body))))
      wake()
    } catch (error) {
      if (!(error instanceof StripeApiError)) throw error
      res.status(error.status).json({ error: error.body })
    }
  })
  return router
}

const makeMethod = (world: World, number: string): PaymentMethod => {
  const name = nameOfNumber(number)
  const method: PaymentMethod = {
    id: world.newId('pm'),
    object: 'payment_method',
    type: 'card',
    card: { brand: cardNamed(name)?.brand ?? 'visa', last4: number.slice(-4) },
    created: world.now(),
    livemode: world.livemode,
    card_name: name,
  }
  world.documents.insert('payment_method', method.id, method)
  return method
}

const publicMethod = ({ card_name: _, ...method }: PaymentMethod) => ({ paymentMethod: method })

/** Reads the intent for whoever has its secret, and answers the bank where that was sent along. */
const answerQuestion = (world: World, id: string, { clientSecret, agreed }: z.output<typeof Question>) => {
  const intent = findIntent(world, id)
  if (intent.client_secret !== clientSecret)
    throw new StripeApiError(401, { type: 'invalid_request_error', message: 'The client_secret does not match this PaymentIntent.' })
  if (agreed !== undefined && intent.status === 'requires_action') answerChallenge(world, intent, agreed)
  return { paymentIntent: publicIntent(world, intent) }
}

const publicIntent = (world: World, { id, status, amount, currency, last_payment_error, payment_method }: PaymentIntent) => {
  const last4 = world.documents.find<PaymentMethod>('payment_method', payment_method ?? '')?.card.last4 ?? null
  return { id, object: 'payment_intent', status, amount, currency, last_payment_error, last4 }
}

const MESSAGES: Record<string, Pick<ErrorBody, 'code' | 'message'>> = {
  number: { code: 'incomplete_number', message: 'Your card number is incomplete.' },
  expiry: { code: 'incomplete_expiry', message: "Your card's expiration date is incomplete." },
  cvc: { code: 'incomplete_cvc', message: "Your card's security code is incomplete." },
}
const errorOf = (field: string) => ({
  type: 'validation_error',
  ...(MESSAGES[field] ?? { message: 'Invalid API Key provided' }),
  param: field,
})
