import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Passenger } from '../http/passenger.ts'
import { adultsFirst, airlineGender, airlineTitle, fitsType, isEmail, passengerProblems, phoneE164, ticketName } from './passengers.ts'
import { ISSUING_COUNTRIES, issuingCountryProblem, passportExpiryHint, passportNumberProblem, passportRequired } from './passport.ts'

const rules = { passportRequired: false, firstDeparture: '2027-03-04', lastDeparture: '2027-03-11', today: '2026-11-21' }
const adult: Partial<Passenger> = {
  type: 'adult',
  firstName: 'Ines',
  lastName: 'Moreau',
  dateOfBirth: '1990-02-14',
  email: 'ines@example.org',
  phone: '+33 1 23 45 67 89',
}
const messages = (passengers: Partial<Passenger>[], more = {}) =>
  passengerProblems(passengers, { ...rules, ...more }).map((problem) => problem.message)

describe('a party', () => {
  test('without problems has none', () => expect(messages([adult, { ...adult, email: undefined, phone: undefined }])).toEqual([]))

  test('PAX-06, PAX-07, PAX-08: names and date of birth are required', () =>
    expect(messages([{ type: 'adult', email: 'a@b.fr', phone: '+33123456789' }])).toEqual([
      'First name is required',
      'Last name is required',
      'Date of birth is required',
    ]))

  test('PAX-10, PAX-11: the first passenger needs a valid e-mail and a phone', () =>
    expect(messages([{ ...adult, email: 'x', phone: '' }])).toEqual([
      'Valid email is required for primary passenger',
      'Phone number is required for primary passenger',
    ]))

  test('PAX-12: others may leave e-mail empty, but a given one must be valid', () => {
    expect(messages([adult, { ...adult, email: '' }])).toEqual([])
    expect(messages([adult, { ...adult, email: 'nope' }])).toEqual(['Please enter a valid email address'])
  })

  test('PAX-13: an age that does not fit the type is reported', () => {
    expect(messages([{ ...adult, dateOfBirth: '2020-01-01' }])).toEqual(['Date of birth does not match passenger type'])
    expect(messages([adult, { ...adult, type: 'child', dateOfBirth: '2012-01-01' }])).toEqual([
      'Date of birth does not match passenger type',
    ])
  })

  test('R-36: an infant must be under 2 on the last flight, a child may turn 12 on the way', () => {
    expect(fitsType('infant_without_seat', '2025-03-08', '2027-03-04', '2027-03-11')).toBe(false)
    expect(fitsType('infant_without_seat', '2025-03-12', '2027-03-04', '2027-03-11')).toBe(true)
    expect(fitsType('child', '2015-03-08', '2027-03-04', '2027-03-11')).toBe(true)
  })

  test('PAX-20, PAX-24, PAX-28: passport fields are asked for when it is required', () =>
    expect(messages([adult], { passportRequired: true })).toEqual([
      'Passport number must be at least 5 characters',
      'Passport expiry date is required',
      'Country code must be exactly 2 characters (ISO code)',
    ]))

  test('PAX-25: a passport must not be expired', () =>
    expect(
      messages([{ ...adult, passportNumber: '19KL56147', passportExpiryDate: '2026-11-21', passportIssuingCountry: 'FR' }], {
        passportRequired: true,
      }),
    ).toEqual(['Passport must not be expired']))

  test('PAX-06, PAX-07: a text that is too long is reported by field, the same in the form and by the schema of the call', () => {
    const long = (letters: number) => 'a'.repeat(letters)
    const cases = [
      ['firstName', long(61), 'First name cannot exceed 60 characters'],
      ['lastName', long(300), 'Last name cannot exceed 60 characters'],
      ['email', `${long(250)}@a.fr`, 'Email cannot exceed 254 characters'],
      ['phone', `+33 1${' '.repeat(40)}23456789`, 'Phone number cannot exceed 40 characters'],
      ['passportNumber', long(61), 'Passport number cannot exceed 20 characters'],
      ['passportExpiryDate', '2030-01-01 and more', 'Passport expiry date must be a date'],
      ['passportIssuingCountry', long(61), 'Country code must be exactly 2 characters (ISO code)'],
    ] as const
    for (const [field, typed, message] of cases) {
      const passenger = { ...adult, [field]: typed }
      expect(passengerProblems([passenger], rules)).toEqual([{ index: 0, field, message }])
      expect(Passenger.safeParse(passenger).error?.issues.map((issue) => [issue.path[0], issue.message])).toEqual([[field, message]])
    }
    expect(messages([{ ...adult, firstName: long(60) }])).toEqual([])
  })

  test('PAX-25: an expiry that is not a date is refused', () =>
    expect(
      messages([{ ...adult, passportNumber: '19KL56147', passportExpiryDate: 'soon', passportIssuingCountry: 'FR' }], {
        passportRequired: true,
      }),
    ).toEqual(['Passport expiry date must be a date']))

  test('PAX-01: adults come first, the order within a type is kept', () =>
    expect(
      adultsFirst([
        { type: 'child' as const, n: 1 },
        { type: 'adult' as const, n: 2 },
        { type: 'adult' as const, n: 3 },
      ]).map((one) => one.n),
    ).toEqual([2, 3, 1]))
})

describe('a passport', () => {
  test('PAX-20, PAX-21, PAX-22: has 5 to 20 letters and digits', () => {
    expect(passportNumberProblem('1234')).toBe('Passport number must be at least 5 characters')
    expect(passportNumberProblem('1'.repeat(21))).toBe('Passport number cannot exceed 20 characters')
    expect(passportNumberProblem('12-345')).toBe('Passport number can only contain letters and numbers')
    expect(passportNumberProblem('19KL56147')).toBeNull()
  })

  test('PAX-28, PAX-29: is of a country with two letters', () => {
    expect(issuingCountryProblem('F')).toBe('Country code must be exactly 2 characters (ISO code)')
    expect(issuingCountryProblem('FRA')).toBe('Country code must be exactly 2 characters (ISO code)')
    for (const code of ['F1', '12', 'É!', 'F ']) expect(issuingCountryProblem(code)).toBe('Country code must contain only letters')
    expect(ISSUING_COUNTRIES.map(issuingCountryProblem).filter(Boolean)).toEqual([])
  })

  test('PAX-26, PAX-27: hints at a short or past validity', () => {
    expect(passportExpiryHint('2027-05-19', '2026-11-21')).toBe('Less than 6 months validity')
    expect(passportExpiryHint('2027-05-20', '2026-11-21')).toBeNull()
    expect(passportExpiryHint('2026-11-01', '2026-11-21')).toBe('Passport has expired')
  })

  const leg = (from: [string, string | null], to: [string, string | null]) => ({
    origin: { iata_code: from[0], country_code: from[1] },
    destination: { iata_code: to[0], country_code: to[1] },
  })
  const offer = (slice: ReturnType<typeof leg>, says = false) => ({
    passenger_identity_documents_required: says,
    slices: [{ ...slice, segments: [slice] }],
  })

  test('PAX-16, PAX-17, PAX-18: is required by the offer, on JFK-LHR and across borders', () => {
    expect(passportRequired(offer(leg(['CDG', 'FR'], ['NCE', 'FR'])))).toBe(false)
    expect(passportRequired(offer(leg(['CDG', 'FR'], ['NCE', 'FR']), true))).toBe(true)
    expect(passportRequired(offer(leg(['LHR', null], ['JFK', null])))).toBe(true)
    expect(passportRequired(offer(leg(['CDG', 'FR'], ['LIS', 'PT'])))).toBe(true)
  })

  test('R-85: a missing country code does not by itself require one', () =>
    expect(passportRequired(offer(leg(['CDG', 'FR'], ['XXX', null])))).toBe(false))
})

describe('what airlines take', () => {
  test('PAX-14: accents, hyphens, apostrophes and spaces are written in Latin letters', () => {
    expect(ticketName('Zoë-Élodie')).toEqual({ text: 'Zoe-Elodie', cut: false, changed: true })
    expect(ticketName('O’Brien Łukasz')?.text).toBe("O'Brien Lukasz")
    expect(ticketName('Straße')?.text).toBe('Strasse')
    expect(ticketName('Nguyễn')?.text).toBe('Nguyen')
  })

  test('PAX-14: a name that stands on the ticket as typed is neither cut nor changed, one of more than 20 letters is both', () => {
    expect(ticketName(' Moreau ')).toEqual({ text: 'Moreau', cut: false, changed: false })
    expect(ticketName('Wolfeschlegelsteinhausen')).toEqual({ text: 'Wolfeschlegelsteinha', cut: true, changed: true })
    expect(ticketName('Straßenmeisterstochter')).toEqual({ text: 'Strassenmeisterstoch', cut: true, changed: true })
  })

  test('R-38: a name that cannot be written so is refused', () => {
    expect(ticketName('李小龍')).toBeNull()
    expect(messages([{ ...adult, firstName: '小龍' }])).toHaveLength(1)
  })

  test('R-37: gender and title are derived from each other where possible', () => {
    expect(airlineGender({ title: 'mrs' })).toBe('f')
    expect(airlineGender({ gender: 'undisclosed' })).toBeNull()
    expect(airlineTitle({ gender: 'male' })).toBe('mr')
    expect(airlineTitle({})).toBeNull()
  })

  test('a phone number becomes E.164', () => {
    expect(phoneE164('+33 (0)1 23 45 67 89')).toBe('+33123456789')
    expect(phoneE164('01 23 45 67 89')).toBe('+33123456789')
    expect(phoneE164('0044 20 7946 0018')).toBe('+442079460018')
    expect(phoneE164('hello')).toBeNull()
  })

  test('ABOOK-07: a passenger without names or birth date is refused with one message', () => {
    const parsed = Passenger.safeParse({ type: 'adult', firstName: 'Ines' })
    expect(parsed.error?.issues[0]?.message).toBe('All passengers must have first name, last name, and date of birth')
  })
})

test.each(['a@b.co', 'a.b+c@d-e.org', "o'neil@x.io", '.a@b.co', 'a..b@c.de', 'a@b', 'a@-b.co', 'a b@c.de', 'é@b.co', ''])(
  'the form and the schemas agree whether %j is an e-mail address',
  (text) => {
    expect(isEmail(text)).toBe(z.email().safeParse(text).success)
  },
)
