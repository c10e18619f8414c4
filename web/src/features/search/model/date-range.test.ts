import { describe, expect, it } from 'vitest'
import { pickDay, toDay } from './date-range.ts'

const range = { departureDate: '2026-12-10', returnDate: '2026-12-17' }

describe('pickDay', () => {
  it('chooses a departure and goes on to the return', () => {
    expect(pickDay(range, 'departure', '2026-12-12')).toEqual({
      range: { departureDate: '2026-12-12', returnDate: '2026-12-17' },
      next: 'return',
    })
  })

  it('drops a return that lies before the new departure', () => {
    expect(pickDay(range, 'departure', '2026-12-20').range).toEqual({ departureDate: '2026-12-20', returnDate: '' })
  })

  it('FORM-29: a return on the day of departure is a choice', () => {
    expect(pickDay(range, 'return', '2026-12-10').range).toEqual({ departureDate: '2026-12-10', returnDate: '2026-12-10' })
  })

  it('starts over from a day before the departure', () => {
    expect(pickDay(range, 'return', '2026-12-05')).toEqual({ range: { departureDate: '2026-12-05', returnDate: '' }, next: 'return' })
  })

  it('asks for the departure when the return was chosen first', () => {
    expect(pickDay({ departureDate: '', returnDate: '' }, 'return', '2026-12-05').next).toBe('departure')
  })
})

describe('toDay', () => {
  it('is the local midnight of the date', () => {
    const day = toDay('2027-03-28')
    expect([day?.getFullYear(), day?.getMonth(), day?.getDate(), day?.getHours()]).toEqual([2027, 2, 28, 0])
    expect(toDay('')).toBeUndefined()
  })
})
