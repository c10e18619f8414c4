import { describe, expect, it } from 'vitest'
import { economy, everybody, other, seat } from './booking.fixture.ts'
import { priceRange, priceWords, seatName, seatPlan, startSpot, walk } from './seat-plan.ts'

const plan = seatPlan(economy)

describe('seat plan', () => {
  it('SEAT-02, SEAT-14: shows rows, sections and seats under the letters of their columns', () => {
    expect(plan.columns.map(({ letter, aisle }) => (aisle ? '|' : letter)).join('')).toBe('ABC|DEF')
    expect(plan.rows).toHaveLength(3)
    const row = plan.rows[1]
    expect(row?.kind === 'seats' && row.number).toBe(24)
    expect(
      row?.kind === 'seats' && row.cells.map((cell) => (cell.kind === 'seat' ? `${cell.element.designator} ${cell.position}` : cell.kind)),
    ).toEqual(['24A window', '24B middle', '24C aisle', 'aisle', '24D aisle', '24E middle', '24F window'])
  })

  it('a shorter row keeps its seats under their letters', () => {
    const row = plan.rows[2]
    expect(row?.kind === 'seats' && row.cells.slice(0, 3).map((cell) => cell.kind)).toEqual(['gap', 'seat', 'seat'])
  })

  it('a seat that is blocked leaves a gap between its neighbours', () => {
    const blocked = seatPlan({
      ...economy,
      rows: [{ number: 1, sections: [{ elements: [seat('1A', {}), other('empty'), seat('1C', {})] }, { elements: [seat('1D', {})] }] }],
    })
    expect(blocked.columns.map(({ letter, aisle }) => (aisle ? '|' : (letter ?? '-'))).join('')).toBe('A-C|D')
  })

  it('names exits in words', () => {
    expect(plan.rows[0]).toMatchObject({ kind: 'words', words: ['Exit', 'Exit'], exit: true })
  })

  it('leaves out rows that say nothing', () => {
    const empty = { number: null, sections: [{ elements: [other('empty')] }, { elements: [] }] }
    expect(seatPlan({ ...economy, rows: [empty, ...economy.rows] }).rows).toHaveLength(3)
  })

  it('arrow keys walk over aisles, gaps and words, and stop at the walls', () => {
    const at24C = { row: 1, cell: 2 }
    expect(walk(plan, at24C, 'ArrowRight')).toEqual({ row: 1, cell: 4 })
    expect(walk(plan, at24C, 'ArrowLeft')).toEqual({ row: 1, cell: 1 })
    expect(walk(plan, at24C, 'ArrowDown')).toEqual({ row: 2, cell: 2 })
    expect(walk(plan, at24C, 'ArrowUp')).toEqual(at24C)
    expect(walk(plan, { row: 1, cell: 0 }, 'ArrowDown')).toEqual({ row: 1, cell: 0 })
    expect(walk(plan, at24C, 'Home')).toEqual({ row: 1, cell: 0 })
    expect(walk(plan, at24C, 'End')).toEqual({ row: 1, cell: 6 })
    expect(walk(plan, at24C, 'a')).toBeNull()
  })

  it('the one tab stop is the chosen seat, else the first free one', () => {
    expect(startSpot(plan, '24F')).toEqual({ row: 1, cell: 6 })
    expect(startSpot(plan, null)).toEqual({ row: 1, cell: 0 })
    expect(startSpot({ columns: [], rows: [] }, null)).toBeNull()
  })

  it('SEAT-04: a seat is named with its place and price', () => {
    const price = { amount: '31.00', currency: 'USD' }
    expect(seatName('24C', 'aisle', { occupant: null, price })).toBe('24C, aisle, $31')
    expect(seatName('20B', 'middle', { occupant: null, price: null })).toBe('20B, middle, not available')
    expect(seatName('24A', 'window', { occupant: { initials: 'CM', name: 'Camille Moreau' }, price })).toBe(
      '24A, window, CM, Camille Moreau',
    )
    expect(priceWords({ amount: '0.00', currency: 'USD' })).toBe('included')
  })

  it('SEAT-04: the key tells what free seats cost', () => {
    expect(priceRange([economy])).toEqual({ included: true, paid: '$31' })
    const dear = {
      ...economy,
      rows: [{ number: 1, sections: [{ elements: [seat('1A', everybody('9.00')), seat('1B', everybody('45.00'))] }] }],
    }
    expect(priceRange([dear])).toEqual({ included: false, paid: '$9 to $45' })
    expect(priceRange([])).toEqual({ included: false, paid: null })
  })
})
