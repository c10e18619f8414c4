/** What a visitor pays with, and the question that a bank may ask about it (3-D Secure). */
import { ApiError } from '@passerelle/contracts/client'
import { type CardDetails, digitsOnly } from '@passerelle/contracts/rules/card'

/** left: the visitor wants another card. */
export type BankAnswer = 'answered' | 'left'

/** Test mode: a published test card as it was typed. Live mode: what the provider's own fields made of a card, and who can show the question. */
export type PaysWith =
  | { kind: 'card'; card: CardDetails }
  | { kind: 'method'; paymentMethodId: string; cardLast4: string; ask: (clientSecret: string) => Promise<BankAnswer> }

export const last4Of = (pays: PaysWith): string => (pays.kind === 'card' ? digitsOnly(pays.card.number).slice(-4) : pays.cardLast4)

/** The part of a request that says it. */
export function instrumentOf(pays: PaysWith): { cardDetails: CardDetails } | { paymentMethodId: string } {
  if (pays.kind === 'method') return { paymentMethodId: pays.paymentMethodId }
  return { cardDetails: { ...pays.card, number: digitsOnly(pays.card.number), holderName: pays.card.holderName.trim() } }
}

/** The visitor did not wait for the bank. */
export class QuestionLeft extends Error {}

/** The secret that opens the bank's question; null for any other failure. */
function questionIn(error: unknown): string | null {
  const secret = error instanceof ApiError && error.code === 'PAYMENT_ACTION_REQUIRED' ? error.body?.details?.clientSecret : null
  return typeof secret === 'string' ? secret : null
}

/**
 * Sends a payment; when the bank asks something, shows that and sends the same once more, for its outcome: only the server knows it.
 * @throws QuestionLeft, and what `send` throws, also when the bank still asks after its answer
 */
export async function throughQuestion<T>(pays: PaysWith, send: () => Promise<T>, on: { asked(): void; answered(): void }): Promise<T> {
  try {
    return await send()
  } catch (error) {
    const secret = questionIn(error)
    if (secret === null || pays.kind === 'card') throw error
    on.asked()
    if ((await pays.ask(secret)) === 'left') throw new QuestionLeft('the bank was not answered')
    on.answered()
    return await send()
  }
}
