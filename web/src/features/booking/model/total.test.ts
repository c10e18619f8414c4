import type { SeatChoice } from '@passerelle/contracts/http/search'
import { describe, expect, it } from 'vitest'
import { offer, out } from './booking.fixture.ts'
import { priceSheet } from './total.ts'

const on = (segmentId: string, amount: string): SeatChoice => ({
  passengerId: 'pas_1',
  seatId: '24A',
  segmentId,
  price: { amount, currency: 'USD' },
})

describe('price sheet', () => {
  it('GEN-19: without seats the total is the price of the offer, and the lines add up to it', () => {
    const { total, lines } = priceSheet(offer, [], null)
    expect(total).toEqual({ amount: offer.price.total, currency: 'USD' })
    expect(lines).toEqual([
      { label: 'Base fare', amount: '1412.00' },
      { label: 'Taxes and fees', amount: '572.00' },
    ])
  })

  it('SEAT-13: chosen seats raise it, with a line a direction', () => {
    const { total, lines } = priceSheet(offer, [on('seg_1_1', '31.00'), on('seg_1_1', '31.00'), on('seg_2_2', '9.00')], null)
    expect(total.amount).toBe('2055.00')
    expect(lines.slice(2)).toEqual([
      { label: 'Seats, outbound', amount: '62.00' },
      { label: 'Seats, return', amount: '9.00' },
    ])
    expect(priceSheet({ ...offer, slices: [out] }, [on('seg_1_1', '31.00')], null).lines[2]?.label).toBe('Seats')
  })

  it('ABOOK-11: a new total that the server told stands alone until the lines add up to it again', () => {
    expect(priceSheet(offer, [], { amount: '2010.00', currency: 'USD' })).toEqual({
      total: { amount: '2010.00', currency: 'USD' },
      lines: [],
    })
    expect(priceSheet(offer, [], { amount: '1984', currency: 'USD' }).lines).toHaveLength(2)
  })
})
