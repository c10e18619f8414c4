/** The flights and the total price beside every step; folded on phones, where name and total stay in sight. */
import type { FlightOffer, Slice } from '@passerelle/contracts/http/search'
import { formatMoney } from '@passerelle/contracts/rules/money'
import { ChevronDown, Lock, Phone, RotateCcw } from 'lucide-react'
import { useBrand } from '../../../brand/BrandProvider.tsx'
import { bridgeParts, cityOf, detailStops } from '../../../lib/flight.ts'
import { daysBetween, formatDate, formatTime } from '../../../lib/format/dates.ts'
import { formatDuration } from '../../../lib/format/duration.ts'
import { countPassengers, travellersText } from '../../../lib/format/people.ts'
import { telephone } from '../../../lib/paths.ts'
import { BridgeLine } from '../../../ui/BridgeLine.tsx'
import { DayShift } from '../../../ui/DayShift.tsx'
import { Note, NoteList } from '../../../ui/NoteList.tsx'
import { usePhone } from '../../../ui/use-media.ts'
import { type PriceSheet, sliceName } from '../model/total.ts'
import styles from './FlightSummary.module.css'

export function FlightSummary({ offer, price }: { offer: FlightOffer; price: PriceSheet }) {
  const phone = usePhone()
  const total = formatMoney(price.total.amount, price.total.currency)
  const [first] = offer.slices
  const route = first ? `${cityOf(first.origin)} – ${cityOf(first.destination)}, ` : ''
  const name = (
    <span>
      <strong className={styles.name}>Flight Summary</strong>
      <span className={styles.route}>
        {route}
        {travellersText(countPassengers(offer.passengers))}
      </span>
    </span>
  )
  const content = (
    <>
      {offer.slices.map((slice, index) => (
        <MiniSlice key={slice.id} slice={slice} name={sliceName(index, offer.slices.length)} />
      ))}
      <div className={styles.sums}>
        {price.lines.length > 0 && (
          <dl className={styles.lines}>
            {price.lines.map(({ label, amount }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{formatMoney(amount, price.total.currency)}</dd>
              </div>
            ))}
          </dl>
        )}
        <p className={styles.total}>
          <span>Total</span>
          <b>{total}</b>
        </p>
        <p className={styles.note}>For all passengers, taxes included. {price.total.currency}.</p>
      </div>
    </>
  )
  return (
    <aside className={styles.side} aria-label="Flight Summary and total price">
      {phone ? (
        <details className={`card ${styles.summary}`}>
          <summary>
            {name}
            <span className={styles.folded}>
              <b>{total}</b>
              <ChevronDown className={styles.chevron} size={16} strokeWidth={2} aria-hidden="true" />
            </span>
          </summary>
          {content}
        </details>
      ) : (
        <div className={`card ${styles.summary}`}>
          <div>{name}</div>
          {content}
        </div>
      )}
      {!phone && <Assurances />}
    </aside>
  )
}

function MiniSlice({ slice, name }: { slice: Slice; name: string }) {
  const days = daysBetween(slice.departure_time, slice.arrival_time)
  return (
    <div className={styles.slice}>
      <p className={styles.top}>
        <span>{name}</span>
        <span>{formatDate(slice.departure_time, 'weekday')}</span>
      </p>
      <div className={styles.mid}>
        <span>{formatTime(slice.departure_time)}</span>
        <BridgeLine parts={bridgeParts(slice)} />
        <span>
          {formatTime(slice.arrival_time)}
          <DayShift days={days} />
        </span>
      </div>
      <p className={styles.bottom}>
        <span>{slice.origin.iata_code ?? 'N/A'}</span>
        <span>
          {formatDuration(slice.duration)} · {detailStops(slice.segments.length)}
        </span>
        <span>{slice.destination.iata_code ?? 'N/A'}</span>
      </p>
    </div>
  )
}

function Assurances() {
  const { phone } = useBrand().contact
  return (
    <NoteList>
      <Note icon={Lock}>The total shown is the amount charged.</Note>
      <Note icon={RotateCcw}>Free cancellation within 24 hours of booking for most fares.</Note>
      {phone && (
        <Note icon={Phone}>
          Questions? <a href={telephone(phone)}>{phone}</a>, 24/7
        </Note>
      )}
    </NoteList>
  )
}
