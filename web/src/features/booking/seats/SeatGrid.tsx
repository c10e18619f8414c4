import type { SeatChoice, SeatElement } from '@passerelle/contracts/http/search'
import { type KeyboardEvent, type MouseEvent, memo, useMemo, useRef, useState } from 'react'
import type { Person } from '../model/passenger-form.ts'
import { type PlanCell, type PlanRow, type Spot, seatName, seatPlan, startSpot, walk } from '../model/seat-plan.ts'
import { choiceFor, type SeatCabin, seatOf, whoSitsOn } from '../model/seats.ts'
import styles from './Seats.module.css'

type Props = {
  cabin: SeatCabin
  heading: string
  label: string
  segmentId: string
  /** Id of the passenger who is being seated. */
  active: string
  people: readonly Person[]
  choices: readonly SeatChoice[]
  onPick: (element: SeatElement, cabinClass: string) => void
}

const spotOf = (target: EventTarget): Spot | null => {
  const [row, cell] = (target instanceof Element ? target.closest<HTMLElement>('[data-spot]')?.dataset.spot : undefined)?.split(':') ?? []
  return row === undefined || cell === undefined ? null : { row: Number(row), cell: Number(cell) }
}

/** One cabin as a grid with one tab stop: arrow keys walk, Enter chooses. */
export function SeatGrid({ cabin, heading, label, segmentId, active, people, choices, onPick }: Props) {
  const plan = useMemo(() => seatPlan(cabin), [cabin])
  const table = useRef<HTMLTableElement>(null)
  const [visited, setVisited] = useState<Spot | null>(null)
  const aisles = plan.columns.filter((column) => column.aisle).length
  // Narrower than this the cabin scrolls inside its own frame.
  const minWidth = (plan.columns.length - aisles) * 26 + aisles * 14
  const stop = visited ?? startSpot(plan, seatOf(choices, active, segmentId)?.seatId ?? null)

  const elementAt = ({ row, cell }: Spot): SeatElement | null => {
    const line = plan.rows[row]
    const found = line?.kind === 'seats' ? line.cells[cell] : undefined
    return found?.kind === 'seat' ? found.element : null
  }

  function onClick(event: MouseEvent): void {
    const spot = spotOf(event.target)
    const element = spot && elementAt(spot)
    if (!element) return
    setVisited(spot)
    onPick(element, cabin.cabin_class)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const from = spotOf(event.target)
    const to = from && walk(plan, from, event.key)
    if (!to) return
    event.preventDefault()
    setVisited(to)
    table.current?.querySelector<HTMLElement>(`[data-spot="${to.row}:${to.cell}"]`)?.focus()
  }

  function cellOf(cell: PlanCell, spot: Spot, number: number | null) {
    if (cell.kind === 'aisle') {
      return (
        <td key={spot.cell} className={styles.aisle} role="presentation">
          <span aria-hidden="true">{number}</span>
        </td>
      )
    }
    if (cell.kind === 'gap') return <td key={spot.cell} role="presentation" />
    const { element, position } = cell
    const designator = element.designator ?? ''
    const occupant = people.find(({ id }) => id === whoSitsOn(choices, designator, segmentId)) ?? null
    const price = choiceFor(element, active, segmentId, cabin.cabin_class)?.price ?? null
    return (
      <Seat
        key={spot.cell}
        spot={`${spot.row}:${spot.cell}`}
        name={seatName(designator, position, { occupant, price })}
        look={occupant ? 'mine' : !price ? 'taken' : Number(price.amount) > 0 ? 'paid' : 'included'}
        text={occupant?.initials ?? ''}
        tabStop={stop?.row === spot.row && stop.cell === spot.cell}
      />
    )
  }

  return (
    <div className={`${styles.hull} ${plan.columns.length - aisles > 9 ? styles.wide : ''}`}>
      <p className={styles.heading}>{heading}</p>
      <table
        ref={table}
        className={styles.grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table that is walked through with the arrow keys
        role="grid"
        aria-label={label}
        style={{ minWidth }}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            {plan.columns.map(({ letter, aisle }, at) =>
              aisle ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
                <td key={at} className={styles.aisle} role="presentation" />
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
                <th key={at} scope="col">
                  {letter}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {plan.rows.map((row, index) =>
            row.kind === 'words' ? (
              <Words key={row.key} row={row} columns={plan.columns.length} />
            ) : (
              <tr key={row.key}>{row.cells.map((cell, at) => cellOf(cell, { row: index, cell: at }, row.number))}</tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}

/** Exits, galleys and lavatories, in words. */
function Words({ row, columns }: { row: Extract<PlanRow, { kind: 'words' }>; columns: number }) {
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: only seats are cells of the grid
    <tr className={row.exit ? styles.exit : styles.words} role="presentation">
      <td colSpan={columns} role="presentation">
        <span>
          {row.words.map((word, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sections have no other name
            <span key={at}>{word}</span>
          ))}
        </span>
      </td>
    </tr>
  )
}

type SeatProps = { spot: string; name: string; look: 'included' | 'paid' | 'mine' | 'taken'; text: string; tabStop: boolean }

const Seat = memo(function Seat({ spot, name, look, text, tabStop }: SeatProps) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the cell of a grid is a gridcell
    <td aria-selected={look === 'mine'} aria-disabled={look === 'taken' || undefined}>
      <button
        type="button"
        className={`${styles.seat} ${look === 'included' ? '' : styles[look]}`}
        data-spot={spot}
        aria-label={name}
        aria-disabled={look === 'taken' || undefined}
        tabIndex={tabStop ? 0 : -1}
      >
        {text}
      </button>
    </td>
  )
})
