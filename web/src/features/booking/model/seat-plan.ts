/** A cabin as a grid on the screen: which seat stands in which column, and how the arrow keys walk through it. */
import type { SeatElement } from '@passerelle/contracts/http/search'
import { formatMoney } from '@passerelle/contracts/rules/money'
import type { SeatCabin } from './seats.ts'

export type PlanCell = { kind: 'seat'; element: SeatElement; position: 'window' | 'aisle' | 'middle' } | { kind: 'gap' } | { kind: 'aisle' }
export type PlanRow =
  | { key: string; kind: 'seats'; number: number | null; cells: PlanCell[] }
  | { key: string; kind: 'words'; words: (string | null)[]; exit: boolean }
/** `columns`: the letter over each column, if its seats have one. */
export type SeatPlan = { columns: { letter: string | null; aisle: boolean }[]; rows: PlanRow[] }

const WORDS: Record<string, string> = { exit_row: 'Exit', lavatory: 'Lavatory', galley: 'Galley', stairs: 'Stairs', bassinet: 'Bassinet' }

type Row = SeatCabin['rows'][number]
const hasSeats = (row: Row) => row.sections.some((section) => section.elements.some((element) => element.type === 'seat'))
const letterOf = (element: SeatElement | undefined) => element?.designator?.replace(/\d+/g, '') || null

/** Letters of each section: from the widest row, position by position, with letters that only other rows have at the end. */
function sectionLetters(rows: readonly Row[]): (string | null)[][] {
  const sections = Math.max(0, ...rows.map((row) => row.sections.length))
  return Array.from({ length: sections }, (_, at) => {
    const all = rows.map((row) => row.sections[at]?.elements ?? [])
    const width = Math.max(0, ...all.map((elements) => elements.length))
    const full = all.filter((elements) => elements.length === width)
    return Array.from({ length: width }, (_, place) =>
      letterOf(full.map((elements) => elements[place]).find((element) => letterOf(element))),
    )
  })
}

function placed(elements: readonly SeatElement[], letters: readonly (string | null)[]): (SeatElement | null)[] {
  if (elements.length === letters.length) return elements.map((element) => (element.type === 'seat' ? element : null))
  return letters.map(
    (letter) => elements.find((element) => element.type === 'seat' && letter !== null && letterOf(element) === letter) ?? null,
  )
}

function wordsOf(row: Row, sections: number): (string | null)[] {
  return Array.from({ length: sections }, (_, at) => {
    const words = (row.sections[at]?.elements ?? []).map((element) => WORDS[element.kind ?? ''] ?? null)
    return words.find((word) => word !== null) ?? null
  })
}

export function seatPlan(cabin: SeatCabin): SeatPlan {
  const seatRows = cabin.rows.filter(hasSeats)
  const letters = sectionLetters(seatRows)
  const width = letters.reduce((sum, section) => sum + section.length, 0)
  const rows = cabin.rows.flatMap((row, index): PlanRow[] => {
    if (!hasSeats(row)) {
      const words = wordsOf(row, letters.length)
      return words.some(Boolean) ? [{ key: `w${index}`, kind: 'words', words, exit: words.includes('Exit') }] : []
    }
    let column = 0
    const cells = letters.flatMap((section, at): PlanCell[] => {
      const elements = placed(row.sections[at]?.elements ?? [], section)
      const inSection = elements.map((element, place): PlanCell => {
        const first = column === 0
        const last = ++column === width
        if (!element) return { kind: 'gap' }
        const besideAisle = (place === 0 && at > 0) || (place === section.length - 1 && at < letters.length - 1)
        return { kind: 'seat', element, position: first || last ? 'window' : besideAisle ? 'aisle' : 'middle' }
      })
      return at > 0 ? [{ kind: 'aisle' }, ...inSection] : inSection
    })
    return [{ key: `s${row.number ?? index}-${index}`, kind: 'seats', number: row.number, cells }]
  })
  const columns = letters.flatMap((section, at) => {
    const seats = section.map((letter) => ({ letter, aisle: false }))
    return at > 0 ? [{ letter: null, aisle: true }, ...seats] : seats
  })
  return { columns, rows }
}

export type Spot = { row: number; cell: number }

const seatAt = (plan: SeatPlan, { row, cell }: Spot) => {
  const line = plan.rows[row]
  return line?.kind === 'seats' && line.cells[cell]?.kind === 'seat'
}

/** The seat that the key leads to; the same one where there is none further on. Null: the key does not walk. */
export function walk(plan: SeatPlan, from: Spot, key: string): Spot | null {
  const line = plan.rows[from.row]
  const cells = line?.kind === 'seats' ? line.cells : []
  const along = (start: Spot, rowStep: number, cellStep: number): Spot => {
    for (let spot = start; ; ) {
      spot = { row: spot.row + rowStep, cell: spot.cell + cellStep }
      if (spot.row < 0 || spot.row >= plan.rows.length || spot.cell < 0 || spot.cell >= plan.columns.length) return from
      if (seatAt(plan, spot)) return spot
    }
  }
  switch (key) {
    case 'ArrowLeft':
      return along(from, 0, -1)
    case 'ArrowRight':
      return along(from, 0, 1)
    case 'ArrowUp':
      return along(from, -1, 0)
    case 'ArrowDown':
      return along(from, 1, 0)
    case 'Home':
      return {
        row: from.row,
        cell: Math.max(
          0,
          cells.findIndex((cell) => cell.kind === 'seat'),
        ),
      }
    case 'End':
      return {
        row: from.row,
        cell: Math.max(
          0,
          cells.findLastIndex((cell) => cell.kind === 'seat'),
        ),
      }
    default:
      return null
  }
}

/** The seat with this designator, else the first one that is free, else the first. */
export function startSpot(plan: SeatPlan, designator: string | null): Spot | null {
  const spots = plan.rows.flatMap((line, row) =>
    line.kind === 'seats' ? line.cells.flatMap((cell, at) => (cell.kind === 'seat' ? [{ row, cell: at, element: cell.element }] : [])) : [],
  )
  const found =
    spots.find(({ element }) => designator !== null && element.designator === designator) ??
    spots.find(({ element }) => element.available) ??
    spots[0]
  return found ? { row: found.row, cell: found.cell } : null
}

/** "24C, aisle, $31"; "20B, middle, not available"; "24A, window, CM, Camille Moreau". The visible initials are part of it. */
export function seatName(
  designator: string,
  position: string,
  state: { occupant: { initials: string; name: string } | null; price: { amount: string; currency: string } | null },
): string {
  if (state.occupant) return `${designator}, ${position}, ${state.occupant.initials}, ${state.occupant.name}`
  return `${designator}, ${position}, ${state.price ? priceWords(state.price) : 'not available'}`
}

/** "included" for a seat that costs nothing, else its price. */
export function priceWords(price: { amount: string; currency: string }): string {
  return /^0+(\.0+)?$/.test(price.amount) ? 'included' : formatMoney(price.amount, price.currency)
}

/** Prices for the key, as "$31" or "$20 to $45"; `paid` null where every free seat is included. */
export function priceRange(cabins: readonly SeatCabin[]): { included: boolean; paid: string | null } {
  const prices = cabins.flatMap((cabin) =>
    cabin.rows.flatMap((row) =>
      row.sections.flatMap((section) => section.elements.flatMap((element) => element.available_services.map((one) => one.price))),
    ),
  )
  const paid = prices.filter((price) => priceWords(price) !== 'included').sort((a, b) => Number(a.amount) - Number(b.amount))
  const [low, high] = [paid[0], paid.at(-1)].map((price) => (price ? formatMoney(price.amount, price.currency) : null))
  return { included: paid.length < prices.length, paid: !low ? null : low === high ? low : `${low} to ${high}` }
}
