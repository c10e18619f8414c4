/** The values of the search form, what is wrong with them, and the call and address they become. */
import { MAX_SEATED, passengerCountProblem, SearchCriteria } from '@passerelle/contracts/rules/search'
import { z } from 'zod'
import { addDays } from '../../../lib/format/dates.ts'
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

export const RETURN_AFTER_DAYS = 7
const LAST_TRIP_TYPE_DEFAULT: TripType = 'round-trip'

export function isTripType(text: string | null): text is TripType {
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

/** The contract's rules of single fields; what compares fields is said as a toast. */
const FieldRules = z.object(SearchCriteria.shape)

/** Stands for "nothing chosen", so that the contract's schema answers with the message of its field. */
const NOT_CHOSEN = '-'

export type SearchProblems = {
  /** Messages under fields. */
  fields: Partial<Record<keyof SearchValues, string>>
  /** A message about the whole search, when no field has one. */
  toast: string | null
}

function criteriaInput({ tripType, ...values }: SearchValues) {
  return {
    ...values,
    origin: values.origin || NOT_CHOSEN,
    destination: values.destination || NOT_CHOSEN,
    departureDate: values.departureDate || NOT_CHOSEN,
    returnDate: tripType === 'round-trip' ? values.returnDate || NOT_CHOSEN : undefined,
  }
}

/** Rules of one field speak under it, rules between fields as a toast. */
export function searchProblems(values: SearchValues, today: string): SearchProblems {
  const fields: SearchProblems['fields'] = {}
  for (const issue of FieldRules.safeParse(criteriaInput(values)).error?.issues ?? [])
    fields[issue.path[0] as keyof SearchValues] ??= issue.message
  return { fields, toast: Object.keys(fields).length > 0 ? null : wholeProblem(values, today) }
}

function wholeProblem(values: SearchValues, today: string): string | null {
  if (values.origin === values.destination) return 'Origin and destination cannot be the same'
  if (values.departureDate < today) return 'Departure date cannot be in the past'
  if (values.tripType === 'round-trip' && values.returnDate < values.departureDate) return 'Return date must be after departure date'
  return passengerCountProblem(values)
}

/** The body of the search call, of values without problems. */
export function toCriteria(values: SearchValues): SearchCriteria {
  return SearchCriteria.parse(criteriaInput(values))
}

export function toLastSearch(values: SearchValues): LastSearch {
  return { ...toCriteria(values), tripType: values.tripType }
}

export type PassengerLimits = Record<'adultsCount' | 'childrenCount' | 'infantsCount', { min: number; max: number }>

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
