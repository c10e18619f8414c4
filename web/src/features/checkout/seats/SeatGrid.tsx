import type { SeatChoice, SeatElement } from '@passerelle/contracts/http/search'
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { fullName, initials, type PassengerValues } from '../../booking/model/passenger-form.ts'
import { type PlanCell, type PlanRow, priceWords, type Spot, seatName, seatPlan, startSpot, walk } from '../../booking/model/seat-plan.ts'
import { choiceFor, type SeatCabin, seatOf, whoSitsOn } from '../../booking/model/seats.ts'
import styles from './Seats.module.css'

type Props = {
  cabin: SeatCabin
  title: string
  label: string
  segmentId: string
  passengers: readonly PassengerValues[]
  seats: readonly SeatChoice[]
  active: string
  onChoose: (element: SeatElement) => void
}

/** One cabin. The whole grid is one stop of the Tab key; arrows walk from seat to seat. */
export function SeatGrid(props: Props) {
  const { cabin, title, label, segmentId, seats, active, onChoose } = props
  const plan = useMemo(() => seatPlan(cabin), [cabin])
  const [at, setAt] = useState<Spot | null>(null)
  const grid = useRef<HTMLTableElement>(null)
  const heading = useId()
  const spot = at ?? startSpot(plan, seatOf(seats, active, segmentId)?.seatId ?? null)

  function onKeyDown(event: KeyboardEvent<HTMLTableElement>): void {
    const to = spot && walk(plan, spot, event.key)
    if (!to) return
    event.preventDefault()
    setAt(to)
    grid.current?.querySelector<HTMLButtonElement>(`[data-spot="${to.row}-${to.cell}"]`)?.focus()
  }

  return (
    <div className={styles.hull}>
      <p className={styles.cabinName} id={heading}>
        {title}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table is how a grid is written */}
      <table className={styles.grid} role="grid" aria-label={label} aria-describedby={heading} ref={grid} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {plan.columns.map(({ letter, aisle }, index) =>
              aisle || letter === null ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                <td key={index} className={aisle ? styles.aisle : undefined} />
              ) : (
                <th key={letter} scope="col">
                  {letter}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {plan.rows.map((row, index) => (
            <Row
              key={row.key}
              row={row}
              index={index}
              columns={plan.columns.length}
              spot={spot}
              {...props}
              onChoose={(element, where) => {
                setAt(where)
                onChoose(element)
              }}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = Omit<Props, 'onChoose' | 'title' | 'label' | 'cabin'> & {
  cabin: SeatCabin
  row: PlanRow
  index: number
  columns: number
  spot: Spot | null
  onChoose: (element: SeatElement, where: Spot) => void
}

function Row({ row, index, columns, ...rest }: RowProps) {
  if (row.kind === 'words') {
    return (
      // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: words between the rows of seats are no row of the grid
      <tr role="presentation" className={row.exit ? styles.exit : styles.words}>
        <td role="presentation" colSpan={columns}>
          <span>
            {row.words.map((words, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: places never move
              <span key={at}>{words}</span>
            ))}
          </span>
        </td>
      </tr>
    )
  }
  return (
    <tr>
      {row.cells.map((cell, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places never move
        <Cell key={at} cell={cell} where={{ row: index, cell: at }} number={row.number} {...rest} />
      ))}
    </tr>
  )
}

type CellProps = Omit<RowProps, 'row' | 'index' | 'columns'> & { cell: PlanCell; where: Spot; number: number | null }

function Cell({ cell, where, number, cabin, spot, segmentId, passengers, seats, active, onChoose }: CellProps) {
  if (cell.kind === 'aisle') {
    return (
      <td className={styles.aisle} aria-hidden="true">
        {number}
      </td>
    )
  }
  if (cell.kind === 'gap') return <td />
  const { element, position } = cell
  const designator = element.designator ?? ''
  const sits = whoSitsOn(seats, designator, segmentId)
  const who = passengers.findIndex((passenger) => passenger.id === sits)
  const occupant = passengers[who]
  const price = choiceFor(element, active, segmentId, cabin.cabin_class)?.price ?? null
  const name = occupant ? { initials: initials(occupant, who), name: fullName(occupant) } : null
  const look = occupant ? styles.mine : price === null ? styles.taken : priceWords(price) === 'included' ? '' : styles.paid
  return (
    <td>
      <button
        type="button"
        className={`${styles.seat} ${look}`}
        aria-label={seatName(designator, position, { occupant: name, price })}
        aria-disabled={!occupant && price === null}
        aria-pressed={occupant ? true : undefined}
        tabIndex={spot?.row === where.row && spot.cell === where.cell ? 0 : -1}
        data-spot={`${where.row}-${where.cell}`}
        data-seat={designator}
        onClick={() => onChoose(element, where)}
      >
        {name?.initials}
      </button>
    </td>
  )
}
