import { addresses } from '@passerelle/contracts/addresses'
import { addressOf } from '@passerelle/contracts/client'
import type { Route } from '@passerelle/contracts/route'
import { afterEach, expect, it, vi } from 'vitest'
import { FIRST_PAGE_SIZE } from '../features/results/model/pages.ts'
import { fetchPage } from '../features/results/model/results-query.ts'
import { readSearch } from '../features/results/model/search-address.ts'
import { api } from '../lib/api-client.ts'
import { firstCalls } from './first-calls.ts'

const ALWAYS = '/api/system/mode'
const calls = (address: string, signedOut = true, fresh = true) => {
  const { pathname, search } = new URL(address, 'http://localhost')
  return firstCalls({ pathname, search }, { signedOut, fresh })
}

/** A page that has asked for `address`, and what is asked for beside it. */
function asked(address: string, answer: () => Promise<Response>, startedAt = Date.now()) {
  const fetcher = vi.fn<typeof fetch>(async () => Response.json({ mode: 'test', isLiveMode: false, from: 'later' }))
  vi.stubGlobal('fetch', fetcher)
  vi.stubGlobal('firstAnswers', { startedAt, answers: { [address]: answer() } })
  return fetcher
}

afterEach(() => {
  vi.unstubAllGlobals()
})

it.each([
  '/search?origin=CDG&destination=JFK&departureDate=2027-01-10&returnDate=2027-01-17&cabinClass=economy&adultsCount=2&childrenCount=1&infantsCount=0&tripType=round-trip',
  '/search?origin=cdg&destination=jfk&departureDate=2027-01-10&adults=2',
])('the results of %s are asked for at the address that their query uses', async (address) => {
  const [first = ''] = calls(address)
  const fetcher = asked(first, async () => Response.json({ offers: [], total_count: 0, search_id: 'early' }))
  const search = readSearch(new URL(address, 'http://localhost').searchParams)
  if (!search) throw new Error('The address has no search')
  expect(await fetchPage(search, { page: 1, limit: FIRST_PAGE_SIZE })).toMatchObject({ search_id: 'early' })
  expect(fetcher).not.toHaveBeenCalled()
})

it('a list under filters or in another order is left to the screen that reads them', () => {
  expect(calls('/search?origin=CDG&destination=JFK&departureDate=2027-01-10&stops=0')).toEqual([ALWAYS])
})

it('an offer is asked for at the address that its query uses', () => {
  const id = 'off_1 ä'
  expect(calls(`/flight/${encodeURIComponent(id)}?from_origin=CDG`)).toEqual([
    addressOf(addresses.search.getOffer as unknown as Route, { params: { id } }),
    ALWAYS,
  ])
  expect(calls('/booking?offer=off_1')).toContain('/api/flights/offer/off_1')
  expect(calls('/booking?offer=off_1', true, false)).toEqual([ALWAYS])
})

it('other addresses ask for the mode only, and for the user unless nobody is signed in', () => {
  for (const address of ['/', '/search', '/search?origin=CDG', '/flight', '/flight/a/b', '/privacy'])
    expect(calls(address)).toEqual([ALWAYS])
  expect(calls('/privacy', false)).toEqual([ALWAYS, '/api/auth/user'])
})

it('R-22: the page of the card fields, in its frame, asks for nothing', () => {
  expect(calls('/booking/card', false)).toEqual([])
})

it('My Trips asks for bookings, but not for a visitor who would be refused', () => {
  expect(calls('/my-trips', false)).toContain('/api/bookings')
  expect(calls('/my-trips')).toEqual([ALWAYS])
})

it('an answer is used once, while it is new, and asked for again when its call broke', async () => {
  const early = async () => Response.json({ from: 'early' })
  const fetcher = asked(ALWAYS, early)
  expect(await api.systemMode()).toMatchObject({ from: 'early' })
  expect(await api.systemMode()).toMatchObject({ from: 'later' })
  expect(fetcher).toHaveBeenCalledTimes(1)
  asked(ALWAYS, early, Date.now() - 60_000)
  expect(await api.systemMode()).toMatchObject({ from: 'later' })
  asked(ALWAYS, () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await api.systemMode()).toMatchObject({ from: 'later' })
})
