/** How cabins are laid out: rows, letters and aisles by aircraft, without saying yet who sits where. */
import { aircraftOf } from '../aircraft.ts'
import { airlineOf } from '../airlines.ts'
import type { CabinClass } from './fares.ts'
import type { Flight } from './flights.ts'

export type SeatPlan = {
  letter: string
  designator: string
  row: number
  window: boolean
  aisle: boolean
  exit: boolean
  bulkhead: boolean
  last: boolean
}

export type ElementPlan = { seat: SeatPlan } | { other: 'empty' | 'exit_row' | 'lavatory' | 'galley' | 'bassinet' | 'closet' | 'stairs' }

export type CabinPlan = {
  deck: number
  cabin: CabinClass
  aisles: number
  wings: { first_row_index: number; last_row_index: number } | null
  /** Rows of sections of elements. */
  rows: ElementPlan[][][]
}

type Block = { deck?: number; cabin: CabinClass; letters: string; from: number; to: number; exits?: number[]; stairs?: boolean }

const narrowEconomy = 'ABC DEF'

/** Duffel Airways sells the same economy map on every aircraft: 32 rows of six. */
const duffelEconomy: Block[] = [{ cabin: 'economy', letters: narrowEconomy, from: 1, to: 32, exits: [12, 13] }]

const blocksOf = (flight: Flight, wanted: CabinClass): Block[] => {
  const airline = airlineOf(flight.carrier)
  const { body } = aircraftOf(flight.aircraft)
  if (airline.style === 'duffel' && wanted === 'economy') return duffelEconomy
  const first: Block[] = airline.first || wanted === 'first' ? [{ cabin: 'first', letters: 'A DG K', from: 1, to: 2 }] : []
  const premium = (letters: string, from: number): Block[] =>
    airline.premium || wanted === 'premium_economy' ? [{ cabin: 'premium_economy', letters, from, to: from + 3 }] : []
  switch (body) {
    case 'regional':
      return airline.style === 'low-cost' || flight.aircraft === 'AT7'
        ? [{ cabin: 'economy', letters: 'AC DF', from: 1, to: 18 }]
        : [
            { cabin: 'business', letters: 'A DF', from: 1, to: 3 },
            { cabin: 'economy', letters: 'AC DF', from: 4, to: 24, exits: [12] },
          ]
    case 'narrow':
      return airline.style === 'low-cost'
        ? [{ cabin: 'economy', letters: narrowEconomy, from: 1, to: 30, exits: [11, 12] }]
        : [
            { cabin: 'business', letters: airline.style === 'american' ? 'AC DF' : 'A-C D-F', from: 1, to: 4 },
            { cabin: 'economy', letters: narrowEconomy, from: 5, to: 31, exits: [12, 13] },
          ]
    case 'twin-2-4-2':
      return [
        { cabin: 'business', letters: 'A DG K', from: 1, to: 8 },
        ...premium('AC DEF HK', 10),
        { cabin: 'economy', letters: 'AC DEFG HK', from: 20, to: 47, exits: [20, 36] },
      ]
    case 'twin-3-3-3':
      return [
        ...first,
        { cabin: 'business', letters: 'A DG K', from: 4, to: 11 },
        ...premium('AC DEF HK', 14),
        { cabin: 'economy', letters: 'ABC DEF HJK', from: 20, to: 46, exits: [20, 34] },
      ]
    case 'twin-3-4-3':
      return [
        ...first,
        { cabin: 'business', letters: 'A DG K', from: 4, to: 14 },
        ...premium('AC DEFG HK', 16),
        { cabin: 'economy', letters: 'ABC DEFG HJK', from: 21, to: 51, exits: [21, 38] },
      ]
    case 'double-deck':
      return [
        ...first,
        { cabin: 'economy', letters: 'ABC DEFG HJK', from: 43, to: 78, exits: [43, 60] },
        { deck: 1, cabin: 'business', letters: 'A DG K', from: 6, to: 21, stairs: true },
        ...premium('AC DEF HK', 24).map((block) => ({ ...block, deck: 1 })),
      ]
  }
}

const plans = new Map<string, CabinPlan[]>()

/** The cabins of the aircraft on this flight; the wish decides only whether a small cabin that few airlines have is there. */
export const cabinPlans = (flight: Flight, wanted: CabinClass): CabinPlan[] => {
  const key = `${flight.carrier}/${flight.aircraft}/${wanted}`
  let found = plans.get(key)
  if (!found) {
    found = blocksOf(flight, wanted).map(planOf)
    plans.set(key, found)
  }
  return found
}

const planOf = (block: Block): CabinPlan => {
  const sections = block.letters.split(' ')
  const aisles = sections.length - 1
  const flat = block.letters.replaceAll(' ', '')
  const exits = block.exits ?? []
  const rows: ElementPlan[][][] = []
  const other = (kind: Exclude<ElementPlan, { seat: SeatPlan }>['other']): ElementPlan => ({ other: kind })
  rows.push(
    sections.map((_, at) => {
      if (block.stairs && at === 0) return [other('stairs')]
      if (at === sections.length - 1) return [other('galley')]
      return at === 0 ? [other('lavatory')] : [other('closet')]
    }),
  )
  const wide = aisles === 2
  if (wide && block.cabin === 'economy') rows.push(sections.map((_, at) => (at === 1 ? [other('bassinet'), other('bassinet')] : [])))
  let firstWing: number | undefined
  let lastWing = 0
  for (let row = block.from; row <= block.to; row++) {
    if (row === 13 && block.to - block.from > 20 && !exits.includes(13)) continue
    const exit = exits.includes(row)
    if (exit) {
      rows.push(sections.map((_, at) => (at === 0 || at === sections.length - 1 ? [other('exit_row')] : [other('empty')])))
      firstWing ??= rows.length
      lastWing = rows.length
    }
    rows.push(
      sections.map((letters, section) =>
        [...letters].map((letter, at): ElementPlan => {
          if (letter === '-') return other('empty')
          const nextToAisle = (section > 0 && at === 0) || (section < sections.length - 1 && at === letters.length - 1)
          return {
            seat: {
              letter,
              designator: `${row}${letter}`,
              row,
              window: letter === flat[0] || letter === flat.at(-1),
              aisle: nextToAisle,
              exit,
              bulkhead: row === block.from,
              last: row === block.to,
            },
          }
        }),
      ),
    )
  }
  rows.push(sections.map((_, at) => (at === 0 || at === sections.length - 1 ? [other('lavatory')] : [other('galley')])))
  return {
    deck: block.deck ?? 0,
    cabin: block.cabin,
    aisles,
    wings: firstWing === undefined ? null : { first_row_index: firstWing, last_row_index: Math.min(lastWing + 6, rows.length - 1) },
    rows,
  }
}
