/** A booking as an iCalendar file (RFC 5545), made in the browser: one event a flight. */
import type { Segment, Slice } from '@passerelle/contracts/http/search'
import { instantOf } from '@passerelle/contracts/rules/local-time'
import { flightNumber, placeLabel } from './flight.ts'

const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n')

/** Lines of at most 75 octets; what follows begins with a space. */
function folded(line: string): string {
  const encoder = new TextEncoder()
  const parts: string[] = []
  let part = ''
  for (const letter of line) {
    if (encoder.encode(part + letter).length > (parts.length === 0 ? 75 : 74)) {
      parts.push(part)
      part = ''
    }
    part += letter
  }
  return [...parts, part].join('\r\n ')
}

const utc = (instant: number) => `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

/** An instant where the airport's zone is known, else the bare wall clock. */
function moment(local: string, zone: string | null): string {
  const instant = zone ? instantOf(local, zone) : Number.NaN
  return Number.isNaN(instant) ? local.slice(0, 19).replace(/[-:]/g, '') : utc(instant)
}

/** What of a booking the file tells. */
export type CalendarBooking = { id: string; reference: string; airlineReference: string | null; slices: readonly Pick<Slice, 'segments'>[] }

function event(segment: Segment, booking: CalendarBooking, stamp: number): string[] {
  const from = placeLabel(segment.origin)
  const to = placeLabel(segment.destination)
  const references = [`Booking reference ${booking.reference}`]
  if (booking.airlineReference) references.push(`Airline reference ${booking.airlineReference}`)
  return [
    'BEGIN:VEVENT',
    `UID:${booking.id}-${segment.id}@passerelle`,
    `DTSTAMP:${utc(stamp)}`,
    `DTSTART:${moment(segment.departing_at, segment.origin.time_zone)}`,
    `DTEND:${moment(segment.arriving_at, segment.destination.time_zone)}`,
    `SUMMARY:${escaped(`${flightNumber(segment)}: ${from} to ${to}`)}`,
    `LOCATION:${escaped(segment.origin.name ?? from)}`,
    `DESCRIPTION:${escaped(references.join('\n'))}`,
    'END:VEVENT',
  ]
}

export function calendarOf(booking: CalendarBooking, now: number): string {
  const events = booking.slices.flatMap((slice) => slice.segments.flatMap((segment) => event(segment, booking, now)))
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Passerelle//Booking//EN', ...events, 'END:VCALENDAR']
  return `${lines.map(folded).join('\r\n')}\r\n`
}
