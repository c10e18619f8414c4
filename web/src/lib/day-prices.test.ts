import { describe, expect, it } from 'vitest'
import { dayPrices } from './day-prices.ts'

const days = (...amounts: [amount: string, currency?: string][]) =>
  amounts.map(([amount, currency = 'USD'], index) => ({ date: `2026-12-0${index + 1}`, price: { amount, currency } }))
const lowest = (...amounts: Parameters<typeof days>) =>
  [...dayPrices(days(...amounts))].flatMap(([date, { isLowest }]) => (isLowest ? [date] : []))

describe('prices of days', () => {
  it('are short enough for a day of the calendar, whatever the currency', () => {
    const prices = [...dayPrices(days(['128.00'], ['1528.00'], ['152800', 'JPY'], ['12345.00', 'EUR'])).values()]
    expect(prices.map(({ short }) => short)).toEqual(['$128', '$1,528', '¥153K', '€12.3K'])
    expect(prices.map(({ full }) => full)).toEqual(['$128', '$1,528', '¥152,800', '€12,345'])
  })

  it('have a lowest one where another is dearer', () => {
    expect(lowest(['200.00'], ['99.00'], ['150.00'])).toEqual(['2026-12-02'])
    expect(lowest(['99.00'], ['99.00'], ['150.00'])).toEqual(['2026-12-01', '2026-12-02'])
    expect(lowest(['99.00'], ['99.00'])).toEqual([])
    expect(lowest(['99.00'])).toEqual([])
  })

  it('of several currencies are not compared', () => {
    expect(lowest(['200.00'], ['99.00', 'EUR'])).toEqual([])
  })
})
