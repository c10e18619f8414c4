/** The values of the search form and how its controls change them. */
import { MAX_SEATED, type SearchCriteria } from '@passerelle/contracts/rules/search'
import type { Trip } from '../../../lib/day-prices.ts'
import { addDays, daysBetween } from '../../../lib/format/dates.ts'
import type { LastSearch, TripType } from '../../../lib/last-search.ts'

export type CabinClass = SearchCriteria['cabinClass']

export type SearchValues = {
  tripType: TripType
  /** Airport codes; empty while none is chosen. */
  origin: string
  destination: string
  /** yyyy-MM-dd; empty while none is chosen. */
  departureDate: string
  returnDate: string
  cabinClass: CabinClass
  adultsCount: number
  childrenCount: number
  infantsCount: number
}

export const CABINS: readonly (readonly [CabinClass, string])[] = [
  ['economy', 'Economy'],
  ['premium_economy', 'Premium Economy'],
  ['business', 'Business'],
  ['first', 'First Class'],
]

const RETURN_AFTER_DAYS = 7
const LAST_TRIP_TYPE_DEFAULT: TripType = 'round-trip'

function isTripType(text: string | null): text is TripType {
  return text === 'round-trip' || text === 'one-way'
}

/** A fresh form: today, back in seven days, one adult in economy. */
export function freshValues(today: string, lastTripType: string | null): SearchValues {
  const tripType = isTripType(lastTripType) ? lastTripType : LAST_TRIP_TYPE_DEFAULT
  return {
    tripType,
    origin: '',
    destination: '',
    departureDate: today,
    returnDate: tripType === 'one-way' ? '' : addDays(today, RETURN_AFTER_DAYS),
    cabinClass: 'economy',
    adultsCount: 1,
    childrenCount: 0,
    infantsCount: 0,
  }
}

/** The form for a search that somebody wants to change; days that have passed give way to today. */
export function valuesOf(search: LastSearch, today: string): SearchValues {
  const departureDate = search.departureDate < today ? today : search.departureDate
  const back = search.returnDate ?? ''
  const returnDate = search.tripType === 'one-way' ? '' : back >= departureDate ? back : addDays(departureDate, RETURN_AFTER_DAYS)
  return { ...search, departureDate, returnDate }
}

/** One Way clears the return date; Round Trip brings one back a week after departure. */
export function withTripType(values: SearchValues, tripType: TripType): SearchValues {
  if (tripType === 'one-way') return { ...values, tripType, returnDate: '' }
  const returnDate = values.returnDate || (values.departureDate ? addDays(values.departureDate, RETURN_AFTER_DAYS) : '')
  return { ...values, tripType, returnDate }
}

/** The server tells no prices for longer stays. */
const MOST_NIGHTS = 365

/** What the form asks for but its days; null while prices of days would mean nothing. */
export function tripOf(values: SearchValues): Trip | null {
  const { tripType, departureDate, returnDate, ...trip } = values
  const nights = tripType === 'one-way' ? undefined : daysBetween(departureDate, returnDate)
  const isRoute = trip.origin !== '' && trip.destination !== '' && trip.origin !== trip.destination
  const isStay = nights === undefined || (departureDate !== '' && returnDate !== '' && nights >= 0 && nights <= MOST_NIGHTS)
  return isRoute && isStay ? { ...trip, nights } : null
}

type PassengerLimits = Record<'adultsCount' | 'childrenCount' | 'infantsCount', { min: number; max: number }>

const MAX_INFANTS = 5

/** How far each stepper goes from here: nine seats together, an adult's lap for each infant. */
export function passengerLimits({
  adultsCount,
  childrenCount,
  infantsCount,
}: Pick<SearchValues, 'adultsCount' | 'childrenCount' | 'infantsCount'>): PassengerLimits {
  return {
    adultsCount: { min: Math.max(1, infantsCount), max: MAX_SEATED - childrenCount },
    childrenCount: { min: 0, max: MAX_SEATED - adultsCount },
    infantsCount: { min: 0, max: Math.min(MAX_INFANTS, adultsCount) },
  }
}
