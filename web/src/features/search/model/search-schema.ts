/** What is wrong with a search form, and the call it becomes. Loaded when it is first sent: the schemas are large. */
import { SearchCriteria } from '@passerelle/contracts/http/search-criteria'
import { passengerCountProblem } from '@passerelle/contracts/rules/search'
import type { FieldErrors, ResolverResult } from 'react-hook-form'
import { z } from 'zod'
import { today } from '../../../lib/format/dates.ts'
import type { LastSearch } from '../../../lib/last-search.ts'
import type { SearchValues } from './search-form.ts'

/** The contract's rules of single fields; what compares fields is said as a toast. */
const FieldRules = z.object(SearchCriteria.shape)

/** Stands for "nothing chosen", so that the contract's schema answers with the message of its field. */
const NOT_CHOSEN = '-'

type SearchProblems = {
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

/** As the form asks for it: messages under fields, a message about the whole as that of the form's root, or the search. */
export function resolveSearch(values: SearchValues): ResolverResult<SearchValues, LastSearch> {
  const { fields, toast } = searchProblems(values, today())
  if (Object.keys(fields).length === 0 && toast === null) return { values: toLastSearch(values), errors: {} }
  const errors: FieldErrors<SearchValues> = {}
  if (toast !== null) Object.assign(errors, { root: { type: 'search', message: toast } })
  for (const [name, message] of Object.entries(fields)) errors[name as keyof SearchValues] = { type: 'search', message }
  return { values: {}, errors }
}
