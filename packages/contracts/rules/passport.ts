/** When a passport is needed, and what a valid one looks like. */

export const ISSUING_COUNTRIES = 'US GB CA AU FR DE IT ES JP CN IN BR MX RU ZA SG AE NZ KR SE NO DK FI IE'.split(' ')

type Place = { iata_code?: string | null; country_code?: string | null }
type Leg = { origin: Place; destination: Place }
type PassportQuestion = { passenger_identity_documents_required: boolean; slices: readonly (Leg & { segments: readonly Leg[] })[] }

const crosses = ({ origin, destination }: Leg) =>
  Boolean(origin.country_code && destination.country_code && origin.country_code !== destination.country_code)

/** JFK-LHR either way is always asked for; a missing country code alone asks for nothing. */
const isJfkLhr = ({ origin, destination }: Leg) => [origin.iata_code, destination.iata_code].sort().join() === 'JFK,LHR'

/** True when the airline says so, on JFK-LHR, or when any slice or segment is known to cross a border. */
export function passportRequired(offer: PassportQuestion): boolean {
  return (
    offer.passenger_identity_documents_required ||
    offer.slices.some((slice) => [slice, ...slice.segments].some((leg) => crosses(leg) || isJfkLhr(leg)))
  )
}

/** As typed -> as kept: no spaces, upper case. */
export function normalisePassportNumber(text: string): string {
  return text.replace(/\s/g, '').toUpperCase()
}

export const PASSPORT_TEXTS = {
  numberTooLong: 'Passport number cannot exceed 20 characters',
  countryLength: 'Country code must be exactly 2 characters (ISO code)',
} as const

export function passportNumberProblem(number: string): string | null {
  if (number.length < 5) return 'Passport number must be at least 5 characters'
  if (number.length > 20) return PASSPORT_TEXTS.numberTooLong
  return /^[A-Za-z0-9]+$/.test(number) ? null : 'Passport number can only contain letters and numbers'
}

/** `today` is yyyy-MM-dd. */
export function passportExpiryProblem(expiry: string, today: string): string | null {
  if (!expiry) return 'Passport expiry date is required'
  return expiry > today ? null : 'Passport must not be expired'
}

export function issuingCountryProblem(code: string): string | null {
  if (code.length !== 2) return PASSPORT_TEXTS.countryLength
  return /^[A-Za-z]{2}$/.test(code) ? null : 'Country code must contain only letters'
}

/** A hint beside the field, never an error by itself. */
export function passportExpiryHint(expiry: string, today: string): string | null {
  if (!expiry) return null
  if (expiry <= today) return 'Passport has expired'
  const days = (Date.parse(`${expiry}T00:00:00Z`) - Date.parse(`${today}T00:00:00Z`)) / 86_400_000
  return days < 180 ? 'Less than 6 months validity' : null
}
