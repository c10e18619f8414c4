import type { TripType } from '../../../lib/last-search.ts'
import { Segment } from '../../../ui/Segment.tsx'

const TRIP_TYPES: readonly (readonly [TripType, string])[] = [
  ['round-trip', 'Round Trip'],
  ['one-way', 'One Way'],
]
const WITH_MULTI_CITY = [...TRIP_TYPES, ['multi-city', 'Multi-City']] as const

type Props =
  | { multiCity?: false; value: TripType; onChange: (tripType: TripType) => void }
  | { multiCity: true; value: TripType | 'multi-city'; onChange: (tripType: TripType | 'multi-city') => void }

export function TripTypes(props: Props) {
  if (props.multiCity)
    return <Segment name="tripType" label="Trip type" options={WITH_MULTI_CITY} value={props.value} onChange={props.onChange} />
  return <Segment name="tripType" label="Trip type" options={TRIP_TYPES} value={props.value} onChange={props.onChange} />
}
