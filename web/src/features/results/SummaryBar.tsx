import { ArrowRight, ChevronDown, ChevronUp, RotateCw, SlidersHorizontal } from 'lucide-react'
import { type ComponentType, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { formatDate } from '../../lib/format/dates.ts'
import { passengersText } from '../../lib/format/people.ts'
import type { LastSearch } from '../../lib/last-search.ts'
import { paths } from '../../lib/paths.ts'
import { useAirports } from '../../lib/use-airports.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { cabinName } from './model/cabins.ts'
import { countsOf, keyOf, type Search } from './model/search-address.ts'
import styles from './SummaryBar.module.css'

/** What opens under the summary. */
export type SearchFormProps = { initial: LastSearch | null; onSearched?: (search: LastSearch) => void; waiting: ReactNode }

type Props = {
  search: Search
  busy: boolean
  onRefresh: () => void
  /** A search was just changed here: its summary takes the focus. */
  changed: RefObject<boolean>
  SearchForm: ComponentType<SearchFormProps> | undefined
}

/** What is being searched, and the ways to change it. */
export function SummaryBar({ search, busy, onRefresh, changed, SearchForm }: Props) {
  const [open, setOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const id = useId()
  const airports = useAirports()
  const city = (code: string) => (airports.status === 'ready' ? airports.search.byCode(code)?.city_name : undefined)
  const dates = [search.departureDate, search.returnDate].filter((date) => date !== undefined)

  useEffect(() => {
    if (!changed.current) return
    changed.current = false
    toggle.current?.focus({ preventScroll: true })
  }, [changed])

  function close(next: LastSearch): void {
    changed.current = keyOf(next) !== keyOf(search)
    setOpen(false)
    toggle.current?.focus({ preventScroll: true })
  }

  const Chevron = open ? ChevronUp : ChevronDown
  const route = (
    <>
      {city(search.origin)} <span>{search.origin}</span>
      <ArrowRight size={20} strokeWidth={1.75} aria-hidden="true" />
      <span className="visually-hidden">to</span>
      {city(search.destination)} <span>{search.destination}</span>
    </>
  )
  return (
    <section className={styles.summary} aria-label="Your search">
      <div className={`wrap ${styles.inner}`}>
        <div className={styles.what}>
          <h1>
            {SearchForm ? (
              <button ref={toggle} type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
                {route}
                <Chevron size={20} strokeWidth={1.75} aria-hidden="true" />
              </button>
            ) : (
              route
            )}
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
      {SearchForm && (
        <div id={id} hidden={!open} className={`wrap ${styles.form}`}>
          {open && <SearchForm initial={search} onSearched={close} waiting={<div className={styles.waiting} />} />}
        </div>
      )}
    </section>
  )
}
