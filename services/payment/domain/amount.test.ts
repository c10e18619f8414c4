import { describe, expect, test } from 'vitest'
import { holdAmount, toProviderAmount } from './amount.ts'

describe('an amount that can be held', () => {
  test.each([
    ['274.00', 'EUR', 27_400],
    ['274', 'EUR', 27_400],
    ['30123', 'JPY', 30_123],
    ['30123.0', 'JPY', 30_123],
    ['21500', 'ISK', 21_500],
    ['95.000', 'KWD', 95_000],
    ['95.120', 'KWD', 95_120],
    ['0.50', 'USD', 50],
  ])('%s %s is %i minor units', (amount, currency, minor) => expect(holdAmount(amount, currency)).toEqual({ minor }))
})

describe('an amount that cannot be held', () => {
  test.each([
    ['0', 'EUR', 'amount'],
    ['0.001', 'EUR', 'amount'],
    ['-1', 'EUR', 'amount'],
    ['abc', 'EUR', 'amount'],
    ['1.5', 'JPY', 'amount'],
    ['95.001', 'KWD', 'amount'],
    ['0.49', 'EUR', 'amount'],
    ['49', 'JPY', 'amount'],
    ['99999999999999999', 'EUR', 'amount'],
    ['10', 'LYD', 'currency'],
  ])('%s %s is refused because of the %s', (amount, currency, field) => expect(holdAmount(amount, currency)).toMatchObject({ field }))
})

test('the provider wants two decimals of currencies that have none in use', () => {
  expect(toProviderAmount(21_500, 'ISK')).toBe(2_150_000)
  expect(toProviderAmount(30_123, 'JPY')).toBe(30_123)
  expect(toProviderAmount(27_400, 'EUR')).toBe(27_400)
})
