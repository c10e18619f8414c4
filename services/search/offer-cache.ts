/** Offers as the supplier returns them, cached for seconds: concurrent visitors of one offer cause one call. */
import { AppError } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import type { Cache } from '@passerelle/kit/redis'
import { DeadlineError } from '@passerelle/kit/resilience'
import { nowMs } from '@passerelle/kit/runtime'
import { LRUCache } from 'lru-cache'
import type { KnownOffer } from './domain/known-offer.ts'
import { normaliseOffer } from './domain/normalise.ts'
import type { Supplier, SupplierCall } from './duffel.ts'
import type { GoneOffers } from './gone-offers.ts'
import type { SingleFlight } from './single-flight.ts'

/** `readAt` is epoch milliseconds. */
export type CachedOffer = { known: KnownOffer; readAt: number }

/** full: with its available services, which takes the supplier longer. */
type Extent = 'full' | 'bare'

/** Which offer is read, how much of it, and how old a cached one may be. */
export type OfferRequest = { mode: Mode; supplierId: string; extent: Extent; maxAgeMs: number }

export type OfferCache = {
  /** From memory or Redis only. */
  cached(request: OfferRequest): Promise<CachedOffer | undefined>
  /** From memory or Redis, else from the supplier. Throws OFFER_NOT_FOUND, OFFER_EXPIRED or OFFER_FAILED. */
  recent(request: OfferRequest, network: string): Promise<CachedOffer>
  /** From the supplier, whatever is cached. */
  fresh(mode: Mode, supplierId: string, call: SupplierCall): Promise<CachedOffer>
}

const KEEP_MS = 30_000
const MOST = 2000

type OfferCacheTools = {
  suppliers(mode: Mode): Pick<Supplier, 'offer'>
  cache: Cache
  gone: GoneOffers
  singleFlight: SingleFlight
  /** Milliseconds that a visitor waits for an offer. */
  waitMs: number
  /** Called with each offer that was read in full: a visitor has opened it. */
  onOpened(entry: CachedOffer): Promise<void>
}

export function createOfferCache({ suppliers, cache, gone, singleFlight, waitMs, onOpened }: OfferCacheTools): OfferCache {
  const memory = new LRUCache<string, CachedOffer>({ max: MOST })

  const keep = (mode: Mode, supplierId: string, extent: Extent, entry: CachedOffer) => {
    memory.set(keyOf(mode, supplierId, extent), entry)
    return cache.set(keyOf(mode, supplierId, extent), JSON.stringify(entry), KEEP_MS)
  }

  const read = async (mode: Mode, supplierId: string, extent: Extent, call: SupplierCall): Promise<CachedOffer> => {
    const raw = await suppliers(mode).offer(supplierId, extent === 'full', call)
    const entry = { known: normalised(raw, mode), readAt: nowMs() }
    // Stored before it is shown, so that a later price change is distinguished from a price nobody saw.
    if (extent === 'full') await onOpened(entry)
    return entry
  }

  /** Young enough, and not read before the supplier said that the offer is gone. */
  const isUsable = async (entry: CachedOffer, maxAgeMs: number): Promise<boolean> => {
    if (nowMs() - entry.readAt > maxAgeMs) return false
    const goneAt = await gone.ask(entry.known.offer.id)
    return goneAt === undefined || goneAt < entry.readAt
  }

  const fromMemory = async ({ mode, supplierId, extent, maxAgeMs }: OfferRequest): Promise<CachedOffer | undefined> => {
    for (const one of extents(extent)) {
      const entry = memory.get(keyOf(mode, supplierId, one))
      if (entry && (await isUsable(entry, maxAgeMs))) return entry
    }
    return undefined
  }

  const fromCache = async ({ mode, supplierId, extent, maxAgeMs }: OfferRequest): Promise<CachedOffer | undefined> => {
    for (const one of extents(extent)) {
      const text = await cache.get(keyOf(mode, supplierId, one))
      const entry = text === undefined ? undefined : (JSON.parse(text) as CachedOffer)
      if (!entry || !(await isUsable(entry, maxAgeMs))) continue
      memory.set(keyOf(mode, supplierId, one), entry)
      return entry
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
            findShared: () => fromCache(request),
            async run(clients) {
              const entry = await read(mode, supplierId, extent, { clients })
              memory.set(keyOf(mode, supplierId, extent), entry)
              return entry
            },
            share: async (entry) => void (await keep(mode, supplierId, extent, entry)),
          },
          { client: network, waitMs },
        )
        return result
      } catch (error) {
        throw error instanceof DeadlineError ? new AppError('OFFER_FAILED', { cause: error, retryAfter: 2 }) : error
      }
    },
    async fresh(mode, supplierId, call) {
      const entry = await read(mode, supplierId, 'bare', call)
      void keep(mode, supplierId, 'bare', entry)
      // A cached full offer at the old price must not be shown after the new price was returned.
      const full = keyOf(mode, supplierId, 'full')
      if (memory.get(full)?.known.offer.total_amount !== entry.known.offer.total_amount) {
        memory.delete(full)
        await cache.delete(full)
      }
      return entry
    },
  }
}

/** A full offer answers for a bare one. */
const extents = (extent: Extent): Extent[] => (extent === 'full' ? ['full'] : ['bare', 'full'])
/** The number is the version of the cached shape: replicas of two releases do not read each other's. */
const keyOf = (mode: Mode, supplierId: string, extent: Extent) => `offer:2:${mode}:${extent}:${supplierId}`

function normalised(raw: Parameters<typeof normaliseOffer>[0], mode: Mode): KnownOffer {
  try {
    return normaliseOffer(raw, mode)
  } catch (cause) {
    throw new AppError('OFFER_FAILED', { cause })
  }
}
