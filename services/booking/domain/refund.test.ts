import { describe, expect, test } from 'vitest'
import { judgeRefund, keepsPromise, type SupplierRefund } from './cancellation.ts'

const charge = { minor: 27_400, currency: 'EUR' }
const judge = (change: Partial<SupplierRefund>) =>
  judgeRefund({ amount: '182.50', currency: 'EUR', to: 'balance', credits: [], ...change }, charge)
const OPERATOR = { kind: 'operator', minor: 0, credit: null }

describe("the supplier's refund", () => {
  test('ABOOK-24: money in the currency of the charge goes back to the card, never more than was charged', () => {
    for (const to of ['balance', 'card', 'arc_bsp_cash', 'original_form_of_payment'])
      expect(judge({ to })).toEqual({ kind: 'card', minor: 18_250, credit: null })
    expect(judge({ amount: '182.500' }).minor).toBe(18_250)
    expect(judge({ amount: '999' }).minor).toBe(27_400)
  })

  test('airline credit and vouchers give the card nothing and tell what the airline holds', () => {
    for (const to of ['airline_credits', 'voucher'])
      expect(judge({ to })).toEqual({ kind: 'credit', minor: 0, credit: { amount: '182.50', currency: 'EUR' } })
    expect(judge({ to: 'airline_credits', currency: 'USD' }).credit).toEqual({ amount: '182.50', currency: 'USD' })
  })

  test('credit that is given by passenger only is added up; what cannot be read goes to an operator', () => {
    const credit = (credit_amount: unknown, credit_currency: unknown) => ({ credit_code: 'SECRET', credit_amount, credit_currency })
    const credits = [credit('91.30', 'EUR'), credit('91.20', 'EUR')]
    expect(judge({ to: 'airline_credits', amount: null, credits }).credit).toEqual({ amount: '182.50', currency: 'EUR' })
    for (const odd of [[], null, [null], [credit('91.30', 'EUR'), credit('91.20', 'USD')], [credit('x', 'EUR')]])
      expect(judge({ to: 'airline_credits', amount: null, credits: odd })).toEqual(OPERATOR)
  })

  test('another currency, an odd figure and an unknown place of the money are an operator’s matter, and nothing throws', () => {
    const odd: Partial<SupplierRefund>[] = [
      { currency: 'USD' },
      { currency: null },
      { amount: '12.345' },
      { amount: 'twelve' },
      { amount: '-10.00' },
      { amount: '9'.repeat(400) },
      { amount: 182.5 },
      { amount: null },
      { amount: undefined, currency: undefined, to: undefined, credits: undefined },
      { to: null },
      { to: 'pigeon' },
      { to: 'awaiting_payment' },
      { to: 'awaiting_payment', amount: '0.00' },
    ]
    for (const change of odd) expect(judge(change), JSON.stringify(change)).toEqual(OPERATOR)
  })

  test('nothing is nothing, in whatever currency', () => {
    for (const change of [{ amount: '0.00' }, { amount: '0', currency: 'USD' }, { amount: '0.00', to: 'airline_credits' }])
      expect(judge(change)).toEqual({ kind: 'none', minor: 0, credit: null })
  })

  test('C22: a quote that gives the card less than was promised does not keep the promise; credit and an operator are named instead', () => {
    expect(keepsPromise(judge({}), 18_250)).toBe(true)
    expect(keepsPromise(judge({ amount: '182.49' }), 18_250)).toBe(false)
    expect(keepsPromise(judge({ amount: '0.00' }), 18_250)).toBe(false)
    expect(keepsPromise(judge({ amount: '0.00' }), null)).toBe(true)
    expect(keepsPromise(judge({ to: 'voucher' }), 18_250)).toBe(true)
    expect(keepsPromise(judge({ currency: 'USD' }), 18_250)).toBe(true)
  })
})
