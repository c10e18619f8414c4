import type { AvailableService } from '@passerelle/contracts/http/search'
import { addAmounts, formatMoney } from '@passerelle/contracts/rules/money'
import { describe, expect, it } from 'vitest'
import { changeRule, identityText, refundRule, serviceLines, shownPrice } from './fare.ts'
import { OFFER, OUTBOUND } from './offer.fixture.ts'

const bag = (more: Partial<AvailableService> = {}): AvailableService => ({
  id: 'svc_1',
  name: 'Checked bag 23 kg',
  description: 'One extra checked bag',
  type: 'baggage',
  total_amount: '40.00',
  total_currency: 'EUR',
  price: { amount: '49.00', currency: 'EUR' },
  ...more,
})

describe('the price', () => {
  it('DET-07: base fare and taxes and fees add up to the total', () => {
    const { base, tax, total } = shownPrice(OFFER)
    expect(addAmounts(base, tax)).toBe(total)
  })

  it('DET-22: is the one of the server, not marked up again', () => {
    expect(shownPrice(OFFER)).toEqual(OFFER.price)
  })

  it('DET-22: is computed by the shared rule when the server sends none', () => {
    const { price: _, ...bare } = OFFER
    const price = shownPrice(bare)
    expect(price.total).toBe('1984.00')
    expect(addAmounts(price.base, price.tax)).toBe(price.total)
  })
})

describe('the fare rules', () => {
  it('DET-14: says whether and at what cost a fare is refunded', () => {
    expect(refundRule(OFFER.conditions)).toEqual({
      answer: 'Yes',
      detail: 'Until departure. The airline keeps $40; our fee is not returned.',
    })
    const free = { ...OFFER.conditions, refund: { allowed: true, penalty: { amount: '0', currency: 'USD' } } }
    expect(refundRule(free).detail).toBe('Until departure. The airline keeps nothing; our fee is not returned.')
    expect(refundRule({ ...OFFER.conditions, refund: { allowed: true, penalty: null } }).detail).toBe('Until departure.')
    expect(refundRule({ ...OFFER.conditions, refundable: false, refund: { allowed: false, penalty: null } }).answer).toBe('No')
  })

  it('DET-14: says whether and at what cost a fare is changed', () => {
    expect(changeRule(OFFER.conditions).answer).toBe('No')
    const change = { allowed: true, penalty: { amount: '25.50', currency: 'EUR' } }
    expect(changeRule({ ...OFFER.conditions, changeable: true, change })).toEqual({
      answer: 'Yes',
      detail: `Until departure. The airline charges ${formatMoney('25.50', 'EUR')}, and any difference in fare.`,
    })
  })

  it('DET-15: lists a service with its name, its description and its price', () => {
    expect(serviceLines([bag()])).toMatchObject([
      { name: 'Checked bag 23 kg', description: 'One extra checked bag', price: '€49', times: 1 },
    ])
  })

  it('DET-15: says "Price unavailable" where there is no price', () => {
    expect(serviceLines([bag({ price: null })])[0]?.price).toBe('Price unavailable')
  })

  it('DET-15: joins the same service of several passengers, and keeps another price apart', () => {
    const lines = serviceLines([bag(), bag({ id: 'svc_2' }), bag({ id: 'svc_3', price: { amount: '60.00', currency: 'EUR' } })])
    expect(lines.map(({ price, times }) => [price, times])).toEqual([
      ['€49', 2],
      ['€60', 1],
    ])
  })

  it('DET-17: asks for passports when the airline does or a border is crossed', () => {
    expect(identityText({ ...OFFER, passenger_identity_documents_required: true })).toMatch(/^The airline asks for the passport number/)
    expect(identityText(OFFER)).toMatch(/^This trip crosses a border/)
    const home = { ...OUTBOUND, destination: OUTBOUND.origin, segments: [] }
    expect(identityText({ passenger_identity_documents_required: false, slices: [home] })).toMatch(/^No passport details are needed/)
  })
})
