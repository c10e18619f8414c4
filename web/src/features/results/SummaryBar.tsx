import { ArrowRight, RotateCw, SlidersHorizontal } from 'lucide-react'
import { formatDate } from '../../lib/format/dates.ts'
import { passengersText } from '../../lib/format/people.ts'
import { paths } from '../../lib/paths.ts'
import { useAirports } from '../../lib/use-airports.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { cabinName } from './model/cabins.ts'
import { countsOf, type Search } from './model/search-address.ts'
import styles from './SummaryBar.module.css'

type Props = { search: Search; busy: boolean; onRefresh: () => void }

/** What is being searched, and the ways to change it. */
export function SummaryBar({ search, busy, onRefresh }: Props) {
  const airports = useAirports()
  const city = (code: string) => (airports.status === 'ready' ? airports.search.byCode(code)?.city_name : undefined)
  const dates = [search.departureDate, search.returnDate].filter((date) => date !== undefined)
  return (
    <section className={styles.summary} aria-label="Your search">
      <div className={`wrap ${styles.inner}`}>
        <div>
          <h1>
            {city(search.origin)} <span>{search.origin}</span>
            <ArrowRight size={20} strokeWidth={1.75} aria-hidden="true" />
            <span className="visually-hidden">to</span>
            {city(search.destination)} <span>{search.destination}</span>
          </h1>
          <p className={styles.meta}>
            <span className={styles.badges}>
              <Badge>{search.tripType === 'round-trip' ? 'Round Trip' : 'One Way'}</Badge>
              <Badge>{cabinName(search.cabinClass)}</Badge>
            </span>
            <span className="numerals">{dates.map((date) => formatDate(date, 'weekday')).join(' – ')}</span>
            <span>{passengersText(countsOf(search))}</span>
          </p>
        </div>
        <div className={styles.actions}>
          <Button variant="quiet" disabled={busy} onClick={onRefresh}>
            <RotateCw size={16} strokeWidth={2} aria-hidden="true" />
            Refresh Results
          </Button>
          <ButtonLink variant="line" to={paths.home} state={{ search }}>
            <SlidersHorizontal size={16} strokeWidth={2} aria-hidden="true" />
            Modify Search
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}
