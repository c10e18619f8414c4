import { ChevronDown, Users } from 'lucide-react'
import { useId, useRef } from 'react'
import { passengersText } from '../../../lib/format/people.ts'
import { Button } from '../../../ui/Button.tsx'
import { CountStepper } from '../../../ui/CountStepper.tsx'
import { reveal } from '../../../ui/reveal.ts'
import { usePanel } from '../../../ui/use-panel.ts'
import { passengerLimits, type SearchValues } from '../model/search-form.ts'
import { FieldError } from './FieldError.tsx'
import styles from './PassengersField.module.css'

type Counts = Pick<SearchValues, 'adultsCount' | 'childrenCount' | 'infantsCount'>
type Props = { value: Counts; onChange: (counts: Counts) => void; error?: string | undefined }

const ROWS = [
  ['adultsCount', 'Adults', '12+ years'],
  ['childrenCount', 'Children', '2-11 years'],
  ['infantsCount', 'Infants', 'Under 2 years'],
] as const

export function PassengersField({ value, onChange, error }: Props) {
  const anchor = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const panel = usePanel(anchor, trigger)
  const id = useId()
  const limits = passengerLimits(value)
  return (
    <div ref={anchor} className={styles.place}>
      <button
        ref={trigger}
        type="button"
        className={styles.trigger}
        aria-haspopup="dialog"
        aria-expanded={panel.open}
        aria-describedby={error ? id : undefined}
        onClick={() => (panel.open ? panel.hide() : panel.show())}
      >
        <Users className={styles.icon} size={20} strokeWidth={1.75} aria-hidden="true" />
        <span className={styles.text}>
          <span className="visually-hidden">Passengers: </span>
          {passengersText({ adults: value.adultsCount, children: value.childrenCount, infants: value.infantsCount })}
        </span>
        <ChevronDown size={16} strokeWidth={2} aria-hidden="true" />
      </button>
      {error && <FieldError id={id}>{error}</FieldError>}
      {panel.open && (
        <div ref={reveal} className={styles.panel} role="dialog" aria-label="Passengers">
          <ul className={styles.rows}>
            {ROWS.map(([name, label, ages]) => (
              <li key={name}>
                <span className={styles.label}>
                  {label}
                  <small>{ages}</small>
                </span>
                <CountStepper
                  noun={label.toLowerCase()}
                  value={value[name]}
                  {...limits[name]}
                  onChange={(count) => onChange({ ...value, [name]: count })}
                />
              </li>
            ))}
          </ul>
          <div className={styles.foot}>
            <span className="muted">Up to 9 seats, one infant per adult</span>
            <Button variant="solid" size="sm" onClick={() => panel.hide('return')}>
              Done
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}
