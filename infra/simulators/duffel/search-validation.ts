/** Reads the body of an offer request; everything that is wrong with it is reported at once. */
import { collectProblems, forbidden, type Problems } from './errors.ts'
import { type Fields, onlyKnown, readList, readObject, readText } from './fields.ts'
import { type CabinClass, cabinClasses } from './generator/fares.ts'
import { type PassengerType, type Search, type SearchPassenger, type SearchSlice, type TimeRange, typeOf } from './generator/search.ts'
import { isDate, localDate } from './local-time.ts'
import { airportsOf, findPlace } from './places.ts'

const passengerTypes: PassengerType[] = ['adult', 'child', 'infant_without_seat']

/**
 * @param data what stood in `data`.
 * @param nowMs decides which departure dates are past.
 * @throws ApiError 422.
 */
export const readSearch = (data: Fields, nowMs: number): Search => {
  const problems = collectProblems()
  onlyKnown(problems, data, ['slices', 'passengers', 'cabin_class', 'max_connections', 'private_fares', 'include_split_ticket'])
  if (data.include_split_ticket === true)
    throw forbidden('unavailable_feature', 'Unavailable feature', 'Split tickets are not enabled for this account.')
  const slices = readList(problems, data, 'slices', [1, 6]).map((slice, at) => readSlice(problems, slice, `/slices/${at}`, nowMs))
  const passengers = readList(problems, data, 'passengers', [1, 9]).map((one, at) => readPassenger(problems, one, `/passengers/${at}`))
  const cabin = (data.cabin_class ?? 'economy') as CabinClass
  if (!cabinClasses.includes(cabin))
    problems.add('validation_inclusion', '/cabin_class', `Field 'cabin_class' must be one of ${cabinClasses.join(', ')}`)
  const maxConnections = data.max_connections ?? 2
  if (maxConnections !== 0 && maxConnections !== 1 && maxConnections !== 2)
    problems.add('validation_inclusion', '/max_connections', "Field 'max_connections' must be 0, 1 or 2")
  problems.refuse()
  const search = { slices, passengers, cabin, maxConnections } as Search
  checkOrder(problems, search.slices)
  const infants = search.passengers.filter((passenger) => typeOf(passenger) === 'infant_without_seat').length
  const adults = search.passengers.filter((passenger) => typeOf(passenger) === 'adult').length
  if (infants > adults) problems.add('validation_inclusion', '/passengers', 'There must be an adult for each infant without a seat')
  problems.refuse()
  return search
}

const readSlice = (problems: Problems, value: unknown, pointer: string, nowMs: number): SearchSlice | undefined => {
  const fields = readObject(problems, value, pointer)
  if (!fields) return undefined
  onlyKnown(problems, fields, ['origin', 'destination', 'departure_date', 'departure_time', 'arrival_time'], pointer)
  const origin = readPlace(problems, fields, 'origin', pointer)
  const destination = readPlace(problems, fields, 'destination', pointer)
  if (origin && origin === destination)
    problems.add('validation_inclusion', `${pointer}/destination`, "Field 'destination' must differ from 'origin'")
  const departureDate = readText(problems, fields, 'departure_date', `${pointer}/departure_date`)
  if (departureDate !== undefined && !isDate(departureDate))
    problems.add('validation_format', `${pointer}/departure_date`, "Field 'departure_date' must be a date in the form YYYY-MM-DD")
  else if (departureDate !== undefined && origin && departureDate < localDate(airportsOf(findPlace(origin)!)[0]!.time_zone, nowMs))
    problems.add('validation_inclusion', `${pointer}/departure_date`, "Field 'departure_date' must be today or later")
  return {
    origin: origin ?? '',
    destination: destination ?? '',
    departureDate: departureDate ?? '',
    departureTime: readRange(problems, fields.departure_time, `${pointer}/departure_time`),
    arrivalTime: readRange(problems, fields.arrival_time, `${pointer}/arrival_time`),
  }
}

const readPlace = (problems: Problems, fields: Fields, name: string, pointer: string): string | undefined => {
  const code = readText(problems, fields, name, `${pointer}/${name}`)
  if (code === undefined) return undefined
  if (!/^[A-Z]{3}$/.test(code)) problems.add('validation_format', `${pointer}/${name}`, `Field '${name}' must be a 3-letter IATA code`)
  else if (!findPlace(code)) problems.add('validation_inclusion', `${pointer}/${name}`, `Field '${name}' is not a known airport or city`)
  else return code
  return undefined
}

const readRange = (problems: Problems, value: unknown, pointer: string): TimeRange | null => {
  if (value === undefined || value === null) return null
  const fields = readObject(problems, value, pointer)
  if (!fields) return null
  onlyKnown(problems, fields, ['from', 'to'], pointer)
  const isTime = (text: unknown) => typeof text === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
  if (!isTime(fields.from) || !isTime(fields.to))
    problems.add('validation_format', pointer, "A time range has 'from' and 'to' in the form HH:mm")
  return fields as TimeRange
}

const readPassenger = (problems: Problems, value: unknown, pointer: string): SearchPassenger | undefined => {
  const fields = readObject(problems, value, pointer)
  if (!fields) return undefined
  onlyKnown(problems, fields, ['type', 'age', 'given_name', 'family_name', 'loyalty_programme_accounts'], pointer)
  const { type, age } = fields
  const hasType = type !== undefined && type !== null
  const hasAge = age !== undefined && age !== null
  if (hasType === hasAge) problems.add('validation_required', pointer, "A passenger has either 'type' or 'age', not both and not neither")
  else if (hasType && !passengerTypes.includes(type as PassengerType))
    problems.add('validation_inclusion', `${pointer}/type`, `Field 'type' must be one of ${passengerTypes.join(', ')}`)
  else if (hasAge && (!Number.isInteger(age) || (age as number) < 0 || (age as number) > 130))
    problems.add('validation_inclusion', `${pointer}/age`, "Field 'age' must be a whole number from 0 to 130")
  const accounts = fields.loyalty_programme_accounts ?? []
  if (!Array.isArray(accounts)) problems.add('validation_type', `${pointer}/loyalty_programme_accounts`, 'Loyalty accounts must be a list')
  return {
    type: (type as PassengerType) ?? null,
    age: (age as number) ?? null,
    givenName: (fields.given_name as string) ?? null,
    familyName: (fields.family_name as string) ?? null,
    loyalty: accounts as SearchPassenger['loyalty'],
  }
}

const checkOrder = (problems: Problems, slices: SearchSlice[]): void => {
  for (const [at, slice] of slices.entries()) {
    const before = slices[at - 1]
    if (before && slice.departureDate < before.departureDate)
      problems.add(
        'validation_inclusion',
        `/slices/${at}/departure_date`,
        "Field 'departure_date' must not be before that of the previous slice",
      )
  }
}
