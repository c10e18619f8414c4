import type { Slice } from '@passerelle/contracts/http/search'
import { Armchair } from 'lucide-react'
import { flightNumber, operatedBy, placeLabel } from '../../lib/flight.ts'
import { formatTime } from '../../lib/format/dates.ts'
import { formatDuration, formatMinutes } from '../../lib/format/duration.ts'
import { airlineName, cabinNames, flightBadges, serviceDetails, technicalStopTexts } from '../../lib/segment.ts'
import { type FlightRow, type LayoverRow, layoverText, type StopRow, timelineRows } from '../../lib/timeline.ts'
import { arrivalShift } from '../../lib/trip.ts'
import { AirlineTile } from '../AirlineTile.tsx'
import { ServiceBadges } from './ServiceBadges.tsx'
import styles from './Timeline.module.css'

type Props = {
  slice: Slice
  label: string
  /** The seats of a booking on one flight. */
  seatsOn?: (segmentId: string) => readonly string[]
}

/** A slice from gate to gate. The rail at the left is the bridge line standing upright. */
export function Timeline({ slice, label, seatsOn }: Props) {
  return (
    <ol className={styles.timeline} aria-label={label}>
      {timelineRows(slice).map((row) => (
        <li key={row.key}>
          {row.kind === 'flight' ? (
            <Flight row={row} seats={seatsOn?.(row.segment.id) ?? []} />
          ) : row.kind === 'layover' ? (
            <Wait row={row} />
          ) : (
            <Stop row={row} />
          )}
        </li>
      ))}
    </ol>
  )
}

function Stop({ row: { kind, time, date, place, terminal, last } }: { row: StopRow }) {
  const rail = kind === 'departure' ? styles.left : last ? `${styles.arrived} ${styles.end}` : `${styles.arrived} ${styles.waiting}`
  const airport = [place.city_name && place.name, terminal && `Terminal ${terminal}`].filter(Boolean).join(', ')
  return (
    <>
      <span className={styles.time}>
        <span className="visually-hidden">{kind === 'departure' ? 'Departure' : 'Arrival'} </span>
        {formatTime(time)}
        {date && <small>{date}</small>}
      </span>
      <span className={`${styles.rail} ${rail}`} aria-hidden="true" />
      <div className={styles.place}>
        <b>{placeLabel(place)}</b>
        {airport && <small>{airport}</small>}
      </div>
    </>
  )
}

function Flight({ row: { segment }, seats }: { row: FlightRow; seats: readonly string[] }) {
  const operators = operatedBy([segment])
  const details = [...technicalStopTexts([segment]).map((text) => `${text}, same flight.`), serviceDetails(segment)].filter(Boolean)
  return (
    <>
      <span />
      <span className={styles.rail} aria-hidden="true" />
      <div className={styles.flight}>
        <p className={styles.facts}>
          <AirlineTile code={segment.marketing_carrier.iata_code} />
          <b>{airlineName(segment)}</b>
          <span className="numerals">{flightNumber(segment)}</span>
          <span className="muted">{[segment.aircraft?.name, ...cabinNames([segment])].filter(Boolean).join(', ')}</span>
        </p>
        {operators.length > 0 && <p>Operated by {operators.join(', ')}</p>}
        <p className={styles.services}>
          <ServiceBadges badges={flightBadges(segment)} />
          <span className="muted numerals">
            {[formatDuration(segment.duration), arrivalShift(segment.departing_at, segment.arriving_at)].filter(Boolean).join(', ')}
          </span>
          {seats.length > 0 && (
            <span className={`${styles.seats} numerals`}>
              <Armchair size={16} strokeWidth={2} aria-hidden="true" />
              <span>
                <span className="muted">{seats.length === 1 ? 'Seat' : 'Seats'}</span> {seats.join(', ')}
              </span>
            </span>
          )}
        </p>
        {details.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </>
  )
}

function Wait({ row: { layover } }: { row: LayoverRow }) {
  return (
    <>
      <span />
      <span className={`${styles.rail} ${styles.waiting}`} aria-hidden="true" />
      <p className={`${styles.layover} ${layover.changesAirport ? styles.change : ''}`}>
        <b className="numerals">{formatMinutes(layover.minutes)}</b> {layoverText(layover)}
      </p>
    </>
  )
}
