import { expect, it } from 'vitest'
import { emissionsShort, emissionsText } from './emissions.ts'

it('an estimate of emissions names its source; without one nothing is said', () => {
  expect(emissionsShort(310)).toBe('310 kg CO₂ (search provider’s estimate)')
  expect(emissionsText(1310)).toBe('CO₂ of all flights for all passengers: 1,310 kg, estimate by the airline search provider.')
  expect([emissionsShort(undefined), emissionsText(undefined)]).toEqual([null, null])
})
