import { isCalendarDate } from '@passerelle/contracts/rules/search'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { dayPricesQuery } from '../../../lib/day-prices.ts'
import { addDays, daysBetween, formatDate, today } from '../../../lib/format/dates.ts'
import { countNoun } from '../../../lib/format/people.ts'
import { type LastSearch, saveLastSearch, searchAddress } from '../../../lib/last-search.ts'
import { Link } from '../../../lib/router.ts'
import type { Search } from '../model/search-address.ts'
import { type View, wishesOf } from '../model/view-address.ts'
import styles from './DayStrip.module.css'

const DAYS = 7
const BEFORE = 3
const FURTHEST = 365

type Props = {
  search: Search
  /** Goes on to the other day. */
  view: View
  /** The list is here, so that the chosen day has its price as well. */
  ready: boolean
  /** A day was just pressed: the strip of its search takes the focus. */
  pressed: RefObject<boolean>
}

/** Seven days of departure around the chosen one, for the same number of nights, each with its lowest price where it is known. */
export function DayStrip({ search, view, ready, pressed }: Props) {
  const { departureDate, returnDate, tripType: _tripType, ...criteria } = search
  const nights = returnDate === undefined ? undefined : daysBetween(departureDate, returnDate)
  const label = useId()
  const list = useRef<HTMLUListElement>(null)
  const wishes = wishesOf(view)
  const first = today()
  const last = addDays(first, FURTHEST)
  const [from, setFrom] = useState(() => later(first, addDays(departureDate, -BEFORE)))
  const { data: prices } = useQuery({ ...dayPricesQuery({ ...criteria, nights }, from, DAYS), enabled: ready })
  const days = Array.from({ length: DAYS }, (_, index) => addDays(from, index))

  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (!list.current || !chosen) return
    // On a phone the strip is wider than the page.
    list.current.scrollLeft = chosen.offsetLeft - (list.current.clientWidth - chosen.offsetWidth) / 2
    if (pressed.current) chosen.focus({ preventScroll: true })
    pressed.current = false
  }, [pressed])

  const searchOf = (date: string): LastSearch => ({
    ...search,
    departureDate: date,
    returnDate: nights === undefined ? undefined : addDays(date, nights),
  })
  function press(date: string): void {
    pressed.current = true
    saveLastSearch(searchOf(date))
  }

  if (!isCalendarDate(departureDate)) return null
  return (
    <nav className={`wrap ${styles.strip}`} aria-labelledby={label}>
      <p id={label} className={styles.label}>
        Lowest price{nights === undefined ? '' : ` for ${nights === 0 ? 'the same day' : countNoun(nights, 'night')}`} by departure day,
        before filters
      </p>
      <div className={styles.days}>
        <button
          type="button"
          aria-label="Earlier days"
          disabled={from <= first}
          onClick={() => setFrom(later(first, addDays(from, -DAYS)))}
        >
          <ChevronLeft size={16} strokeWidth={2} aria-hidden="true" />
        </button>
        <ul ref={list}>
          {days.map((date) => {
            const price = prices?.get(date)
            const isChosen = date === departureDate
            return (
              <li key={date}>
                <Link
                  to={searchAddress(searchOf(date), wishes)}
                  aria-current={isChosen || undefined}
                  onClick={() => !isChosen && press(date)}
                >
                  {formatDate(date, 'weekday')}
                  {price ? (
                    <b className={price.isLowest ? styles.lowest : undefined}>
                      {price.full}
                      {price.isLowest && <span className="visually-hidden">, lowest</span>}
                    </b>
                  ) : (
                    <span className={styles.unknown}>{prices && !isChosen ? 'See price' : '\u00a0'}</span>
                  )}
                </Link>
              </li>
            )
          })}
        </ul>
        <button type="button" aria-label="Later days" disabled={addDays(from, DAYS) > last} onClick={() => setFrom(addDays(from, DAYS))}>
          <ChevronRight size={16} strokeWidth={2} aria-hidden="true" />
        </button>
      </div>
    </nav>
  )
}

const later = (a: string, b: string) => (a > b ? a : b)
