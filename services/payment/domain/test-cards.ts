/** The card provider's published test numbers and the payment method that stands for each, so that no number ever travels. */

const methods: Record<string, string> = {
  '4242424242424242': 'pm_card_visa',
  '5555555555554444': 'pm_card_mastercard',
  '378282246310005': 'pm_card_amex',
  '4000000000000002': 'pm_card_visa_chargeDeclined',
  '4000000000009995': 'pm_card_visa_chargeDeclinedInsufficientFunds',
  '4000000000009987': 'pm_card_visa_chargeDeclinedLostCard',
  '4000000000009979': 'pm_card_visa_chargeDeclinedStolenCard',
  '4000000000006975': 'pm_card_visa_chargeDeclinedVelocityLimitExceeded',
  '4000000000000069': 'pm_card_chargeDeclinedExpiredCard',
  '4000000000000127': 'pm_card_chargeDeclinedIncorrectCvc',
  '4000000000000119': 'pm_card_chargeDeclinedProcessingError',
  '4000000000000341': 'pm_card_chargeCustomerFail',
  '4000002760003184': 'pm_card_authenticationRequired',
  '4000002500003155': 'pm_card_authenticationRequiredOnSetup',
  '4000000000000259': 'pm_card_createDispute',
}

/** `number` is digits only. null: not a published test card. */
export function testMethodOf(number: string): string | null {
  return Object.hasOwn(methods, number) ? (methods[number] ?? null) : null
}

/** Such methods exist at the provider's test environment only. */
export function isTestMethod(paymentMethodId: string): boolean {
  return paymentMethodId.startsWith('pm_card_')
}
