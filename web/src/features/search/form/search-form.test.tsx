import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { render } from '../../../lib/render.fixture.tsx'
import { Calendar } from './Calendar.tsx'
import { SearchForm } from './SearchForm.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 11, 1, 15, 30), toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the search form', () => {
  it('FORM-03, FORM-04, FORM-15: shows its dates as "MMM dd, yyyy", today and a week later', () => {
    expect(render(<SearchForm initial={null} lastSearch={null} />).text).toMatch(/Departure Dec 01, 2026 Return Dec 08, 2026/)
  })
})

describe('the calendar', () => {
  /** Days of the month that cannot be picked. */
  function closedDays(single: boolean): number[] {
    const range = { departureDate: '2026-12-10', returnDate: '' }
    const { html } = render(<Calendar range={range} single={single} months={1} onPick={() => undefined} />)
    const days = [...html.matchAll(/<button[^>]*>(\d{1,2})<\/button>/g)].map(([tag, day]) => ({
      day: Number(day),
      closed: tag.includes('disabled=""'),
    }))
    expect(days).toHaveLength(31)
    return days.flatMap(({ day, closed }) => (closed ? [day] : []))
  }

  it.each([[true], [false]])('FORM-17, FORM-18: has no past day to pick, but today (one way: %s)', (single) => {
    expect(closedDays(single)).toEqual([])
    vi.setSystemTime(new Date(2026, 11, 5, 0, 5))
    expect(closedDays(single)).toEqual([1, 2, 3, 4])
    vi.setSystemTime(new Date(2026, 11, 5, 23, 55))
    expect(closedDays(single)).toEqual([1, 2, 3, 4])
  })
})
