import type { SeatChoice } from '@passerelle/contracts/http/search'
import { describe, expect, it } from 'vitest'
import { economy, maps, offer, other, seat } from './booking.fixture.ts'
import {
  choiceFor,
  firstIncomplete,
  nextUnseated,
  seatedCount,
  seatedFlights,
  seatHolders,
  seatOf,
  stillOffered,
  whoSitsOn,
  withoutRefused,
  withSeat,
} from './seats.ts'

const holders = seatHolders(offer.passengers)
const on = (passengerId: string, seatId: string, segmentId = 'seg_1_1'): SeatChoice => ({
  passengerId,
  seatId,
  segmentId,
  cabinClass: 'economy',
  price: { amount: '31.00', currency: 'USD' },
})

describe('seats of a party', () => {
  it('SEAT-01: a flight with a map is one to choose on; a flight without one is not', () => {
    expect(seatedFlights(offer, maps).map(({ segment, sliceIndex }) => [segment.id, sliceIndex])).toEqual([
      ['seg_1_1', 0],
      ['seg_2_2', 1],
    ])
  })

  it('SEAT-01: a map that names no flight is the one of the first flight of its slice', () => {
    expect(seatedFlights(offer, [{ slice_id: 'sli_2', segments: [], cabins: [economy] }])[0]?.segment.id).toBe('seg_2_1')
  })

  it('SEAT-11: a cabin without a free seat asks for nothing', () => {
    const full = { ...economy, rows: [{ number: 1, sections: [{ elements: [seat('1A', {}), other('empty')] }] }] }
    expect(seatedFlights(offer, [{ slice_id: 'sli_1', segments: [{ segment_id: 'seg_1_1', cabins: [full] }], cabins: [full] }])).toEqual([])
    expect(seatedFlights(offer, [])).toEqual([])
  })

  it('R-31: infants without a seat need none', () => {
    expect(holders.map(({ id }) => id)).toEqual(['pas_1', 'pas_2', 'pas_3'])
  })

  it('SEAT-12, R-32: a choice holds passenger, seat, flight, cabin and the price of that passenger', () => {
    expect(choiceFor(seat('24A', { pas_1: '31.00' }), 'pas_1', 'seg_1_1', 'economy')).toEqual(on('pas_1', '24A'))
  })

  it('SEAT-03: a taken seat, one that is not for this passenger, or no seat at all cannot be chosen', () => {
    expect(choiceFor(seat('24C', {}), 'pas_1', 'seg_1_1', 'economy')).toBeNull()
    expect(choiceFor(seat('24F', { pas_1: '31.00' }), 'pas_2', 'seg_1_1', 'economy')).toBeNull()
    expect(choiceFor({ ...seat('24F', { pas_1: '31.00' }), available: false }, 'pas_1', 'seg_1_1', 'economy')).toBeNull()
    expect(choiceFor(other('lavatory'), 'pas_1', 'seg_1_1', 'economy')).toBeNull()
  })

  it('SEAT-06: picking again replaces the earlier seat of that passenger on that flight only', () => {
    const choices = withSeat([on('pas_1', '24A'), on('pas_1', '25B', 'seg_2_2'), on('pas_2', '24B')], on('pas_1', '24D'))
    expect(seatOf(choices, 'pas_1', 'seg_1_1')?.seatId).toBe('24D')
    expect(seatOf(choices, 'pas_1', 'seg_2_2')?.seatId).toBe('25B')
    expect(seatOf(choices, 'pas_2', 'seg_1_1')?.seatId).toBe('24B')
  })

  it('SEAT-08, R-32: a seat of the party is not given away a second time, but may be the same on another flight', () => {
    const choices = [on('pas_1', '24A')]
    expect(withSeat(choices, on('pas_2', '24A'))).toBe(choices)
    expect(withSeat(choices, on('pas_2', '24A', 'seg_2_2'))).toHaveLength(2)
    expect(whoSitsOn(choices, '24A', 'seg_1_1')).toBe('pas_1')
    expect(whoSitsOn(choices, '24A', 'seg_2_2')).toBeNull()
  })

  it('SEAT-07: after a click the next person without a seat is up, and nobody when all are seated', () => {
    expect(nextUnseated(holders, [on('pas_1', '24A')], 'seg_1_1', 'pas_1')).toBe('pas_2')
    expect(nextUnseated(holders, [on('pas_1', '24A'), on('pas_3', '24B')], 'seg_1_1', 'pas_3')).toBe('pas_2')
    const all = holders.map(({ id }, index) => on(id, `24${index}`))
    expect(nextUnseated(holders, all, 'seg_1_1', 'pas_3')).toBeNull()
  })

  it('SEAT-09, R-32: the first flight on which somebody is missing is found', () => {
    const flights = seatedFlights(offer, maps)
    const first = holders.map(({ id }, index) => on(id, `24${index}`))
    expect(firstIncomplete(flights, holders, [])?.segment.id).toBe('seg_1_1')
    expect(firstIncomplete(flights, holders, first)?.segment.id).toBe('seg_2_2')
    expect(firstIncomplete(flights, holders, [...first, ...first.map((one) => ({ ...one, segmentId: 'seg_2_2' }))])).toBeNull()
    expect(seatedCount(holders, first.slice(1), 'seg_1_1')).toBe(2)
  })

  it('ABOOK-12: seats taken meanwhile are removed; where none is named, all are', () => {
    const choices = [on('pas_1', '24A'), on('pas_2', '24B')]
    expect(withoutRefused(choices, [{ passengerId: 'pas_1', seatId: '24A', segmentId: 'seg_1_1' }])).toEqual([choices[1]])
    expect(withoutRefused(choices, null)).toEqual([])
  })

  it('a fresh map drops what it no longer offers and tells the new price', () => {
    const choices = [{ ...on('pas_1', '24A'), price: { amount: '20.00', currency: 'USD' } }, on('pas_2', '24C'), on('pas_3', '99Z')]
    expect(stillOffered(choices, seatedFlights(offer, maps))).toEqual([on('pas_1', '24A')])
  })
})
