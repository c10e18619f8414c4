import { describe, expect, test } from 'vitest'
import { declineReason, declineText } from './decline.ts'

describe('a decline', () => {
  test.each([
    ['card_declined', 'insufficient_funds', 'insufficient_funds'],
    ['expired_card', null, 'expired_card'],
    ['incorrect_cvc', 'generic_decline', 'incorrect_cvc'],
    ['card_declined', 'generic_decline', 'generic_decline'],
    [null, null, 'generic_decline'],
  ])('%s / %s is recorded as %s', (code, declineCode, reason) => expect(declineReason(code, declineCode)).toBe(reason))

  test('lost, stolen and fraud sound like any other; inherited names of objects are no texts', () => {
    for (const reason of ['lost_card', 'stolen_card', 'fraudulent', 'pickup_card', 'generic_decline', 'constructor', 'toString'])
      expect(declineText(reason)).toBe('Your card was declined.')
  })
})
