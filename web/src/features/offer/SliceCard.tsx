import type { Slice } from '@passerelle/contracts/http/search'
import { useId } from 'react'
import { bridgeParts, detailStops } from '../../lib/flight.ts'
import { daysBetween, formatDate, formatTime } from '../../lib/format/dates.ts'
import { formatDuration } from '../../lib/format/duration.ts'
import { sliceBadges, technicalStopTexts } from '../../lib/segment.ts'
import { AirlineTile } from '../../ui/AirlineTile.tsx'
import { BridgeLine } from '../../ui/BridgeLine.tsx'
import { DayShift } from '../../ui/DayShift.tsx'
import { ServiceBadges } from '../../ui/flight/ServiceBadges.tsx'
import { carriersOf, stopsText } from './model/summary.ts'
import styles from './SliceCard.module.css'

/** One way of the trip at a glance. `name`: "Outbound", "Return". */
export function SliceCard({ slice, name }: { slice: Slice; name: string }) {
  const { origin, destination, departure_time, arrival_time, segments } = slice
  const { carriers, operators } = carriersOf(slice)
  const days = daysBetween(departure_time, arrival_time)
  const heading = useId()
  return (
    <section className="card" aria-labelledby={heading}>
      <div className={styles.head}>
        <h2 id={heading}>{name} Flight</h2>
        <span className={`${styles.date} numerals`}>{formatDate(departure_time, 'weekday')}</span>
        <span className={`${styles.sum} numerals`}>
          {formatDuration(slice.duration)} · {detailStops(segments.length)}
        </span>
      </div>
      <div className={styles.leg}>
        <div>
          <p className={styles.time}>
            <span className="visually-hidden">Departs </span>
            {formatTime(departure_time)}
          </p>
          <p className={styles.place}>
            <b>{origin.iata_code ?? 'N/A'}</b> {origin.city_name}
          </p>
        </div>
        <div className={styles.middle}>
          <BridgeLine parts={bridgeParts(slice)} />
          <p>{stopsText(slice)}</p>
          {technicalStopTexts(segments).map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
        <div className={styles.arrival}>
          <p className={styles.time}>
            <span className="visually-hidden">Arrives </span>
            {formatTime(arrival_time)}
            <DayShift days={days} />
          </p>
          <p className={styles.place}>
            {destination.city_name} <b>{destination.iata_code ?? 'N/A'}</b>
          </p>
        </div>
      </div>
      <div className={styles.foot}>
        <ul className={styles.carriers}>
          {carriers.map(({ code, name: airline }) => (
            <li key={airline}>
              <AirlineTile code={code} />
              {airline}
            </li>
          ))}
          {operators.length > 0 && <li>Operated by {operators.join(', ')}</li>}
        </ul>
        <ServiceBadges badges={sliceBadges(slice)} />
      </div>
    </section>
  )
}
