import { ArrowRight } from 'lucide-react'
import { formatDate } from '../../../lib/format/dates.ts'
import { passengersText } from '../../../lib/format/people.ts'
import { type LastSearch, searchAddress } from '../../../lib/last-search.ts'
import { Link } from '../../../lib/router.ts'
import type { AirportsState } from '../../../lib/use-airports.ts'
import styles from './LastSearchLink.module.css'

/** One press back to the results of the last search. */
export function LastSearchLink({ search, airports }: { search: LastSearch; airports: AirportsState }) {
  const name = (code: string) => {
    const airport = airports.status === 'ready' ? airports.search.byCode(code) : undefined
    return airport && airports.status === 'ready' ? airports.search.label(airport) : code
  }
  const dates = [search.departureDate, search.tripType === 'round-trip' ? search.returnDate : undefined].filter(
    (date) => date !== undefined,
  )
  return (
    <p className={styles.last}>
      Last search
      <Link to={searchAddress(search)}>
        {name(search.origin)}
        <ArrowRight size={16} strokeWidth={2} aria-hidden="true" />
        <span className="visually-hidden">to</span>
        {name(search.destination)}
        <span className={`${styles.facts} numerals`}>
          {dates.map((date) => formatDate(date, 'short')).join(' – ')},{' '}
          {passengersText({ adults: search.adultsCount, children: search.childrenCount, infants: search.infantsCount })}
        </span>
      </Link>
    </p>
  )
}
