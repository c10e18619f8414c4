/** What a press on a day means, depending on which end is being chosen. */
import { isValid, parseISO } from 'date-fns'

export type DateRange = { departureDate: string; returnDate: string }
export type RangeEnd = 'departure' | 'return'

/** Choosing a departure after the return drops the return; choosing a return before the departure starts over from that day. */
export function pickDay(range: DateRange, end: RangeEnd, day: string): { range: DateRange; next: RangeEnd } {
  if (end === 'departure') {
    const returnDate = range.returnDate && range.returnDate < day ? '' : range.returnDate
    return { range: { departureDate: day, returnDate }, next: 'return' }
  }
  if (range.departureDate && day < range.departureDate) return { range: { departureDate: day, returnDate: '' }, next: 'return' }
  return { range: { ...range, returnDate: day }, next: range.departureDate ? 'return' : 'departure' }
}

/** A calendar date as the browser's local midnight, which is what the calendar works with. */
export function toDay(date: string): Date | undefined {
  const day = parseISO(date)
  return isValid(day) ? day : undefined
}
