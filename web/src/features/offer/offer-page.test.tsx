import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { offerQuery } from '../../lib/queries.ts'
import { createQueryClient, defaultRead } from '../../lib/query-client.ts'
import { render } from '../../lib/render.fixture.tsx'
import { FareRules } from './FareRules.tsx'
import { OFFER } from './model/offer.fixture.ts'
import { PriceSummary } from './PriceSummary.tsx'
import { SeatMaps } from './SeatMaps.tsx'

beforeEach(() => {
  vi.stubGlobal('window', { localStorage: { getItem: () => null } })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the page of an offer', () => {
  it('DET-01: is read by GET /api/flights/offer/{id}', async () => {
    const fetcher = vi.fn<typeof fetch>(async () => Response.json({}))
    vi.stubGlobal('fetch', fetcher)
    await defaultRead({ queryKey: offerQuery('oft_1').queryKey, signal: new AbortController().signal, meta: undefined })
    expect(fetcher.mock.calls[0]).toMatchObject(['/api/flights/offer/oft_1', { method: 'GET' }])
  })

  it('DET-07, DET-08: has base fare, taxes and total, and says that the price is for everybody', () => {
    const { text } = render(<PriceSummary offer={OFFER} book="/booking?offer=oft_1" />)
    expect(text).toMatch(/Base fare.*Taxes and fees.*Total/)
    expect(text).toContain('The price is for all passengers')
  })

  it('DET-16: says when there are no services', () => {
    expect(render(<FareRules offer={{ ...OFFER, available_services: [] }} />).text).toContain(
      'No additional services available for this flight.',
    )
  })

  const seatMaps = (data?: unknown) => {
    const queryClient = createQueryClient()
    if (data !== undefined) queryClient.setQueryData(['/api/flights/seatmaps/oft_1'], data)
    return render(<SeatMaps offerId="oft_1" />, { queryClient }).text
  }

  it('DET-18: loads the seat maps and says that seats are chosen during booking', () => {
    expect(seatMaps()).toContain('Loading seat maps...')
    const cabins = [{ cabin_class: 'economy', deck_configuration: 0, wings: null, rows: [] }]
    expect(seatMaps({ data: [{ slice_id: 'sli_1', segments: [], cabins }] })).toBe('Seat selection will be available during booking.')
  })

  it.each([[{ data: [] }], [{}], [{ data: [{ slice_id: 'sli_1', segments: [], cabins: [] }] }]])(
    'DET-19, R-34: without maps (%j) seats are chosen after booking',
    (data) => {
      expect(seatMaps(data)).toBe('Seat maps are not available for this flight. You will be able to select seats after booking.')
    },
  )
})
