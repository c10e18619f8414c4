import { expect, test } from 'vitest'
import { judgeAmount } from './charge.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const quote = { charge: eur('299.00'), shownTotal: eur('264.00'), seats: [{ price: eur('25.00') }] }

test('R-15: an amount that rounds to the charge is accepted, any other is refused', () => {
  for (const amount of ['299.00', '299', '298.50', '299.49']) expect(judgeAmount(eur(amount), quote)).toBe('ok')
  for (const amount of ['298.49', '299.50', '1.00', '0']) expect(judgeAmount(eur(amount), quote)).toBe('mismatch')
  expect(judgeAmount({ amount: '299.00', currency: 'USD' }, quote)).toBe('mismatch')
})

test('ABOOK-11: what the visitor was shown, seats included, is a changed price and no mismatch', () => {
  expect(judgeAmount(eur('289.00'), quote)).toBe('changed')
  expect(judgeAmount(eur('289.00'), { ...quote, shownTotal: null })).toBe('mismatch')
})
