import { Calendar as CalendarIcon } from 'lucide-react'
import { type ReactNode, type RefCallback, useCallback, useId, useRef, useState } from 'react'
import { type Control, useController } from 'react-hook-form'
import { daysBetween, formatDate } from '../../../lib/format/dates.ts'
import { countNoun } from '../../../lib/format/people.ts'
import type { LastSearch } from '../../../lib/last-search.ts'
import { Button } from '../../../ui/Button.tsx'
import { lazyOverlay, lazyPart } from '../../../ui/lazy.tsx'
import { reveal } from '../../../ui/reveal.ts'
import { usePhone } from '../../../ui/use-media.ts'
import { usePanel } from '../../../ui/use-panel.ts'
import { type DateRange, pickDay, type RangeEnd } from '../model/date-range.ts'
import { type SearchValues, tripOf } from '../model/search-form.ts'
import styles from './DateFields.module.css'
import { FieldError } from './FieldError.tsx'

const loadCalendar = () => import('./Calendar.tsx')
const Calendar = lazyPart(async () => (await loadCalendar()).Calendar)
const Sheet = lazyOverlay(async () => (await import('../../../ui/Sheet.tsx')).Sheet)

type Props = {
  control: Control<SearchValues, unknown, LastSearch>
  values: SearchValues
}

/** Departure and return with one calendar for both: a pop-over under them, a sheet on a phone. */
export function DateFields({ control, values }: Props) {
  const departure = useController({ control, name: 'departureDate' })
  const back = useController({ control, name: 'returnDate' })
  const value: DateRange = { departureDate: departure.field.value, returnDate: back.field.value }
  const phone = usePhone()
  const anchor = useRef<HTMLDivElement>(null)
  const buttons = { departure: useRef<HTMLButtonElement>(null), return: useRef<HTMLButtonElement>(null) }
  const [end, setEnd] = useState<RangeEnd>('departure')
  const panel = usePanel(anchor, buttons[end], phone)
  const { hide } = panel
  const closeSheet = useCallback(() => hide(), [hide])
  const oneWay = values.tripType === 'one-way'

  function onChange({ departureDate, returnDate }: DateRange): void {
    departure.field.onChange(departureDate)
    back.field.onChange(returnDate)
  }

  function open(which: RangeEnd): void {
    setEnd(which)
    panel.show()
  }

  function pick(date: string): void {
    const picked = pickDay(value, end, date)
    onChange(oneWay ? { ...picked.range, returnDate: '' } : picked.range)
    if (oneWay) panel.hide('return')
    else setEnd(picked.next)
  }

  const calendar = (
    <Calendar
      range={value}
      single={oneWay}
      months={phone ? 1 : 2}
      trip={tripOf(values)}
      priced={oneWay || end === 'departure'}
      onPick={pick}
      waiting={<div className={styles.waiting} />}
    />
  )
  const clear = (
    <Button variant="quiet" size="sm" onClick={() => onChange({ departureDate: '', returnDate: '' })}>
      Clear
    </Button>
  )
  const done = (
    <Button variant="solid" size="sm" onClick={() => panel.hide('return')}>
      Done
    </Button>
  )

  return (
    <div ref={anchor} className={styles.dates}>
      <DateButton
        ref={(element) => {
          buttons.departure.current = element
          departure.field.ref(element)
        }}
        label="Departure"
        value={formatted(value.departureDate)}
        error={departure.fieldState.error?.message}
        expanded={panel.open && end === 'departure'}
        onClick={() => open('departure')}
      />
      <DateButton
        ref={(element) => {
          buttons.return.current = element
          back.field.ref(element)
        }}
        label="Return"
        value={oneWay ? 'One way' : formatted(value.returnDate)}
        disabled={oneWay}
        error={back.fieldState.error?.message}
        expanded={panel.open && end === 'return'}
        onClick={() => open('return')}
      />
      {panel.open && !phone && (
        <div ref={reveal} className={styles.panel} role="dialog" aria-label="Choose dates">
          {calendar}
          <div className={styles.foot}>
            <RangeText range={value} oneWay={oneWay} end={end} />
            <span className={styles.actions}>
              {clear}
              {done}
            </span>
          </div>
        </div>
      )}
      {phone && (
        <Sheet
          open={panel.open}
          onClose={closeSheet}
          title="Choose dates"
          heading={
            <h2 className={styles.heading}>
              <RangeText range={value} oneWay={oneWay} end={end} />
            </h2>
          }
          footer={
            <>
              {clear}
              {done}
            </>
          }
        >
          {calendar}
        </Sheet>
      )}
    </div>
  )
}

function formatted(date: string): string {
  return date ? formatDate(date, 'full') : ''
}

function RangeText({ range, oneWay, end }: { range: DateRange; oneWay: boolean; end: RangeEnd }): ReactNode {
  const { departureDate, returnDate } = range
  if (!departureDate) return <span>Choose the day of departure</span>
  if (oneWay || !returnDate) {
    return (
      <span>
        <b className="numerals">{formatDate(departureDate, 'full')}</b>
        {!oneWay && end === 'return' && <span className="muted"> Choose the day of return</span>}
      </span>
    )
  }
  const nights = daysBetween(departureDate, returnDate)
  return (
    <span aria-live="polite">
      <b className="numerals">
        {formatDate(departureDate, 'full')} – {formatDate(returnDate, 'full')}
      </b>{' '}
      <span className="muted">{nights === 0 ? 'same day' : countNoun(nights, 'night')}</span>
    </span>
  )
}

type DateButtonProps = {
  ref: RefCallback<HTMLButtonElement>
  label: string
  value: string
  error: string | undefined
  expanded: boolean
  disabled?: boolean
  onClick: () => void
}

function DateButton({ ref, label, value, error, expanded, disabled = false, onClick }: DateButtonProps) {
  const id = useId()
  return (
    <div className={styles.place}>
      <button
        ref={ref}
        type="button"
        className={styles.field}
        aria-haspopup="dialog"
        aria-expanded={expanded}
        aria-describedby={error ? id : undefined}
        data-invalid={Boolean(error) || undefined}
        disabled={disabled}
        onPointerEnter={() => loadCalendar().catch(() => undefined)}
        onClick={onClick}
      >
        <CalendarIcon className={styles.icon} size={20} strokeWidth={1.75} aria-hidden="true" />
        <span className={styles.label}>{label}</span>
        <span className={`${styles.value} numerals`}>{value || <span className={styles.none}>Add date</span>}</span>
      </button>
      {error && <FieldError id={id}>{error}</FieldError>}
    </div>
  )
}
