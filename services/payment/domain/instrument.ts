/** What a visitor pays with, judged before anything is stored or sent. */
import { AppError } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import { type CardDetails, cardProblem, digitsOnly } from '@passerelle/contracts/rules/card'
import { declineText } from './decline.ts'
import { isTestMethod, testMethodOf } from './test-cards.ts'

/** `raw` lives in memory for one request; brand and last four digits are all that may be kept. */
export type Instrument = { kind: 'method'; id: string; cardSummary: CardSummary } | { kind: 'raw'; card: RawCard; cardSummary: CardSummary }
type CardSummary = { brand: string | null; last4: string | null }
export type RawCard = { number: string; expMonth: number; expYear: number; cvc: string }

export type CardInput = { cardDetails?: CardDetails | undefined; paymentMethodId?: string | undefined }
export type CardPolicy = { mode: Mode; allowRawCards: boolean; now: Date }

/**
 * Test mode takes the published test numbers, live mode a payment method of the provider's hosted fields.
 * @throws VALIDATION_ERROR, CARD_NOT_ACCEPTED, RAW_CARD_REFUSED, CARD_DECLINED (a test card in live mode)
 */
export function chooseInstrument(input: CardInput, policy: CardPolicy): Instrument {
  const { cardDetails, paymentMethodId } = input
  if (!cardDetails && !paymentMethodId) throw invalid('cardDetails', 'Please enter your card')
  if (cardDetails && paymentMethodId) throw invalid('paymentMethodId', 'Send either card details or a payment method, not both')
  return cardDetails ? fromCard(cardDetails, policy) : fromMethod(paymentMethodId as string, policy)
}

function fromMethod(id: string, { mode }: CardPolicy): Instrument {
  if (mode === 'live' && isTestMethod(id)) throw new AppError('CARD_DECLINED')
  return { kind: 'method', id, cardSummary: { brand: null, last4: null } }
}

function fromCard(card: CardDetails, { mode, allowRawCards, now }: CardPolicy): Instrument {
  const problem = cardProblem(card, now)
  if (problem) throw invalid(`cardDetails.${problem.field}`, problem.message)
  const number = digitsOnly(card.number)
  const cardSummary = { brand: brandOf(number), last4: number.slice(-4) }
  const testMethod = testMethodOf(number)
  if (mode === 'test') {
    if (!testMethod) throw new AppError('CARD_NOT_ACCEPTED')
    return { kind: 'method', id: testMethod, cardSummary }
  }
  if (testMethod) throw new AppError('CARD_DECLINED', { message: declineText('test_card') })
  if (!allowRawCards) throw new AppError('RAW_CARD_REFUSED')
  return {
    kind: 'raw',
    cardSummary,
    card: { number, expMonth: Number(card.expiryMonth), expYear: 2000 + Number(card.expiryYear), cvc: card.cvv },
  }
}

function invalid(path: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', { message, issues: [{ path, message }] })
}

/** By the issuer ranges of the big schemes; null for the others. */
export function brandOf(number: string): string | null {
  if (/^4/.test(number)) return 'visa'
  if (/^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/.test(number)) return 'mastercard'
  if (/^3[47]/.test(number)) return 'amex'
  if (/^(6011|65|64[4-9])/.test(number)) return 'discover'
  return null
}
