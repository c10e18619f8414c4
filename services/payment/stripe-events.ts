/** Events that the card provider sends: whose they are, and which payment they are about. */
import Stripe from 'stripe'
import { z } from 'zod'

export type WebhookEvent = {
  id: string
  type: string
  intentId: string | null
  /** Ours, from the metadata; the intent's id may not be stored yet. */
  paymentId: string | null
}

const text = z.string().min(1).max(255)
const EventBody = z.object({
  id: text,
  type: text,
  data: z.object({
    object: z.object({
      object: text.optional().catch(undefined),
      id: text.optional().catch(undefined),
      payment_intent: text.optional().catch(undefined),
      metadata: z
        .object({ payment_id: text.optional().catch(undefined) })
        .optional()
        .catch(undefined),
    }),
  }),
})

/**
 * A provider event whose signature covers these bytes and is at most five minutes old. `unsigned`: anybody may have sent it.
 * `unreadable`: signed, but no event.
 */
export function readWebhookEvent(
  body: Uint8Array,
  signature: string | undefined,
  secret: string | undefined,
): WebhookEvent | 'unsigned' | 'unreadable' {
  if (!signature || !secret) return 'unsigned'
  let given: unknown
  try {
    given = Stripe.webhooks.constructEvent(Buffer.from(body), signature, secret)
  } catch (error) {
    return error instanceof Stripe.errors.StripeSignatureVerificationError ? 'unsigned' : 'unreadable'
  }
  const parsed = EventBody.safeParse(given)
  if (!parsed.success) return 'unreadable'
  const { id, type, data } = parsed.data
  const { object } = data
  const intentId = object.object === 'payment_intent' ? object.id : object.payment_intent
  return { id, type, intentId: intentId ?? null, paymentId: object.metadata?.payment_id ?? null }
}
