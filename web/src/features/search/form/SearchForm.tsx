import { Armchair, ArrowLeftRight, ChevronDown, PlaneLanding, PlaneTakeoff, Search } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { ApiError, api } from '../../../lib/api-client.ts'
import { today } from '../../../lib/format/dates.ts'
import { type LastSearch, saveLastSearch, searchAddress, type TripType } from '../../../lib/last-search.ts'
import { useNavigate } from '../../../lib/router.ts'
import { readText, writeText } from '../../../lib/storage.ts'
import { useAirports } from '../../../lib/use-airports.ts'
import { Button } from '../../../ui/Button.tsx'
import { Tooltip } from '../../../ui/Tooltip.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import { AirportField } from '../airports/AirportField.tsx'
import {
  CABINS,
  freshValues,
  type SearchValues,
  searchProblems,
  toCriteria,
  toLastSearch,
  valuesOf,
  withTripType,
} from '../model/search-form.ts'
import { DateFields } from './DateFields.tsx'
import { LastSearchLink } from './LastSearchLink.tsx'
import { PassengersField } from './PassengersField.tsx'
import styles from './SearchForm.module.css'

const LAST_TRIP_TYPE = 'lastTripType'
const TRIP_TYPES: readonly (readonly [TripType, string])[] = [
  ['round-trip', 'Round Trip'],
  ['one-way', 'One Way'],
]
type Focusable = { focus: () => void }

/** `initial` is a search to change; without one the form is fresh. */
export function SearchForm({ initial, lastSearch }: { initial: LastSearch | null; lastSearch: LastSearch | null }) {
  const navigate = useNavigate()
  const airports = useAirports()
  const [searching, setSearching] = useState(false)
  const fields: Partial<Record<keyof SearchValues, RefObject<Focusable | null>>> = {
    origin: useRef<Focusable>(null),
    destination: useRef<Focusable>(null),
    departureDate: useRef<Focusable>(null),
  }
  const { control, watch, reset, getValues, setValue, handleSubmit, setError, clearErrors, formState } = useForm<SearchValues>({
    defaultValues: initial ? valuesOf(initial, today()) : freshValues(today(), readText('local', LAST_TRIP_TYPE)),
  })
  const values = watch()
  const error = (name: keyof SearchValues) => formState.errors[name]?.message

  function change(changed: Partial<SearchValues>): void {
    for (const [name, value] of Object.entries(changed)) {
      setValue(name as keyof SearchValues, value, { shouldDirty: true })
      clearErrors(name as keyof SearchValues)
    }
  }

  function changeTripType(tripType: TripType): void {
    reset(withTripType(getValues(), tripType), { keepErrors: true })
    clearErrors('returnDate')
    writeText('local', LAST_TRIP_TYPE, tripType)
  }

  async function submit(wishes: SearchValues): Promise<void> {
    const { fields: messages, toast: whole } = searchProblems(wishes, today())
    const wrong = Object.entries(messages) as [keyof SearchValues, string][]
    for (const [name, message] of wrong) setError(name, { message })
    const first = wrong[0]?.[0]
    if (first) return (fields[first] ?? fields[first === 'returnDate' ? 'departureDate' : 'origin'])?.current?.focus()
    if (whole) return void toast({ title: whole, tone: 'negative' })
    setSearching(true)
    try {
      await api.startSearch({ body: toCriteria(wishes) })
      const search = toLastSearch(wishes)
      saveLastSearch(search)
      await navigate(searchAddress(search))
    } catch (failure) {
      const refused = failure instanceof ApiError && failure.status >= 400 && failure.status < 500 && failure.code !== null
      toast({ title: 'Search failed', description: refused ? failure.displayMessage : 'Please try again later.', tone: 'negative' })
    } finally {
      setSearching(false)
    }
  }

  // A search to change may arrive while the form is on the screen.
  useEffect(() => {
    if (initial) reset(valuesOf(initial, today()))
  }, [initial, reset])

  return (
    <form
      className={styles.search}
      id="search"
      aria-label="Search flights"
      noValidate
      onSubmit={(event) => void handleSubmit(submit)(event)}
    >
      <div className={styles.top}>
        <fieldset className={styles.segment}>
          <legend className="visually-hidden">Trip type</legend>
          {TRIP_TYPES.map(([tripType, label]) => (
            <label key={tripType}>
              <input
                type="radio"
                name="tripType"
                value={tripType}
                checked={values.tripType === tripType}
                onChange={() => changeTripType(tripType)}
              />
              {label}
            </label>
          ))}
        </fieldset>
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
      <div className={styles.row}>
        <div className={styles.places}>
          <Controller
            control={control}
            name="origin"
            render={({ field }) => (
              <AirportField
                ref={fields.origin as RefObject<Focusable | null>}
                className={styles.from}
                label="From"
                icon={PlaneTakeoff}
                airports={airports}
                value={field.value}
                onChange={(origin) => change({ origin })}
                error={error('origin')}
              />
            )}
          />
          <Tooltip className={styles.swapPlace} words="Swap origin and destination">
            <button
              type="button"
              className={styles.swap}
              aria-label="Swap origin and destination"
              onClick={() => change({ origin: values.destination, destination: values.origin })}
            >
              <ArrowLeftRight size={20} strokeWidth={1.75} aria-hidden="true" />
            </button>
          </Tooltip>
          <Controller
            control={control}
            name="destination"
            render={({ field }) => (
              <AirportField
                ref={fields.destination as RefObject<Focusable | null>}
                className={styles.to}
                label="To"
                icon={PlaneLanding}
                airports={airports}
                value={field.value}
                onChange={(destination) => change({ destination })}
                error={error('destination')}
              />
            )}
          />
        </div>
        <DateFields
          ref={fields.departureDate as RefObject<Focusable | null>}
          value={values}
          tripType={values.tripType}
          onChange={change}
          errors={{ departureDate: error('departureDate'), returnDate: error('returnDate') }}
        />
        <Button className={styles.submit} type="submit" variant="solid" size="lg" busy={searching}>
          {!searching && <Search size={20} strokeWidth={1.75} aria-hidden="true" />}
          {searching ? 'Searching' : 'Search Flights'}
        </Button>
      </div>
      {lastSearch && <LastSearchLink search={lastSearch} airports={airports} />}
    </form>
  )
}
