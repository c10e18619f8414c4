/** What the words of a message say when no machine code does. The code of an answer always decides first. */

const PAYMENT = /payment|card|PAYMENT_FAILED|resource not found/i
const EXPIRY = /expired|OFFER_EXPIRED|does not exist/i

/**
 * A message of the payment call is read for payment words first: "Your card has expired" is about the card. Any other message is
 * read for expiry words first.
 */
export function readFailure(message: string, from: 'payment' | 'booking'): 'expiry' | 'payment' | null {
  const [payment, expiry] = [PAYMENT.test(message), EXPIRY.test(message)]
  if (from === 'payment' && payment) return 'payment'
  if (expiry) return 'expiry'
  return payment ? 'payment' : null
}
