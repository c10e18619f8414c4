import { Armchair, ChevronDown } from 'lucide-react'
import type { LastSearch } from '../../../lib/last-search.ts'
import { CABINS, type SearchValues } from '../model/search-form.ts'
import { LastSearchLink } from './LastSearchLink.tsx'
import { PassengersField } from './PassengersField.tsx'
import { RouteFields } from './RouteFields.tsx'
import styles from './SearchForm.module.css'
import { TripTypes } from './TripTypes.tsx'
import { useSearchForm } from './use-search-form.ts'

type Props = {
  /** A search to change; without one the form is fresh. */
  initial: LastSearch | null
  lastSearch?: LastSearch | null
  /** Told when the results are about to be shown. */
  onSearched?: (search: LastSearch) => void
}

export function SearchForm({ initial, lastSearch, onSearched }: Props) {
  const form = useSearchForm(initial, onSearched)
  const { values, airports, change, changeTripType, error, onSubmit } = form
  return (
    <form className={styles.search} id="search" aria-label="Search flights" noValidate onSubmit={onSubmit}>
      <div className={styles.top}>
        <TripTypes value={values.tripType} onChange={changeTripType} />
        <div className={styles.picks}>
          <PassengersField
            value={values}
            onChange={change}
            error={error('adultsCount') ?? error('childrenCount') ?? error('infantsCount')}
          />
          <label className={styles.cabin}>
            <Armchair className={styles.pickIcon} size={20} strokeWidth={1.75} aria-hidden="true" />
            <span className="visually-hidden">Cabin class</span>
            <select
              value={values.cabinClass}
              onChange={(event) => change({ cabinClass: event.target.value as SearchValues['cabinClass'] })}
            >
              {CABINS.map(([cabin, label]) => (
                <option key={cabin} value={cabin}>
                  {label}
                </option>
              ))}
            </select>
            <ChevronDown className={styles.chevron} size={16} strokeWidth={2} aria-hidden="true" />
          </label>
        </div>
      </div>
      <RouteFields form={form} searchingText="Searching" />
      {lastSearch && <LastSearchLink search={lastSearch} airports={airports} />}
    </form>
  )
}
