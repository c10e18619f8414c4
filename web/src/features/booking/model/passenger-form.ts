/** The passengers of a booking as a form: texts only, adults first, rules of the contracts. */
import type { Issue } from '@passerelle/contracts/error'
import type { CreateBooking } from '@passerelle/contracts/http/booking'
import type { FlightOffer, OfferPassenger } from '@passerelle/contracts/http/search'
import {
  adultsFirst,
  airlineGender,
  airlineTitle,
  PASSENGER_LABELS,
  type Passenger,
  type PassengerProblem,
  type PassengerRules,
  passengerProblems,
} from '@passerelle/contracts/rules/passengers'
import { passportRequired } from '@passerelle/contracts/rules/passport'
import { formatDate } from '../../../lib/format/dates.ts'

export type PassengerValues = Record<Exclude<keyof Passenger, 'id' | 'type'>, string> & Pick<OfferPassenger, 'id' | 'type'>
/** As a seat map names somebody. */
export type Person = { id: string; initials: string; firstName: string; name: string; type: PassengerValues['type'] }
export type PassengersForm = { passengers: PassengerValues[] }

export const NO_PASSENGERS = 'At least one passenger is required'
export const INCOMPLETE = 'Please complete all required passenger information before continuing.'

/** As in the contracts; the empty choice means "not said". */
export const TITLES = [
  ['mr', 'Mr'],
  ['ms', 'Ms'],
  ['mrs', 'Mrs'],
  ['miss', 'Miss'],
  ['dr', 'Dr'],
] as const satisfies readonly (readonly [NonNullable<Passenger['title']>, string])[]
export const GENDERS = [
  ['female', 'Female'],
  ['male', 'Male'],
  ['undisclosed', 'Undisclosed'],
] as const satisfies readonly (readonly [NonNullable<Passenger['gender']>, string])[]

const EMPTY: Omit<PassengerValues, 'id' | 'type'> = {
  title: '',
  firstName: '',
  lastName: '',
  gender: '',
  dateOfBirth: '',
  email: '',
  phone: '',
  passportNumber: '',
  passportExpiryDate: '',
  passportIssuingCountry: '',
  frequentFlyerAirline: '',
  frequentFlyerNumber: '',
}

/** One empty form a passenger of the offer; the offer decides how many and of which type. */
export function emptyPassengers(offer: Pick<FlightOffer, 'passengers'>): PassengerValues[] {
  return adultsFirst(offer.passengers).map(({ id, type }) => ({ id, type, ...EMPTY }))
}

type RuledOffer = Pick<FlightOffer, 'slices' | 'passenger_identity_documents_required' | 'supported_loyalty_programmes'>

export function rulesFor(offer: RuledOffer, today: string): PassengerRules {
  return {
    passportRequired: passportRequired(offer),
    firstDeparture: offer.slices[0]?.departure_time.slice(0, 10) ?? today,
    lastDeparture: offer.slices.at(-1)?.departure_time.slice(0, 10) ?? today,
    today,
    frequentFlyerAirlines: offer.supported_loyalty_programmes,
  }
}

/** Code and label of each airline whose frequent flyer numbers the offer takes; named where one of the flights is its own. */
export function frequentFlyerAirlines({
  owner,
  slices,
  supported_loyalty_programmes: codes = [],
}: Pick<FlightOffer, 'owner' | 'slices' | 'supported_loyalty_programmes'>): (readonly [code: string, label: string])[] {
  const flights = slices.flatMap(({ segments }) => segments)
  const carriers = [owner, ...flights.flatMap((flight) => [flight.marketing_carrier, flight.operating_carrier])]
  return codes.map((code) => {
    const name = carriers.find((carrier) => carrier?.iata_code === code)?.name
    return [code, name ? `${name} (${code})` : code] as const
  })
}

/** What the booking call takes: empty choices are left out. */
export function toRequest(passengers: readonly PassengerValues[]): CreateBooking['passengers'] {
  return passengers.map((passenger) => {
    const said = Object.entries(passenger).map(([field, text]) => [field, text.trim()] as const)
    return Object.fromEntries(said.filter(([, text]) => text !== '')) as CreateBooking['passengers'][number]
  })
}

export function problemsOf(passengers: readonly PassengerValues[], rules: PassengerRules): PassengerProblem[] {
  return passengerProblems(toRequest(passengers), rules)
}

/** "passengers.1.firstName" of a server's issue as the field of the form; null for anything else. */
export function problemOf({ path, message }: Issue): PassengerProblem | null {
  const [, index, field] = /^passengers\.(\d+)\.(\w+)$/.exec(path) ?? []
  if (index === undefined || field === undefined || !(field in EMPTY)) return null
  return { index: Number(index), field: field as PassengerProblem['field'], message }
}

export function withoutPassports(passengers: readonly PassengerValues[]): PassengerValues[] {
  return passengers.map((passenger) => ({ ...passenger, passportNumber: '', passportExpiryDate: '', passportIssuingCountry: '' }))
}

export function fullName({ firstName, lastName }: Pick<PassengerValues, 'firstName' | 'lastName'>): string {
  return `${firstName.trim()} ${lastName.trim()}`.trim()
}

/** "CM"; "P2" for somebody without a name yet. */
export function initials(passenger: Pick<PassengerValues, 'firstName' | 'lastName'>, index: number): string {
  const letters = [passenger.firstName, passenger.lastName].map((name) => Array.from(name.trim())[0] ?? '').join('')
  return letters.toUpperCase() || `P${index + 1}`
}

/** Under the name: "Adult (12+ years), lead passenger", "Child (2-11 years), born Jun 21, 2019". */
export function typeLine({ type, dateOfBirth }: Pick<PassengerValues, 'type' | 'dateOfBirth'>, index: number, folded: boolean): string {
  if (folded && dateOfBirth) return `${PASSENGER_LABELS[type]}, born ${formatDate(dateOfBirth, 'full')}`
  return index === 0 ? `${PASSENGER_LABELS[type]}, lead passenger` : PASSENGER_LABELS[type]
}

/** Airlines want a title and a gender, each derived from the other where that is possible; here neither can be. */
export function asksTitleOrGender(passenger: Pick<PassengerValues, 'title' | 'gender'>): boolean {
  const [said] = toRequest([{ id: '', type: 'adult', ...EMPTY, ...passenger }])
  return !said || airlineTitle(said) === null || airlineGender(said) === null
}
