import { describe, expect, it } from 'vitest'
import { sliceOf } from '../../../lib/flights.fixture.ts'
import { offer, out, segment } from './booking.fixture.ts'
import {
  asksTitleOrGender,
  emptyPassengers,
  frequentFlyerAirlines,
  GENDERS,
  initials,
  type PassengerValues,
  problemOf,
  problemsOf,
  rulesFor,
  TITLES,
  toRequest,
  typeLine,
  withoutPassports,
} from './passenger-form.ts'

const TODAY = '2026-11-21'
const [empty] = emptyPassengers(offer) as [PassengerValues]
const camille: PassengerValues = {
  ...empty,
  title: 'ms',
  firstName: 'Camille',
  lastName: 'Moreau',
  dateOfBirth: '1988-03-14',
  email: 'camille@example.com',
  phone: '+33 6 39 98 12 34',
  passportNumber: '19FV48213',
  passportExpiryDate: '2031-04-30',
  passportIssuingCountry: 'FR',
}
const abroad = rulesFor(offer, TODAY)
const home = rulesFor(
  {
    ...offer,
    slices: [sliceOf('s', 'PT1H30M', [segment('g', 'AF', '1', ['ORY', '2026-12-10T08:00:00'], ['NCE', '2026-12-10T09:30:00'], 'PT1H30M')])],
  },
  TODAY,
)
const messages = (changed: Partial<PassengerValues>, rules = abroad) =>
  problemsOf([{ ...camille, ...changed }], rules).map(({ message }) => message)

describe('passenger form', () => {
  it('PAX-01, PAX-03, R-35, R-39: has one form a passenger of the offer, adults first', () => {
    const mixed = {
      passengers: [
        { id: 'c', type: 'child' as const },
        { id: 'i', type: 'infant_without_seat' as const },
        { id: 'a', type: 'adult' as const },
      ],
    }
    expect(emptyPassengers(mixed).map(({ id }) => id)).toEqual(['a', 'c', 'i'])
    expect(emptyPassengers(offer)).toHaveLength(4)
  })

  it('names the airlines whose frequent flyer numbers are taken, by their code where no flight is theirs', () => {
    expect(frequentFlyerAirlines({ ...offer, supported_loyalty_programmes: ['AF', 'KL', 'XX'] })).toEqual([
      ['AF', 'Air France (AF)'],
      ['KL', 'KLM (KL)'],
      ['XX', 'XX'],
    ])
    expect(frequentFlyerAirlines(offer)).toEqual([])
  })

  it('asks for the airline and the number of a frequent flyer together, of those that the offer takes', () => {
    const rules = rulesFor({ ...offer, supported_loyalty_programmes: ['AF'] }, TODAY)
    expect(messages({ frequentFlyerAirline: 'AF', frequentFlyerNumber: '1098 7654' }, rules)).toEqual([])
    expect(messages({ frequentFlyerAirline: 'AF' }, rules)).toEqual(['Enter the frequent flyer number, or choose no airline'])
    expect(messages({ frequentFlyerNumber: '10987654' }, rules)).toEqual(['Choose the airline of the frequent flyer number'])
  })

  it('PAX-02: says the type in words', () => {
    expect(typeLine({ type: 'adult', dateOfBirth: '' }, 1, false)).toBe('Adult (12+ years)')
    expect(typeLine({ type: 'adult', dateOfBirth: '' }, 0, false)).toBe('Adult (12+ years), lead passenger')
    expect(typeLine({ type: 'child', dateOfBirth: '2019-06-21' }, 2, true)).toBe('Child (2-11 years), born Jun 21, 2019')
  })

  it('PAX-04, PAX-05: offers the titles and genders, none of which is needed', () => {
    expect(TITLES.map(([title]) => title)).toEqual(['mr', 'ms', 'mrs', 'miss', 'dr'])
    expect(GENDERS.map(([gender]) => gender).sort()).toEqual(['female', 'male', 'undisclosed'])
    expect(messages({ title: '', gender: '' })).toEqual([])
  })

  it('PAX-06, PAX-07, PAX-08: asks for names and date of birth', () => {
    expect(messages({ firstName: ' ', lastName: '', dateOfBirth: '' })).toEqual([
      'First name is required',
      'Last name is required',
      'Date of birth is required',
    ])
  })

  it('says what is too long, one message a rule, before any card', () => {
    expect(messages({ firstName: 'a'.repeat(300), email: `${'a'.repeat(250)}@example.org`, phone: '1'.repeat(41) })).toEqual([
      'First name cannot exceed 60 characters',
      'Email cannot exceed 254 characters',
      'Phone number cannot exceed 40 characters',
    ])
  })

  it('PAX-10, PAX-11: asks the first passenger for e-mail and phone', () => {
    expect(messages({ email: 'camille@', phone: '' })).toEqual([
      'Valid email is required for primary passenger',
      'Phone number is required for primary passenger',
    ])
  })

  it('PAX-12: the others may leave the e-mail empty, but not misspell it', () => {
    const second = (email: string) => problemsOf([camille, { ...camille, id: 'pas_2', email, phone: '' }], abroad)
    expect(second('')).toEqual([])
    expect(second('x@')).toEqual([{ index: 1, field: 'email', message: 'Please enter a valid email address' }])
  })

  it('PAX-13: an age that does not fit the type is reported', () => {
    expect(messages({ type: 'child' })).toEqual(['Date of birth does not match passenger type'])
  })

  it('PAX-14: names are sent as typed', () => {
    const name = { firstName: 'Zoë-Anne', lastName: "O'Neill Ångström" }
    expect(messages(name)).toEqual([])
    expect(toRequest([{ ...camille, ...name }])[0]).toMatchObject(name)
  })

  it('PAX-16, PAX-17, PAX-18: abroad a passport is needed', () => {
    expect(abroad.passportRequired).toBe(true)
    expect(messages({ passportNumber: '20A', passportExpiryDate: '', passportIssuingCountry: '' })).toEqual([
      'Passport number must be at least 5 characters',
      'Passport expiry date is required',
      'Country code must be exactly 2 characters (ISO code)',
    ])
  })

  it('PAX-19: inside a country it is not, and skipping clears what was typed', () => {
    expect(home.passportRequired).toBe(false)
    const [skipped] = withoutPassports([{ ...camille, passportNumber: '20A' }]) as [PassengerValues]
    expect(messages(skipped, home)).toEqual([])
    expect(toRequest([skipped])[0]).not.toHaveProperty('passportNumber')
    expect(toRequest([skipped])[0]).toMatchObject({ firstName: 'Camille' })
  })

  it('PAX-35: an issue of the server finds its field', () => {
    expect(problemOf({ path: 'passengers.1.title', message: 'needed' })).toEqual({ index: 1, field: 'title', message: 'needed' })
    expect(problemOf({ path: 'paymentDetails.amount', message: 'no' })).toBeNull()
    expect(problemOf({ path: 'passengers.1.shoeSize', message: 'no' })).toBeNull()
  })

  it('tells when neither title nor gender can be derived', () => {
    expect(asksTitleOrGender({ title: 'ms', gender: '' })).toBe(false)
    expect(asksTitleOrGender({ title: '', gender: 'male' })).toBe(false)
    expect(asksTitleOrGender({ title: 'dr', gender: '' })).toBe(true)
    expect(asksTitleOrGender({ title: '', gender: 'undisclosed' })).toBe(true)
  })

  it('sends no empty choices', () => {
    expect(toRequest([{ ...camille, gender: '', passportIssuingCountry: '' }])[0]).toEqual({
      id: 'pas_1',
      type: 'adult',
      title: 'ms',
      firstName: 'Camille',
      lastName: 'Moreau',
      dateOfBirth: '1988-03-14',
      email: 'camille@example.com',
      phone: '+33 6 39 98 12 34',
      passportNumber: '19FV48213',
      passportExpiryDate: '2031-04-30',
    })
  })

  it('has initials of a name with accents, and a number before there is one', () => {
    expect(initials({ firstName: 'Élodie', lastName: 'dupont' }, 0)).toBe('ÉD')
    expect(initials({ firstName: '', lastName: '' }, 1)).toBe('P2')
  })

  it('the way of the offer decides the dates of the age rule', () => {
    expect(rulesFor({ ...offer, slices: [out] }, TODAY)).toMatchObject({ firstDeparture: '2026-12-10', lastDeparture: '2026-12-10' })
    expect(abroad).toMatchObject({ lastDeparture: '2026-12-17' })
  })
})
