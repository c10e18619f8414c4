/** What a visitor is told when the bank refuses. Lost, stolen and suspected fraud sound like any other refusal. */

const texts: Record<string, string> = {
  insufficient_funds: 'Your card has insufficient funds.',
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  invalid_cvc: "Your card's security code is incorrect.",
  incorrect_number: 'Your card number is incorrect.',
  invalid_number: 'Your card number is incorrect.',
  invalid_expiry_month: "Your card's expiration date is incorrect.",
  invalid_expiry_year: "Your card's expiration date is incorrect.",
  processing_error: 'An error occurred while processing your card. Please try again in a moment.',
  test_card: 'Test cards are declined, because this website takes real payments now.',
  authentication_required: 'Your bank asks for a confirmation that is not possible here. Please use another card.',
  payment_intent_authentication_failure: 'Your bank could not confirm that it is you.',
  card_not_supported: 'Your card does not support this purchase. Please use another card.',
  currency_not_supported: 'Your card does not support this currency. Please use another card.',
}

/** `reason` is the provider's decline code, or its error code when there is none. */
export function declineText(reason: string): string {
  return Object.hasOwn(texts, reason) ? (texts[reason] as string) : 'Your card was declined.'
}

const VAGUE = new Set(['generic_decline', 'card_declined', ''])

/** The more precise of the provider's two codes. */
export function declineReason(code: string | null, declineCode: string | null): string {
  return [declineCode, code].find((one) => one !== null && !VAGUE.has(one)) ?? 'generic_decline'
}
