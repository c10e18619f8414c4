import { AppError } from '@passerelle/contracts/error'
import { describe, expect, test } from 'vitest'
import { brandOf, type CardInput, type CardPolicy, chooseInstrument } from './instrument.ts'

const now = new Date('2026-11-20T10:00:00Z')
const policy = (more: Partial<CardPolicy> = {}): CardPolicy => ({ mode: 'test', allowRawCards: false, now, ...more })
const card = (number: string) => ({ number, expiryMonth: '12', expiryYear: '30', cvv: '123', holderName: 'Ada Example' })
const codeOf = (input: CardInput, more?: Partial<CardPolicy>) => {
  try {
    chooseInstrument(input, policy(more))
  } catch (error) {
    return error instanceof AppError ? error.code : error
  }
  return 'accepted'
}

const TEST_CARD = '4242 4242 4242 4242'
const OTHER_CARD = '4916338506082832'

describe('test mode', () => {
  test('a published test number becomes its payment method; the number is gone, brand and last four stay', () => {
    const instrument = chooseInstrument({ cardDetails: card(TEST_CARD) }, policy())
    expect(instrument).toEqual({ kind: 'method', id: 'pm_card_visa', cardSummary: { brand: 'visa', last4: '4242' } })
    expect(JSON.stringify(instrument)).not.toContain('42424242')
  })

  test('any other number is not accepted, whatever the setting for live mode', () => {
    expect(codeOf({ cardDetails: card(OTHER_CARD) })).toBe('CARD_NOT_ACCEPTED')
    expect(codeOf({ cardDetails: card(OTHER_CARD) }, { allowRawCards: true })).toBe('CARD_NOT_ACCEPTED')
  })
})

describe('live mode', () => {
  test('R-20: a test card or test method is declined', () => {
    expect(codeOf({ cardDetails: card(TEST_CARD) }, { mode: 'live' })).toBe('CARD_DECLINED')
    expect(codeOf({ cardDetails: card(TEST_CARD) }, { mode: 'live', allowRawCards: true })).toBe('CARD_DECLINED')
    expect(codeOf({ paymentMethodId: 'pm_card_visa' }, { mode: 'live' })).toBe('CARD_DECLINED')
  })

  test('R-22: a raw number is refused unless the operator allows it; hosted fields always work', () => {
    expect(codeOf({ cardDetails: card(OTHER_CARD) }, { mode: 'live' })).toBe('RAW_CARD_REFUSED')
    expect(codeOf({ cardDetails: card(OTHER_CARD) }, { mode: 'live', allowRawCards: true })).toBe('accepted')
    expect(codeOf({ paymentMethodId: 'pm_1Abc' }, { mode: 'live' })).toBe('accepted')
  })
})

test('exactly one of card and payment method is needed, and the rules of the form come before everything else', () => {
  expect(codeOf({})).toBe('VALIDATION_ERROR')
  expect(codeOf({ cardDetails: card(TEST_CARD), paymentMethodId: 'pm_1' })).toBe('VALIDATION_ERROR')
  expect(codeOf({ cardDetails: { ...card(OTHER_CARD), cvv: '1' } }, { mode: 'live' })).toBe('VALIDATION_ERROR')
})

test.each([
  ['4242424242424242', 'visa'],
  ['5555555555554444', 'mastercard'],
  ['2223003122003222', 'mastercard'],
  ['378282246310005', 'amex'],
  ['6011111111111117', 'discover'],
  ['3566002020360505', null],
])('%s is of %s', (number, brand) => expect(brandOf(number)).toBe(brand))
