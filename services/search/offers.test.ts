import { AppError } from '@passerelle/contracts/error'
import { createLog } from '@passerelle/kit/log'
import { replaceRuntime } from '@passerelle/kit/runtime'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCacheFixture } from './cache.fixture.ts'
import { supplierOffer } from './domain/supplier.fixture.ts'
import { SpentOfferError, type Supplier } from './duffel.ts'
import { createGoneOffers } from './gone-offers.ts'
import { createOfferCache } from './offer-cache.ts'
import { createOffers } from './offers.ts'
import { createSingleFlight } from './single-flight.ts'

const log = createLog('search', 'silent')
const NOW = Date.parse('2027-01-05T10:00:00Z')
const viewer = { mode: 'test', markupPercent: 23 } as const
const ID = 'oft_0000Aexample01'
const never = () => new Promise<never>(() => undefined)

function offersOf(supplier: Partial<Supplier>, times: { quoteMs?: number; requoteMs?: number } = {}) {
  const calls: string[] = []
  const searches: (number | undefined)[] = []
  const suppliers = (): Supplier => ({
    search: async (search, call) => {
      calls.push('search')
      searches.push(call?.withinMs)
      return supplier.search?.(search, call) ?? []
    },
    offer: async (...given) => {
      calls.push('offer')
      return supplier.offer?.(...given) ?? supplierOffer({ id: given[0] })
    },
    seatMaps: async (...given) => {
      calls.push('seat maps')
      return supplier.seatMaps?.(...given) ?? []
    },
  })
  onTestFinished(replaceRuntime({ now: () => NOW }))
  const cache = createCacheFixture()
  const gone = createGoneOffers(cache)
  const onOpened = async () => undefined
  const offerCache = createOfferCache({
    suppliers,
    cache,
    gone,
    singleFlight: createSingleFlight(cache, log),
    waitMs: 1000,
    onOpened,
  })
  const offers = createOffers({
    suppliers,
    offerCache,
    gone,
    isListed: () => false,
    store: { findOpened: async () => null, keepShown: async () => undefined },
    counts: { supplier: () => undefined },
    log,
    quoteMs: 13_000,
    requoteMs: 38_000,
    ...times,
  })
  return { ...offers, calls, searches, gone }
}

const spent = async () => Promise.reject(new SpentOfferError('SEAT_MAPS_FAILED'))
const seat = { passengerId: 'pas_1', seatId: '12A', segmentId: 'seg_1_1' }

describe('the time for a quote', () => {
  it('ends a quote whose offer is not read in time, and asks for nothing after that', async () => {
    const { quote, calls } = offersOf({ offer: never }, { quoteMs: 20 })
    await expect(quote(ID, [], viewer)).rejects.toMatchObject({ code: 'OFFER_FAILED', retryAfter: 2 })
    expect(calls).toEqual(['offer'])
  })

  it('ends a quote whose seat maps do not come', async () => {
    const { quote } = offersOf({ seatMaps: never }, { quoteMs: 20 })
    await expect(quote(ID, [seat], viewer)).rejects.toMatchObject({ code: 'OFFER_FAILED' })
  })

  it('ends a quote that has to shop again, search and all', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { quote, calls } = offersOf({ seatMaps: spent, search: never })
    const refused = Promise.allSettled([quote(ID, [seat], viewer)])
    await vi.advanceTimersByTimeAsync(13_000)
    expect(await refused).toMatchObject([{ status: 'rejected', reason: { code: 'OFFER_FAILED' } }])
    expect(calls.at(-1)).toBe('search')
  })

  it('does not begin a search that could not be of use any more', async () => {
    const { quote, calls } = offersOf({ seatMaps: spent }, { quoteMs: 5000 })
    await expect(quote(ID, [seat], viewer)).rejects.toMatchObject({ code: 'OFFER_FAILED' })
    expect(calls).not.toContain('search')
  })

  it('tells a search how long it is of use, with time left to read what it finds', async () => {
    const { requote, searches } = offersOf({ search: async () => [supplierOffer({ id: 'off_0000Again' })] })
    expect((await requote(ID, [], viewer)).supplier.offerId).toBe('off_0000Again')
    expect(searches).toHaveLength(1)
    expect(searches[0]).toBeGreaterThan(30_000)
    expect(searches[0]).toBeLessThanOrEqual(36_000)
  })
})

describe('an offer that is gone', () => {
  it('an id that was never shown is not kept in mind', async () => {
    const { open, gone } = offersOf({ offer: async () => Promise.reject(new AppError('OFFER_NOT_FOUND')) })
    await expect(open(ID, { ...viewer, network: '203.0.113.7' })).rejects.toMatchObject({ code: 'OFFER_NOT_FOUND' })
    expect(gone.version()).toBe(0)
  })

  it('is kept in mind when its flights are not sold in a new search either', async () => {
    const { requote, gone } = offersOf({ search: async () => [] })
    await expect(requote(ID, [], viewer)).rejects.toMatchObject({ code: 'OFFER_EXPIRED' })
    expect(gone.goneAt(ID)).toBe(NOW)
  })

  it('is not while the supplier only fails', async () => {
    const { open, gone } = offersOf({ offer: async () => Promise.reject(new AppError('OFFER_FAILED')) })
    await expect(open(ID, { ...viewer, network: '203.0.113.7' })).rejects.toMatchObject({ code: 'OFFER_FAILED' })
    expect(gone.version()).toBe(0)
  })
})
