import type { ScheduleChange } from '@passerelle/contracts/http/booking-data'
import { formatDate, formatTime } from '../../lib/format/dates.ts'
import { arrivalShift, type Trip } from '../../lib/trip.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import styles from './NewTimes.module.css'
import { useAcceptChange } from './use-trips.ts'

type Props = { trip: Trip & { scheduleChange: ScheduleChange }; onCancel: () => void }

/** What the airline has changed, old times beside new ones, and the traveller's answer to it. */
export function NewTimes({ trip, onCancel }: Props) {
  const { scheduleChange: change } = trip
  const accepting = useAcceptChange(trip, change.id)
  const open = change.state === 'open'
  return (
    <div className={styles.notice}>
      <Alert
        tone={open ? 'warning' : 'info'}
        title={open ? 'The airline has changed your flight times.' : 'The airline had changed your flight times.'}
      >
        <div className={styles.change}>
          <dl className={`${styles.flights} numerals`}>
            {change.flights.map(({ flight, from, to, was, now }) => (
              <div key={`${flight} ${was?.departing_at}`}>
                <dt>
                  {flight}, {from} to {to}
                </dt>
                {was && (
                  <dd>
                    <span className="visually-hidden">Was </span>
                    <s>{times(was)}</s>
                  </dd>
                )}
                <dd>
                  <span className="visually-hidden">Now </span>
                  <b>{now ? times(now) : 'This flight does not fly any more'}</b>
                </dd>
              </div>
            ))}
          </dl>
          <p>{WORDS[change.state](change.canAccept)}</p>
        </div>
      </Alert>
      {open && (
        <div className={styles.answers}>
          {change.canAccept && (
            <Button variant="solid" busy={accepting.isPending} onClick={() => accepting.mutate()}>
              Accept new times
            </Button>
          )}
          {trip.cancellation && (
            <Button variant="dangerLine" aria-haspopup="dialog" disabled={accepting.isPending} onClick={onCancel}>
              Cancel trip
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

const times = ({ departing_at, arriving_at }: { departing_at: string; arriving_at: string }) =>
  [
    `${formatDate(departing_at, 'weekday')}, ${formatTime(departing_at)} – ${formatTime(arriving_at)}`,
    arrivalShift(departing_at, arriving_at),
  ]
    .filter(Boolean)
    .join(', ')

const WORDS: Record<ScheduleChange['state'], (canAccept: boolean) => string> = {
  open: (canAccept) =>
    canAccept
      ? 'Accept them, or cancel the trip: then the airline says what it gives back, whatever the fare was.'
      : 'Write to us, and we settle it with the airline.',
  accepted: () => 'You have accepted the new times.',
  changed: () => 'This was settled with the airline.',
  cancelled: () => 'The trip was cancelled.',
}
