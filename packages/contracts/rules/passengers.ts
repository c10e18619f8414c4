/** Passengers of a booking: their fields, ages, names and phone numbers, the same in the form and on the server. */
import type { PassengerType } from '../http/common.ts'
import { FREQUENT_FLYER_TEXTS, frequentFlyerProblem } from './frequent-flyer.ts'
import { issuingCountryProblem, PASSPORT_TEXTS, passportExpiryProblem, passportNumberProblem } from './passport.ts'
import { isCalendarDate } from './search.ts'

/** A passenger of a booking that its schema has read. */
export type Passenger = {
  id?: string | undefined
  type: PassengerType
  title?: 'mr' | 'ms' | 'mrs' | 'miss' | 'dr' | undefined
  firstName: string
  lastName: string
  gender?: 'male' | 'female' | 'undisclosed' | undefined
  dateOfBirth: string
  email?: string | undefined
  phone?: string | undefined
  passportNumber?: string | undefined
  passportExpiryDate?: string | undefined
  passportIssuingCountry?: string | undefined
  /** IATA code of the airline of the programme; with its number or not at all. */
  frequentFlyerAirline?: string | undefined
  frequentFlyerNumber?: string | undefined
}

export const PASSENGER_LABELS: Record<PassengerType, string> = {
  adult: 'Adult (12+ years)',
  child: 'Child (2-11 years)',
  infant_without_seat: 'Infant (under 2 years)',
}

const TYPE_ORDER: readonly PassengerType[] = ['adult', 'child', 'infant_without_seat']

/** Adults first; the order within a type is kept. */
export function adultsFirst<P extends { type: PassengerType }>(passengers: readonly P[]): P[] {
  return [...passengers].sort((a, b) => TYPE_ORDER.indexOf(a.type) - TYPE_ORDER.indexOf(b.type))
}

export const INCOMPLETE_PASSENGER = 'All passengers must have first name, last name, and date of birth'

const EXPIRY_INVALID = 'Passport expiry date must be a date'

/** Longest text of each field, as typed, with what a visitor is told when it is longer. */
export const LONGEST = {
  firstName: [60, 'First name cannot exceed 60 characters'],
  lastName: [60, 'Last name cannot exceed 60 characters'],
  email: [254, 'Email cannot exceed 254 characters'],
  phone: [40, 'Phone number cannot exceed 40 characters'],
  passportNumber: [60, PASSPORT_TEXTS.numberTooLong],
  passportExpiryDate: [10, EXPIRY_INVALID],
  passportIssuingCountry: [60, PASSPORT_TEXTS.countryLength],
  frequentFlyerAirline: [10, FREQUENT_FLYER_TEXTS.airlineUnknown],
  frequentFlyerNumber: [60, FREQUENT_FLYER_TEXTS.numberLength],
} as const satisfies Record<string, readonly [number, string]>
export type PassengerText = keyof typeof LONGEST

function lengthProblem(field: PassengerText, text: string): string | null {
  const [most, message] = LONGEST[field]
  return text.length > most ? message : null
}

/** Whole years on `date`; both yyyy-MM-dd. */
export function ageOn(dateOfBirth: string, date: string): number {
  const [birthYear = 0, birthRest] = [Number(dateOfBirth.slice(0, 4)), dateOfBirth.slice(5)]
  return Number(date.slice(0, 4)) - birthYear - (date.slice(5) < birthRest ? 1 : 0)
}

/** Adults and children are measured on the first departure, infants on the last one: they must stay under 2 all the way. */
export function fitsType(type: PassengerType, dateOfBirth: string, firstDeparture: string, lastDeparture: string): boolean {
  if (dateOfBirth > firstDeparture) return false
  if (type === 'adult') return ageOn(dateOfBirth, firstDeparture) >= 12
  if (type === 'infant_without_seat') return ageOn(dateOfBirth, lastDeparture) < 2
  const age = ageOn(dateOfBirth, firstDeparture)
  return age >= 2 && age <= 11
}

/** What the schemas' `z.email()` accepts. */
const EMAIL = /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

export function isEmail(text: string): boolean {
  return EMAIL.test(text)
}

/** Letters that do not decompose into a base letter and an accent. */
const LETTERS: Record<string, string> = {
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  ß: 'ss',
  ẞ: 'SS',
  Þ: 'Th',
  þ: 'th',
  Ð: 'D',
  ð: 'd',
  Đ: 'D',
  đ: 'd',
  Ł: 'L',
  ł: 'l',
  ı: 'i',
  Ĳ: 'IJ',
  ĳ: 'ij',
  Ħ: 'H',
  ħ: 'h',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '‐': '-',
  '‑': '-',
  '–': '-',
}

const TICKET_NAME_LENGTH = 20

/** A name as it stands on the ticket. `cut`: it is longer than airlines take. `changed`: it is not letter for letter what was typed. */
type TicketName = { text: string; cut: boolean; changed: boolean }

/** Airlines take Latin letters, space, hyphen and apostrophe, at most 20 characters; null when a name cannot be written so. */
export function ticketName(name: string): TicketName | null {
  const typed = name.trim()
  const latin = Array.from(typed.normalize('NFC'), (letter) => LETTERS[letter] ?? letter)
    .join('')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/\s+/g, ' ')
  if (!/^[A-Za-z][A-Za-z '-]*$/.test(latin)) return null
  const text = latin.slice(0, TICKET_NAME_LENGTH).trim()
  return { text, cut: latin.length > TICKET_NAME_LENGTH, changed: text !== typed }
}

const CALLING_CODES: Record<string, string> = { FR: '33', GB: '44', US: '1', CA: '1', DE: '49', ES: '34', IT: '39', JP: '81' }

/** E.164, e.g. "+33123456789", from what people type; a national number is read in `country` (the agency's). Null: not a phone number. */
export function phoneE164(text: string, country = 'FR'): string | null {
  const compact = text.replace(/\(0\)/g, '').replace(/[\s().\-/]/g, '')
  const international = compact.startsWith('+') ? compact.slice(1) : compact.startsWith('00') ? compact.slice(2) : null
  const digits = international ?? (/^0\d{8,10}$/.test(compact) ? `${CALLING_CODES[country] ?? ''}${compact.slice(1)}` : null)
  return digits && /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : null
}

/** What airlines need; each is derived from the other where that is possible. Null: the visitor must say. */
export function airlineGender(passenger: Pick<Passenger, 'gender' | 'title'>): 'm' | 'f' | null {
  if (passenger.gender === 'male') return 'm'
  if (passenger.gender === 'female') return 'f'
  if (passenger.title === 'mr') return 'm'
  return passenger.title === 'ms' || passenger.title === 'mrs' || passenger.title === 'miss' ? 'f' : null
}

export function airlineTitle(passenger: Pick<Passenger, 'gender' | 'title'>): 'mr' | 'ms' | 'mrs' | 'miss' | 'dr' | null {
  if (passenger.title) return passenger.title
  if (passenger.gender === 'male') return 'mr'
  return passenger.gender === 'female' ? 'ms' : null
}

export type PassengerProblem = { index: number; field: keyof Passenger; message: string }

export type PassengerRules = {
  passportRequired: boolean
  /** yyyy-MM-dd of the first and of the last slice's departure. */
  firstDeparture: string
  lastDeparture: string
  /** yyyy-MM-dd. */
  today: string
  /** IATA codes of the airlines whose frequent flyer numbers are taken; absent: none. */
  frequentFlyerAirlines?: readonly string[] | undefined
}

function nameProblem(typed: string, missing: string): string | null {
  if (!typed) return missing
  return ticketName(typed) ? null : 'Please write this name in Latin letters, as in the passport'
}

/** The first passenger is the contact. */
function emailProblem(typed: string, isContact: boolean): string | null {
  if (isEmail(typed) || (!typed && !isContact)) return null
  return isContact ? 'Valid email is required for primary passenger' : 'Please enter a valid email address'
}

function phoneProblem(typed: string, isContact: boolean): string | null {
  if (!typed) return isContact ? 'Phone number is required for primary passenger' : null
  return phoneE164(typed) ? null : 'Please enter a valid phone number, with the country code'
}

function expiryProblem(typed: string, today: string): string | null {
  return typed && !isCalendarDate(typed) ? EXPIRY_INVALID : passportExpiryProblem(typed, today)
}

/** Everything wrong with a party, in the order of the form. The first passenger is the contact. */
export function passengerProblems(passengers: readonly Partial<Passenger>[], rules: PassengerRules): PassengerProblem[] {
  const problems: PassengerProblem[] = []
  passengers.forEach((passenger, index) => {
    const say = (field: keyof Passenger, message: string | null) => {
      if (message) problems.push({ index, field, message })
    }
    const judge = (field: PassengerText, rule: (typed: string) => string | null) => {
      const typed = passenger[field]?.trim() ?? ''
      say(field, lengthProblem(field, typed) ?? rule(typed))
    }
    judge('firstName', (typed) => nameProblem(typed, 'First name is required'))
    judge('lastName', (typed) => nameProblem(typed, 'Last name is required'))
    const birth = passenger.dateOfBirth ?? ''
    if (!birth || !isCalendarDate(birth) || birth > rules.today) say('dateOfBirth', 'Date of birth is required')
    else if (!fitsType(passenger.type ?? 'adult', birth, rules.firstDeparture, rules.lastDeparture))
      say('dateOfBirth', 'Date of birth does not match passenger type')
    judge('email', (typed) => emailProblem(typed, index === 0))
    judge('phone', (typed) => phoneProblem(typed, index === 0))
    const { passportRequired: required, today } = rules
    judge('passportNumber', (number) => (required || number ? passportNumberProblem(number) : null))
    judge('passportExpiryDate', (expiry) => (required ? expiryProblem(expiry, today) : null))
    judge('passportIssuingCountry', (code) => (required ? issuingCountryProblem(code) : null))
    const frequentFlyer = frequentFlyerProblem(passenger, rules.frequentFlyerAirlines ?? [])
    if (frequentFlyer) say(frequentFlyer.field, frequentFlyer.message)
  })
  return problems
}
