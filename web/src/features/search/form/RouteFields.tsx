import { ArrowLeftRight, PlaneLanding, PlaneTakeoff, Search } from 'lucide-react'
import { Button } from '../../../ui/Button.tsx'
import { Tooltip } from '../../../ui/Tooltip.tsx'
import { AirportField } from '../airports/AirportField.tsx'
import { DateFields } from './DateFields.tsx'
import styles from './SearchForm.module.css'
import type { SearchFormState } from './use-search-form.ts'

type Props = { form: SearchFormState /** On the button while the search runs. */; searchingText: string }

/** From, to, dates and the button that searches. */
export function RouteFields({ form: { control, values, airports, searching, change }, searchingText }: Props) {
  return (
    <div className={styles.row}>
      <div className={styles.places}>
        <AirportField className={styles.from} control={control} name="origin" label="From" icon={PlaneTakeoff} airports={airports} />
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
        <AirportField className={styles.to} control={control} name="destination" label="To" icon={PlaneLanding} airports={airports} />
      </div>
      <DateFields control={control} values={values} />
      <Button className={styles.submit} type="submit" variant="solid" size="lg" busy={searching}>
        {!searching && <Search size={20} strokeWidth={1.75} aria-hidden="true" />}
        {searching ? searchingText : 'Search Flights'}
      </Button>
    </div>
  )
}
