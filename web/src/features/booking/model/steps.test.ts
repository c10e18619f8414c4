import { describe, expect, it } from 'vitest'
import { reachable, readPlace, STEP_NAMES, STEP_TITLES, STEPS } from './steps.ts'

describe('steps', () => {
  it('BOOK-01: are the four of the booking, with their titles', () => {
    expect(STEPS.map((step) => STEP_TITLES[step])).toEqual(['Passenger Information', 'Seat Selection', 'Payment', 'Booking Confirmed'])
    expect(STEP_NAMES).toHaveLength(STEPS.length)
  })

  it('BOOK-10: an entry of the history says which step it is', () => {
    expect(readPlace({ step: 'payment', depth: 2 })).toEqual({ step: 'payment', depth: 2, bookingId: null, fromFlight: false })
  })

  it('an entry that says nothing, or nonsense, is the first step', () => {
    for (const state of [null, undefined, 'payment', { step: 'checkout' }, { depth: -1 }, { depth: 1.5 }]) {
      expect(readPlace(state)).toEqual({ step: 'passengers', depth: 0, bookingId: null, fromFlight: false })
    }
  })

  it('BOOK-10: an entry knows whether the flight lies before the booking, in every step', () => {
    expect(readPlace({ from: 'flight' }).fromFlight).toBe(true)
    expect(readPlace({ step: 'seats', depth: 1, fromFlight: true }).fromFlight).toBe(true)
    expect(readPlace({ from: 'results' }).fromFlight).toBe(false)
  })

  it('BOOK-11: a confirmation needs its booking', () => {
    expect(readPlace({ step: 'confirmation', depth: 0, bookingId: 'bk_1' }).step).toBe('confirmation')
    expect(readPlace({ step: 'confirmation', depth: 0 }).step).toBe('passengers')
  })

  it('BOOK-05: seats and payment are not reached without passengers', () => {
    expect(reachable('payment', { passengers: false })).toBe('passengers')
    expect(reachable('payment', { passengers: true })).toBe('payment')
    expect(reachable('confirmation', { passengers: false })).toBe('confirmation')
  })
})
