/** Passengers of a booking: their fields, ages, names and phone numbers, the same in the form and on the server. */
import { z } from 'zod'
import { PassengerType } from '../http/common.ts'
import { issuingCountryProblem, normalisePassportNumber, passportExpiryProblem, passportNumberProblem } from './passport.ts'
import { isCalendarDate } from './search.ts'

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
const optionalText = (max: number) => z.string().trim().max(max).optional()

/** One passenger of POST /api/bookings. What depends on the offer (passport, age, contact) is asked by `passengerProblems`. */
export const Passenger = z.object({
  /** Which passenger of the offer this is; absent: matched by type and order. */
  id: z.string().max(60).optional(),
  type: PassengerType.default('adult'),
  title: z.union([z.literal('').transform(() => undefined), z.enum(['mr', 'ms', 'mrs', 'miss', 'dr'])]).optional(),
  firstName: z.string(INCOMPLETE_PASSENGER).trim().min(1, INCOMPLETE_PASSENGER).max(100),
  lastName: z.string(INCOMPLETE_PASSENGER).trim().min(1, INCOMPLETE_PASSENGER).max(100),
  gender: z.union([z.literal('').transform(() => undefined), z.enum(['male', 'female', 'undisclosed'])]).optional(),
  dateOfBirth: z.string(INCOMPLETE_PASSENGER).min(1, INCOMPLETE_PASSENGER).refine(isCalendarDate, 'Date of birth is required'),
  email: optionalText(254),
  phone: optionalText(40),
  passportNumber: optionalText(60).transform((text) => (text ? normalisePassportNumber(text) : undefined)),
  passportExpiryDate: optionalText(10),
  passportIssuingCountry: optionalText(60).transform((text) => text?.toUpperCase()),
})
export type Passenger = z.output<typeof Passenger>

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

export function isEmail(text: string): boolean {
  return z.email().safeParse(text).success
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

/** The name as airlines take it: Latin letters, space, hyphen, apostrophe, at most 20 characters; null when it cannot be written so. */
export function airlineName(name: string): string | null {
  const latin = Array.from(name.trim().normalize('NFC'), (letter) => LETTERS[letter] ?? letter)
    .join('')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/\s+/g, ' ')
  return /^[A-Za-z][A-Za-z '-]*$/.test(latin) ? latin.slice(0, 20).trim() : null
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
}

/** Everything wrong with a party, in the order of the form. The first passenger is the contact. */
export function passengerProblems(passengers: readonly Partial<Passenger>[], rules: PassengerRules): PassengerProblem[] {
  const problems: PassengerProblem[] = []
  passengers.forEach((passenger, index) => {
    const say = (field: keyof Passenger, message: string | null) => {
      if (message) problems.push({ index, field, message })
    }
    const name = (field: 'firstName' | 'lastName', missing: string) => {
      const text = passenger[field]?.trim() ?? ''
      say(field, !text ? missing : airlineName(text) ? null : 'Please write this name in Latin letters, as in the passport')
    }
    name('firstName', 'First name is required')
    name('lastName', 'Last name is required')
    const birth = passenger.dateOfBirth ?? ''
    if (!birth || !isCalendarDate(birth) || birth > rules.today) say('dateOfBirth', 'Date of birth is required')
    else if (!fitsType(passenger.type ?? 'adult', birth, rules.firstDeparture, rules.lastDeparture))
      say('dateOfBirth', 'Date of birth does not match passenger type')
    const email = passenger.email?.trim() ?? ''
    const phone = passenger.phone?.trim() ?? ''
    if (index === 0) {
      say('email', isEmail(email) ? null : 'Valid email is required for primary passenger')
      say('phone', phone ? null : 'Phone number is required for primary passenger')
    } else if (email) say('email', isEmail(email) ? null : 'Please enter a valid email address')
    if (phone && !phoneE164(phone)) say('phone', 'Please enter a valid phone number, with the country code')
    if (rules.passportRequired) {
      say('passportNumber', passportNumberProblem(passenger.passportNumber ?? ''))
      say('passportExpiryDate', passportExpiryProblem(passenger.passportExpiryDate ?? '', rules.today))
      say('passportIssuingCountry', issuingCountryProblem(passenger.passportIssuingCountry ?? ''))
    } else if (passenger.passportNumber) say('passportNumber', passportNumberProblem(passenger.passportNumber))
  })
  return problems
}
