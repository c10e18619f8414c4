import { describe, expect, test } from 'vitest'
import {
  addAmounts,
  compareAmounts,
  customerPrice,
  formatExactMoney,
  formatMoney,
  fromMinor,
  subtractAmounts,
  toMinor,
  totalWithSeats,
  withMarkup,
} from './money.ts'

describe('the customer price', () => {
  test('GEN-18: 100.00 USD shows as $123', () => {
    const price = customerPrice({ total_amount: '100.00', base_amount: '80.00', total_currency: 'USD' })
    expect(formatMoney(price.total, price.currency)).toBe('$123')
  })

  test('R-13: half a unit is rounded up, and base plus tax is the total', () => {
    const price = customerPrice({ total_amount: '222.50', base_amount: '180.00', total_currency: 'EUR' })
    expect(price).toEqual({ total: '274.00', base: '221.00', tax: '53.00', currency: 'EUR', markupPercent: 23 })
    expect(withMarkup('50', 'EUR', 1)).toBe('51.00')
    expect(withMarkup('50', 'EUR', 0.9)).toBe('50.00')
  })

  test('R-13: base and tax add up to the total for every cent of 20,000 amounts', () => {
    for (let cents = 1; cents <= 2_000_000; cents += 100) {
      const total = fromMinor(cents, 'EUR')
      const price = customerPrice({ total_amount: total, base_amount: fromMinor(Math.floor(cents * 0.8), 'EUR'), total_currency: 'EUR' })
      expect(addAmounts(price.base, price.tax)).toBe(price.total)
    }
  })

  test('a yen has no decimals, a dinar has three', () => {
    expect(customerPrice({ total_amount: '31250', base_amount: '30000', total_currency: 'JPY' }).total).toBe('38438')
    expect(customerPrice({ total_amount: '100.125', base_amount: '100', total_currency: 'KWD' }).total).toBe('123.000')
  })

  test('R-13: seats are rounded one by one and added', () => {
    const seat = withMarkup('20.00', 'EUR', 23)
    expect(seat).toBe('25.00')
    expect(
      totalWithSeats({ total: '274.00', currency: 'EUR' }, [
        { amount: seat, currency: 'EUR' },
        { amount: seat, currency: 'EUR' },
      ]),
    ).toEqual({ amount: '324.00', currency: 'EUR' })
  })
})

describe('decimal amounts', () => {
  test('are added and compared without floats', () => {
    expect(addAmounts('0.1', '0.2')).toBe('0.3')
    expect(subtractAmounts('10', '0.01')).toBe('9.99')
    expect(compareAmounts('118.7', '118.70')).toBe(0)
    expect(compareAmounts('99.00', '1000.00')).toBe(-1)
  })

  test('become minor units of their currency and back', () => {
    expect(toMinor('274.00', 'EUR')).toBe(27_400)
    expect(toMinor('38438', 'JPY')).toBe(38_438)
    expect(toMinor('38438.00', 'JPY')).toBe(38_438)
    expect(fromMinor(5, 'EUR')).toBe('0.05')
  })

  test('a fraction of a minor unit is refused, as is anything that is no amount', () => {
    expect(() => toMinor('1.005', 'EUR')).toThrow(RangeError)
    for (const text of ['', '1e3', '1,5', 'NaN', '0x10', ' 1']) expect(() => addAmounts(text)).toThrow(RangeError)
  })
})

describe('the price on a screen', () => {
  test('GEN-17: en-US without decimals', () => expect(formatMoney('1234.50', 'USD')).toBe('$1,235'))
  test('GEN-20: a EUR amount shows a euro sign, never a dollar sign', () => expect(formatMoney('274.00', 'EUR')).toBe('€274'))
  test('CARD-03: a missing currency shows as USD and a missing amount as 0', () => expect(formatMoney(undefined, undefined)).toBe('$0'))
  test('a refund with cents shows them', () => {
    expect(formatExactMoney('182.50', 'EUR')).toBe('€182.50')
    expect(formatExactMoney('274.00', 'EUR')).toBe('€274')
  })
  test('GEN-16: an invalid price shows the currency code then N/A', () => expect(formatMoney('abc', 'EUR')).toBe('EUR N/A'))
})
