import type { Place, Slice } from '@passerelle/contracts/http/search'
import { formatMoney } from '@passerelle/contracts/rules/money'
import { Check, Luggage, Repeat } from 'lucide-react'
import { memo, useId } from 'react'
import { emissionsShort } from '../../../lib/emissions.ts'
import { bridgeParts, cardStops, layovers, operatedBy } from '../../../lib/flight.ts'
import { daysBetween, formatDate, formatTime } from '../../../lib/format/dates.ts'
import { formatDuration, formatMinutes } from '../../../lib/format/duration.ts'
import { FROM_RESULTS, Link } from '../../../lib/router.ts'
import { AirlineTile } from '../../../ui/AirlineTile.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { BridgeLine } from '../../../ui/BridgeLine.tsx'
import { DayShift } from '../../../ui/DayShift.tsx'
import type { OfferFacts } from '../model/offer-facts.ts'
import styles from './OfferCard.module.css'

export type Distinction = 'Lowest price' | 'Best' | 'Fastest'

type Props = {
  facts: OfferFacts
  /** Where View Details leads. */
  address: string
  /** "3 travellers". */
  travellers: string
  distinction: Distinction | null
  /** Shown while newer offers are on their way: dimmed and out of reach. */
  earlier?: boolean
}

/** Plain elements and one style sheet: a list has hundreds of these. */
export const OfferCard = memo(function OfferCard({ facts, address, travellers, distinction, earlier = false }: Props) {
  const { offer, outbound, inbound, price } = facts
  const heading = useId()
  const airline = offer.owner?.name || 'Airline'
  const emissions = emissionsShort(offer.emissions_kg)
  const total = formatMoney(price.total, price.currency)
  const partners = operatedBy([outbound, inbound].flatMap((slice) => slice?.segments ?? [])).filter((name) => name !== airline)
  return (
    <article className={`${styles.offer} ${inbound ? '' : styles.oneWay} ${earlier ? styles.earlier : ''}`} aria-labelledby={heading}>
      <div className={styles.main}>
        <div className={styles.top}>
          <AirlineTile code={offer.owner?.iata_code} />
          <h3 id={heading}>{airline}</h3>
          {partners.length > 0 && <span className={styles.partners}>with {partners.join(', ')}</span>}
          <ul className={styles.facts}>
            <li>
              <Luggage size={16} strokeWidth={2} aria-hidden="true" />
              {facts.baggageIncluded ? 'Baggage included' : 'No checked bag'}
            </li>
            {offer.conditions?.changeable && (
              <li>
                <Repeat size={16} strokeWidth={2} aria-hidden="true" />
                Changeable
              </li>
            )}
          </ul>
          {(distinction || facts.refundable) && (
            <div className={styles.tags}>
              {distinction && <Badge tone="brand">{distinction}</Badge>}
              {facts.refundable && (
                <Badge tone="positive" icon={Check}>
                  Refundable
                </Badge>
              )}
            </div>
          )}
        </div>
        <Leg slice={outbound} name="Outbound" />
        {inbound && <Leg slice={inbound} name="Return" />}
      </div>
      <div className={styles.stub}>
        <div>
          <p className={styles.price}>{total}</p>
          <p className={styles.note}>
            <span>{travellers}</span> <span>taxes included</span>
          </p>
          {emissions && <p className={styles.note}>{emissions}</p>}
        </div>
        <Link className={styles.details} to={address} state={FROM_RESULTS}>
          View Details
          <span className="visually-hidden">
            , {airline}, {total}
          </span>
        </Link>
      </div>
    </article>
  )
})

function Leg({ slice, name }: { slice: Slice; name: string }) {
  const first = slice.segments[0]
  const last = slice.segments.at(-1)
  const date = formatDate(first?.departing_at, 'weekday')
  const days = daysBetween(first?.departing_at, last?.arriving_at)
  const waits = layovers(slice)
  return (
    <div className={styles.leg}>
      <p className={styles.date}>
        <b>{name}</b>
        {date === 'N/A' ? '' : date}
      </p>
      <End time={first?.departing_at} place={first?.origin} />
      <div className={styles.middle}>
        <b>{formatDuration(slice.duration)}</b>
        <BridgeLine parts={bridgeParts(slice)} />
        <span className={waits.length === 0 ? styles.direct : undefined}>
          {cardStops(slice.segments.length)}
          {waits.length > 0 && ` · ${waits.map((wait) => `${formatMinutes(wait.minutes)} in ${wait.at?.iata_code ?? 'N/A'}`).join(', ')}`}
        </span>
      </div>
      <End time={last?.arriving_at} place={last?.destination} days={days} />
    </div>
  )
}

function End({ time, place, days = 0 }: { time: string | undefined; place: Place | undefined; days?: number }) {
  const shown = formatTime(time)
  return (
    <div>
      <p className={`${styles.time} ${shown === 'N/A' ? styles.missing : ''}`}>
        {shown}
        <DayShift days={days} />
      </p>
      <p className={styles.place}>
        <b>{place?.iata_code || 'N/A'}</b> <span>{place?.city_name}</span>
      </p>
    </div>
  )
}
