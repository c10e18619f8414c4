import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dayPricesQuery } from '../../../lib/day-prices.ts'
import { createQueryClient } from '../../../lib/query-client.ts'
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
    const { html } = render(<Calendar range={range} single={single} months={1} trip={null} priced onPick={() => undefined} />)
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

  const trip = {
    origin: 'CDG',
    destination: 'JFK',
    cabinClass: 'economy',
    adultsCount: 1,
    childrenCount: 0,
    infantsCount: 0,
    nights: 7,
  } as const
  function calendarWith(priced: boolean) {
    const queryClient = createQueryClient()
    const days = [
      { date: '2026-12-10', price: { amount: '1528.00', currency: 'USD' } },
      { date: '2026-12-12', price: { amount: '128.00', currency: 'USD' } },
    ]
    queryClient.setQueryData(dayPricesQuery(trip, '2026-12-01', 31).queryKey, { days })
    const range = { departureDate: '2026-12-10', returnDate: '2026-12-17' }
    return render(<Calendar range={range} single={false} months={1} trip={trip} priced={priced} onPick={() => undefined} />, {
      queryClient,
    })
  }

  it('has the lowest price under each day that is known, in the day’s name too, and marks the lowest of all', () => {
    const { html } = calendarWith(true)
    expect(html).toContain('aria-label="Thursday, December 10, 2026, selected, $1,528"')
    expect(html).toContain('aria-label="Saturday, December 12, 2026, selected, $128, lowest price"')
    expect(html).toMatch(/<button[^>]*data-price="\$128" data-lowest="true"[^>]*>12</)
    expect(html).toContain('aria-label="Friday, December 11, 2026, selected"')
  })

  it('has no prices while the day of return is chosen: they are by departure', () => {
    expect(calendarWith(false).html).not.toContain('$')
  })
})
