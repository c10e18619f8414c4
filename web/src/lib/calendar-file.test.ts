import { describe, expect, it } from 'vitest'
import { booking } from '../features/booking/model/booking.fixture.ts'
import { calendarOf } from './calendar-file.ts'

const { id, bookingReference: reference, airlineReference, bookingData } = booking
const calendarBooking = { id, reference, airlineReference, slices: bookingData.slices }
const NOW = Date.parse('2026-11-21T10:12:00Z')

describe('calendar file', () => {
  const text = calendarOf(calendarBooking, NOW)

  it('has one event a flight, as instants of the airports', () => {
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(3)
    expect(text).toContain('DTSTART:20261210T123500Z')
    expect(text).toContain('DTEND:20261210T210500Z')
    expect(text).toContain('SUMMARY:AF 006: Paris (CDG) to New York (JFK)')
  })

  it('has both references and ends every line as the format wants it', () => {
    expect(text).toContain('DESCRIPTION:Booking reference 7KQX2M9D\\nAirline reference QX4T7L')
    expect(text.split('\r\n').every((line) => !line.includes('\n'))).toBe(true)
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  })

  it('folds long lines and keeps letters whole', () => {
    const slices = bookingData.slices.map((slice) => ({
      ...slice,
      segments: slice.segments.map((segment) => ({ ...segment, origin: { ...segment.origin, name: 'é'.repeat(60) } })),
    }))
    const long = calendarOf({ ...calendarBooking, slices }, NOW)
    for (const line of long.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
    expect(long.replaceAll('\r\n ', '')).toContain('é'.repeat(60))
  })

  it('takes the wall clock where the zone is unknown', () => {
    const slices = bookingData.slices.map((slice) => ({
      ...slice,
      segments: slice.segments.map((segment) => ({ ...segment, origin: { ...segment.origin, time_zone: null } })),
    }))
    expect(calendarOf({ ...calendarBooking, slices }, NOW)).toContain('DTSTART:20261210T133500\r\n')
  })
})
