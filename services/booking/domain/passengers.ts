/** From the passengers of a request to those that fit the offer and that an airline accepts; every problem is reported by field. */
import { AppError, type Issue } from '@passerelle/contracts/error'
import type { Quote } from '@passerelle/contracts/http/search'
import { numberEnding } from '@passerelle/contracts/rules/frequent-flyer'
import {
  adultsFirst,
  airlineGender,
  airlineTitle,
  type Passenger,
  type PassengerProblem,
  passengerProblems,
  phoneE164,
  ticketName,
} from '@passerelle/contracts/rules/passengers'
import { passportRequired } from '@passerelle/contracts/rules/passport'
import type { BookedPerson } from './booking.ts'

/** What is sealed: one entry a passenger, in the order of `people`. */
export type PersonalDocuments = {
  dateOfBirth: string
  passportNumber: string | null
  passportExpiryDate: string | null
  passportIssuingCountry: string | null
  /** Absent: none was given. */
  frequentFlyer?: { airline: string; number: string }
}[]

type BookedPassengers = { people: BookedPerson[]; documents: PersonalDocuments }

/** Ties each passenger of the request to one of the offer: by id where given, else by type and order. Index = place in the request. */
function tie(
  passengers: readonly Passenger[],
  offered: Quote['offer']['passengers'],
): { passenger: Passenger; id: string; index: number }[] {
  const free = [...offered]
  const tied = passengers.map((passenger, index) => {
    const at = free.findIndex((one) => (passenger.id ? one.id === passenger.id : true) && one.type === passenger.type)
    const [match] = at < 0 ? [] : free.splice(at, 1)
    if (!match) throw new AppError('PASSENGERS_MISMATCH', { details: { expected: offered.map((one) => one.type) } })
    return { passenger, id: match.id, index }
  })
  if (free.length > 0) throw new AppError('PASSENGERS_MISMATCH', { details: { expected: offered.map((one) => one.type) } })
  return tied
}

/**
 * The same text for the same people on the same offer, in whatever order and however their names are typed. The first passenger's e-mail
 * is the contact's.
 */
export function passengersText(offerId: string, passengers: readonly Passenger[]): string {
  const name = (typed: string) => (ticketName(typed)?.text ?? typed.trim()).toUpperCase()
  const people = passengers.map((one) => JSON.stringify([name(one.firstName), name(one.lastName), one.type, one.dateOfBirth]))
  return JSON.stringify([offerId, passengers[0]?.email?.trim().toLowerCase() ?? '', people.sort()])
}

const frequentFlyerOf = ({
  frequentFlyerAirline: airline,
  frequentFlyerNumber: number,
}: Passenger): Pick<PersonalDocuments[number], 'frequentFlyer'> => (airline && number ? { frequentFlyer: { airline, number } } : {})

const toIssue = (problem: PassengerProblem): Issue => ({ path: `passengers.${problem.index}.${problem.field}`, message: problem.message })

/** `today` is yyyy-MM-dd. Throws PASSENGERS_MISMATCH, VALIDATION_ERROR or PASSENGER_INCOMPLETE with a path for each field. */
export function formPassengers(passengers: readonly Passenger[], quote: Quote, today: string): BookedPassengers {
  const { slices } = quote.offer
  const tied = tie(passengers, quote.offer.passengers)
  const problems = passengerProblems(passengers, {
    passportRequired: passportRequired(quote.offer),
    firstDeparture: slices[0]?.departure_time.slice(0, 10) ?? today,
    lastDeparture: slices.at(-1)?.departure_time.slice(0, 10) ?? today,
    today,
    frequentFlyerAirlines: quote.offer.supported_loyalty_programmes,
  })
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { message: problems[0]!.message, issues: problems.map(toIssue) })
  const contact = passengers[0]!
  const missing: Issue[] = []
  const people = tied.map(({ passenger, id, index }): BookedPerson => {
    const gender = airlineGender(passenger)
    const title = airlineTitle(passenger)
    const { frequentFlyer } = frequentFlyerOf(passenger)
    if (!gender) missing.push({ path: `passengers.${index}.gender`, message: `The airline needs the gender of passenger ${index + 1}` })
    if (!title) missing.push({ path: `passengers.${index}.title`, message: `The airline needs the title of passenger ${index + 1}` })
    return {
      id,
      type: passenger.type,
      title: title ?? 'mr',
      gender: gender ?? 'm',
      firstName: passenger.firstName,
      lastName: passenger.lastName,
      email: passenger.email || (contact.email ?? ''),
      phone: phoneE164(passenger.phone || (contact.phone ?? '')) ?? '',
      ...(frequentFlyer && { frequentFlyer: { airline: frequentFlyer.airline, ending: numberEnding(frequentFlyer.number) } }),
    }
  })
  if (missing.length > 0) throw new AppError('PASSENGER_INCOMPLETE', { message: missing[0]!.message, issues: missing })
  const documents = tied.map(({ passenger }): PersonalDocuments[number] => ({
    dateOfBirth: passenger.dateOfBirth,
    passportNumber: passenger.passportNumber ?? null,
    passportExpiryDate: passenger.passportExpiryDate ?? null,
    passportIssuingCountry: passenger.passportIssuingCountry ?? null,
    ...frequentFlyerOf(passenger),
  }))
  const order = adultsFirst(people.map((person, index) => ({ type: person.type, index })))
  return { people: order.map(({ index }) => people[index]!), documents: order.map(({ index }) => documents[index]!) }
}
