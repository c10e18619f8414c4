import { describe, expect, test } from 'vitest'
import { Passenger } from '../http/passenger.ts'
import { frequentFlyerProblem, numberEnding } from './frequent-flyer.ts'
import { passengerProblems } from './passengers.ts'

const problem = (frequentFlyerAirline?: string, frequentFlyerNumber?: string) =>
  frequentFlyerProblem({ frequentFlyerAirline, frequentFlyerNumber }, ['AF', 'KL'])

describe('a frequent flyer number', () => {
  test('may be left out, and then nothing is asked', () => {
    expect([problem(), problem('', '')]).toEqual([null, null])
  })

  test('comes with its airline, of those that the offer takes', () => {
    expect(problem('AF', '1098 765-4321')).toBeNull()
    expect(problem('', '10987654')).toEqual({
      field: 'frequentFlyerAirline',
      message: 'Choose the airline of the frequent flyer number',
    })
    expect(problem('BA', '10987654')).toEqual({
      field: 'frequentFlyerAirline',
      message: 'This flight does not take frequent flyer numbers of that airline',
    })
    expect(problem('KL', '')).toEqual({
      field: 'frequentFlyerNumber',
      message: 'Enter the frequent flyer number, or choose no airline',
    })
  })

  test('has 4 to 20 letters and digits', () => {
    for (const number of ['123', '1'.repeat(21), '1234?', 'Élan4567'])
      expect(problem('AF', number)?.message).toBe('Frequent flyer number must have 4 to 20 letters and digits')
    expect([problem('AF', '1234'), problem('AF', 'a'.repeat(20))]).toEqual([null, null])
  })

  test('is kept in capitals without spaces and hyphens, and of it three characters are shown', () => {
    const read = Passenger.parse({
      firstName: 'Ines',
      lastName: 'Moreau',
      dateOfBirth: '1990-02-14',
      frequentFlyerAirline: 'af',
      frequentFlyerNumber: ' ab 1098-765 ',
    })
    expect(read).toMatchObject({ frequentFlyerAirline: 'AF', frequentFlyerNumber: 'AB1098765' })
    expect(numberEnding('AB1098765')).toBe('765')
  })

  test('that is longer than any is refused before it is read', () => {
    const { success } = Passenger.safeParse({
      firstName: 'Ines',
      lastName: 'Moreau',
      dateOfBirth: '1990-02-14',
      frequentFlyerNumber: '1'.repeat(61),
    })
    expect(success).toBe(false)
  })

  test('is reported with the passenger whose it is; an offer that names no airline takes none', () => {
    const ines = {
      ...{ type: 'adult' as const, firstName: 'Ines', lastName: 'Moreau', dateOfBirth: '1990-02-14' },
      ...{ email: 'ines@example.org', phone: '+33123456789' },
    }
    const rules = { passportRequired: false, firstDeparture: '2027-03-04', lastDeparture: '2027-03-11', today: '2026-11-21' }
    const party = [ines, { ...ines, frequentFlyerAirline: 'AF', frequentFlyerNumber: '10987654' }]
    expect(passengerProblems(party, { ...rules, frequentFlyerAirlines: ['AF'] })).toEqual([])
    expect(passengerProblems(party, rules)).toMatchObject([{ index: 1, field: 'frequentFlyerAirline' }])
  })
})
