/** Offers as the supplier tells them now, or told them a moment ago: many visitors of one offer are one call. */
import { AppError } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import type { Cache } from '@passerelle/kit/redis'
import { DeadlineError } from '@passerelle/kit/resilience'
import { LRUCache } from 'lru-cache'
import type { KnownOffer } from './domain/known-offer.ts'
import { normaliseOffer } from './domain/normalise.ts'
import type { Supplier, SupplierCall } from './duffel.ts'
import type { GoneOffers } from './gone-offers.ts'
import type { SingleFlight } from './single-flight.ts'

/** `readAt` is epoch milliseconds. */
export type CachedOffer = { known: KnownOffer; readAt: number }

/** full: with its available services, which takes the supplier longer. */
export type Extent = 'full' | 'bare'

/** Which offer is read, how much of it, and how old the reading may be. */
export type OfferRequest = { mode: Mode; supplierId: string; extent: Extent; maxAgeMs: number }

export type OfferCache = {
  /** What was read a moment ago; nobody is asked. */
  cached(request: OfferRequest): Promise<CachedOffer | undefined>
  /** The same, else from the supplier on a visitor's behalf. Throws OFFER_NOT_FOUND, OFFER_EXPIRED or OFFER_FAILED. */
  recent(request: OfferRequest, network: string): Promise<CachedOffer>
  /** From the supplier, whatever is known. */
  fresh(mode: Mode, supplierId: string, call: SupplierCall): Promise<CachedOffer>
}

const KEEP_MS = 30_000
const MOST = 2000

export type OfferCacheTools = {
  suppliers(mode: Mode): Pick<Supplier, 'offer'>
  cache: Cache
  gone: GoneOffers
  singleFlight: SingleFlight
  clock(): number
  /** Milliseconds that a visitor waits for an offer. */
  waitMs: number
  /** Told of each full reading: the offer has been opened. */
  onOpened(reading: CachedOffer): Promise<void>
}

export function createOfferCache({ suppliers, cache, gone, singleFlight, clock, waitMs, onOpened }: OfferCacheTools): OfferCache {
  const memory = new LRUCache<string, CachedOffer>({ max: MOST })

  const keep = (mode: Mode, supplierId: string, extent: Extent, reading: CachedOffer) => {
    memory.set(keyOf(mode, supplierId, extent), reading)
    return cache.set(keyOf(mode, supplierId, extent), JSON.stringify(reading), KEEP_MS)
  }

  const read = async (mode: Mode, supplierId: string, extent: Extent, call: SupplierCall): Promise<CachedOffer> => {
    const raw = await suppliers(mode).offer(supplierId, extent === 'full', call)
    const reading = { known: normalised(raw, mode), readAt: clock() }
    // Before it is shown: a price that moves later is told apart from one that nobody was shown.
    if (extent === 'full') await onOpened(reading)
    return reading
  }

  /** Young enough, and not read before the supplier said that the offer is gone. */
  const isUsable = async (reading: CachedOffer, maxAgeMs: number): Promise<boolean> => {
    if (clock() - reading.readAt > maxAgeMs) return false
    const goneAt = await gone.ask(reading.known.offer.id)
    return goneAt === undefined || goneAt < reading.readAt
  }

  const fromMemory = async ({ mode, supplierId, extent, maxAgeMs }: OfferRequest): Promise<CachedOffer | undefined> => {
    for (const one of extents(extent)) {
      const reading = memory.get(keyOf(mode, supplierId, one))
      if (reading && (await isUsable(reading, maxAgeMs))) return reading
    }
    return undefined
  }

  const fromCache = async ({ mode, supplierId, extent, maxAgeMs }: OfferRequest): Promise<CachedOffer | undefined> => {
    for (const one of extents(extent)) {
      const text = await cache.get(keyOf(mode, supplierId, one))
      const reading = text === undefined ? undefined : (JSON.parse(text) as CachedOffer)
      if (!reading || !(await isUsable(reading, maxAgeMs))) continue
      memory.set(keyOf(mode, supplierId, one), reading)
      return reading
    }
    return undefined
  }

  const cached: OfferCache['cached'] = async (request) => (await fromMemory(request)) ?? (await fromCache(request))

  return {
    cached,
    async recent(request, network) {
      const known = await cached(request)
      if (known) return known
      const { mode, supplierId, extent } = request
      try {
        const { result } = await singleFlight.join<CachedOffer>(
          keyOf(mode, supplierId, extent),
          {
            recall: () => fromCache(request),
            async run(clients) {
              const reading = await read(mode, supplierId, extent, { clients })
              memory.set(keyOf(mode, supplierId, extent), reading)
              return reading
            },
            share: async (reading) => void (await keep(mode, supplierId, extent, reading)),
          },
          { client: network, waitMs },
        )
        return result
      } catch (error) {
        throw error instanceof DeadlineError ? new AppError('OFFER_FAILED', { cause: error, retryAfter: 2 }) : error
      }
    },
    async fresh(mode, supplierId, call) {
      const reading = await read(mode, supplierId, 'bare', call)
      void keep(mode, supplierId, 'bare', reading)
      // A full reading at another price would go on being shown after somebody was told the new one.
      const full = keyOf(mode, supplierId, 'full')
      if (memory.get(full)?.known.offer.total_amount !== reading.known.offer.total_amount) {
        memory.delete(full)
        await cache.delete(full)
      }
      return reading
    },
  }
}

/** A full reading answers for a bare one. */
const extents = (extent: Extent): Extent[] => (extent === 'full' ? ['full'] : ['bare', 'full'])
/** The number is that of a reading's shape: replicas of two releases do not read each other's. */
const keyOf = (mode: Mode, supplierId: string, extent: Extent) => `offer:1:${mode}:${extent}:${supplierId}`

function normalised(raw: Parameters<typeof normaliseOffer>[0], mode: Mode): KnownOffer {
  try {
    return normaliseOffer(raw, mode)
  } catch (cause) {
    throw new AppError('OFFER_FAILED', { cause })
  }
}
