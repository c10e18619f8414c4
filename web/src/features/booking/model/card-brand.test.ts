import { describe, expect, it } from 'vitest'
import { cardBrand } from './card-brand.ts'

describe('card brand', () => {
  it('is recognised by the first digits', () => {
    expect(cardBrand('4242 4')).toBe('VISA')
    expect(cardBrand('5555 5555')).toBe('Mastercard')
    expect(cardBrand('2720 99')).toBe('Mastercard')
    expect(cardBrand('3782 822463 10005')).toBe('AMEX')
    expect(cardBrand('6011 11')).toBe('Discover')
  })

  it('is not guessed', () => {
    expect(cardBrand('')).toBeNull()
    expect(cardBrand('9')).toBeNull()
  })
})
