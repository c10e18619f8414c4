import { describe, expect, it } from 'vitest'
import { formatMinor, fromEuroCents, nominalMinor, parseMinor } from './money.ts'

describe('money of the simulator', () => {
  it('minor units are written with as many decimals as the currency has', () => {
    expect([
      formatMinor(22_250, 'EUR'),
      formatMinor(5, 'USD'),
      formatMinor(31_250, 'JPY'),
      formatMinor(0, 'JPY'),
      formatMinor(-250, 'GBP'),
    ]).toEqual(['222.50', '0.05', '31250', '0', '-2.50'])
  })

  it('short decimal forms are read, finer ones than the currency allows are not', () => {
    expect(['40', '118.7', '118.70', '118.700', '118.705', '1e3', ' 40', ''].map((text) => parseMinor(text, 'EUR'))).toEqual([
      4000,
      11_870,
      11_870,
      11_870,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect([parseMinor('31250', 'JPY'), parseMinor('31250.00', 'JPY'), parseMinor('31250.5', 'JPY')]).toEqual([31_250, 31_250, undefined])
  })

  it('conversion rounds to the nearest whole minor unit', () => {
    expect([fromEuroCents(10_001, 'EUR'), fromEuroCents(10_001, 'JPY'), fromEuroCents(10, 'GBP'), fromEuroCents(1, 'USD')]).toEqual([
      10_001, 16_302, 9, 1,
    ])
    expect([nominalMinor(2000, 'GBP'), nominalMinor(2000, 'JPY')]).toEqual([2000, 3260])
  })
})
