import { ArrowLeftRight, PlaneLanding, PlaneTakeoff, Search } from 'lucide-react'
import { Controller } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Tooltip } from '../../../ui/Tooltip.tsx'
import { AirportField } from '../airports/AirportField.tsx'
import { DateFields } from './DateFields.tsx'
import styles from './SearchForm.module.css'
import type { SearchFormState } from './use-search-form.ts'

type Props = { form: SearchFormState /** On the button while the search runs. */; searchingText: string }

/** From, to, dates and the button that searches. */
export function RouteFields({ form: { control, values, airports, refs, searching, change, error }, searchingText }: Props) {
  return (
    <div className={styles.row}>
      <div className={styles.places}>
        <Controller
          control={control}
          name="origin"
          render={({ field }) => (
            <AirportField
              ref={refs.origin}
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
              ref={refs.destination}
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
        ref={refs.departureDate}
        value={values}
        tripType={values.tripType}
        onChange={change}
        errors={{ departureDate: error('departureDate'), returnDate: error('returnDate') }}
      />
      <Button className={styles.submit} type="submit" variant="solid" size="lg" busy={searching}>
        {!searching && <Search size={20} strokeWidth={1.75} aria-hidden="true" />}
        {searching ? searchingText : 'Search Flights'}
      </Button>
    </div>
  )
}
