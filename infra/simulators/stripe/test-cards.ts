/** Stripe's published test cards, by the ids that stand for them: https://docs.stripe.com/testing. */

export type Decline = { code: string; declineCode?: string; message: string; param?: string }
export type TestCard = {
  brand: 'visa' | 'mastercard' | 'amex'
  last4: string
  decline?: Decline
  /** The cardholder must authenticate (3-D Secure) before the payment goes through. */
  authentication?: true
}

const declined = (declineCode: string, message = 'Your card was declined.'): Decline => ({ code: 'card_declined', declineCode, message })
const visa = (last4: string, more: Partial<TestCard> = {}): TestCard => ({ brand: 'visa', last4, ...more })

const cards: Record<string, TestCard> = {
  visa: visa('4242'),
  mastercard: { brand: 'mastercard', last4: '4444' },
  amex: { brand: 'amex', last4: '0005' },
  visa_chargeDeclined: visa('0002', { decline: declined('generic_decline') }),
  visa_chargeDeclinedInsufficientFunds: visa('9995', {
    decline: declined('insufficient_funds', 'Your card has insufficient funds.'),
  }),
  visa_chargeDeclinedLostCard: visa('9987', { decline: declined('lost_card') }),
  visa_chargeDeclinedStolenCard: visa('9979', { decline: declined('stolen_card') }),
  visa_chargeDeclinedVelocityLimitExceeded: visa('6975', {
    decline: declined(
      'card_velocity_exceeded',
      'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
    ),
  }),
  chargeDeclinedExpiredCard: visa('0069', { decline: { code: 'expired_card', message: 'Your card has expired.', param: 'exp_month' } }),
  chargeDeclinedIncorrectCvc: visa('0127', {
    decline: { code: 'incorrect_cvc', message: "Your card's security code is incorrect.", param: 'cvc' },
  }),
  chargeDeclinedProcessingError: visa('0119', {
    decline: { code: 'processing_error', message: 'An error occurred while processing your card. Try again in a little bit.' },
  }),
  chargeCustomerFail: visa('0341', { decline: declined('generic_decline') }),
  authenticationRequired: visa('3184', { authentication: true }),
  // Without a set-up beforehand, which is not simulated, this card must authenticate too.
  authenticationRequiredOnSetup: visa('3155', { authentication: true }),
}

export const cardNamed = (name: string): TestCard | undefined => (Object.hasOwn(cards, name) ? cards[name] : undefined)

/** The published card that ends like this number; any other number pays. Digits only. */
export const nameOfNumber = (number: string): string => Object.keys(cards).find((name) => cards[name]?.last4 === number.slice(-4)) ?? 'visa'
