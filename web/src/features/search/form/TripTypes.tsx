import type { TripType } from '../../../lib/last-search.ts'
import styles from './SearchForm.module.css'

const TRIP_TYPES: readonly (readonly [TripType, string])[] = [
  ['round-trip', 'Round Trip'],
  ['one-way', 'One Way'],
]
const WITH_MULTI_CITY = [...TRIP_TYPES, ['multi-city', 'Multi-City']] as const

type Props =
  | { multiCity?: false; value: TripType; onChange: (tripType: TripType) => void }
  | { multiCity: true; value: TripType | 'multi-city'; onChange: (tripType: TripType | 'multi-city') => void }

export function TripTypes({ multiCity, value, onChange }: Props) {
  return (
    <fieldset className={styles.segment}>
      <legend className="visually-hidden">Trip type</legend>
      {(multiCity ? WITH_MULTI_CITY : TRIP_TYPES).map(([tripType, label]) => (
        <label key={tripType}>
          <input
            type="radio"
            name="tripType"
            value={tripType}
            checked={value === tripType}
            onChange={() => (onChange as (tripType: string) => void)(tripType)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
