import type { FlightOffer } from '@passerelle/contracts/http/search'
import { Fragment } from 'react'
import { formatDate } from '../../lib/format/dates.ts'
import { sliceName } from '../../lib/segment.ts'
import { Timeline } from '../../ui/flight/Timeline.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { FareRules } from './FareRules.tsx'
import styles from './OfferTabs.module.css'
import { SeatMaps } from './SeatMaps.tsx'

export function OfferTabs({ offer }: { offer: FlightOffer }) {
  const tabs = [
    { value: 'flights', label: 'Flight Details', content: <FlightDetails offer={offer} /> },
    { value: 'fare', label: 'Fare Rules', content: <FareRules offer={offer} /> },
    { value: 'seats', label: 'Seat Maps', content: <SeatMaps offerId={offer.id} /> },
  ]
  return (
    <section className="card" aria-label="More about this offer">
      <Tabs label="More about this offer" tabs={tabs} listClassName={styles.list} panelClassName={styles.panel} />
    </section>
  )
}

function FlightDetails({ offer }: { offer: FlightOffer }) {
  return offer.slices.map((slice, index) => {
    const heading = `${sliceName(index)}, ${formatDate(slice.departure_time, 'weekday')}`
    return (
      <Fragment key={slice.id}>
        {index > 0 && <hr className={styles.rule} />}
        <h3 className={styles.slice}>{heading}</h3>
        <Timeline slice={slice} label={heading} />
      </Fragment>
    )
  })
}
