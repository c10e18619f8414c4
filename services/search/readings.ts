/** Offers as the supplier tells them now, or told them a moment ago: many visitors of one offer are one call. */
import { AppError } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import type { Cache } from '@passerelle/kit/redis'
import { DeadlineError } from '@passerelle/kit/resilience'
import { LRUCache } from 'lru-cache'
import type { KnownOffer } from './domain/known-offer.ts'
import { normaliseOffer } from './domain/normalise.ts'
import type { Supplier } from './duffel.ts'
import type { Flights } from './flights.ts'

/** `readAt` is epoch milliseconds. */
export type Reading = { known: KnownOffer; readAt: number }

/** full: with its available services, which takes the supplier longer. */
export type Extent = 'full' | 'bare'

export type Readings = {
  /** Not older than `maxAgeMs`. Throws OFFER_NOT_FOUND, OFFER_EXPIRED or OFFER_FAILED. */
  recent(mode: Mode, supplierId: string, extent: Extent, maxAgeMs: number): Promise<Reading>
  /** From the supplier, whatever is known. */
  fresh(mode: Mode, supplierId: string): Promise<Reading>
}

const KEEP_MS = 30_000
const MOST = 2000

export type ReadingTools = {
  suppliers(mode: Mode): Pick<Supplier, 'offer'>
  cache: Cache
  flights: Flights
  clock(): number
  /** Milliseconds that a visitor waits for a reading. */
  waitMs: number
  /** Told of each full reading: the offer has been opened. */
  onOpened(reading: Reading): Promise<void>
}

export function createReadings({ suppliers, cache, flights, clock, waitMs, onOpened }: ReadingTools): Readings {
  const memory = new LRUCache<string, Reading>({ max: MOST })

  const keep = (mode: Mode, supplierId: string, extent: Extent, reading: Reading) => {
    memory.set(keyOf(mode, supplierId, extent), reading)
    return cache.set(keyOf(mode, supplierId, extent), JSON.stringify(reading), KEEP_MS)
  }

  const read = async (mode: Mode, supplierId: string, extent: Extent): Promise<Reading> => {
    const raw = await suppliers(mode).offer(supplierId, extent === 'full')
    const reading = { known: normalised(raw, mode), readAt: clock() }
    // Before it is shown: a price that moves later is told apart from one that nobody was shown.
    if (extent === 'full') await onOpened(reading)
    return reading
  }

  const isRecent = (reading: Reading | undefined, maxAgeMs: number): reading is Reading =>
    reading !== undefined && clock() - reading.readAt <= maxAgeMs

  /** A full reading answers for a bare one. */
  const remembered = (mode: Mode, supplierId: string, extent: Extent, maxAgeMs: number): Reading | undefined =>
    extents(extent)
      .map((one) => memory.get(keyOf(mode, supplierId, one)))
      .find((reading) => isRecent(reading, maxAgeMs))

  const recall = async (mode: Mode, supplierId: string, extent: Extent, maxAgeMs: number): Promise<Reading | undefined> => {
    for (const one of extents(extent)) {
      const text = await cache.get(keyOf(mode, supplierId, one))
      const reading = text === undefined ? undefined : (JSON.parse(text) as Reading)
      if (!isRecent(reading, maxAgeMs)) continue
      memory.set(keyOf(mode, supplierId, one), reading)
      return reading
    }
    return undefined
  }

  return {
    async recent(mode, supplierId, extent, maxAgeMs) {
      const known = remembered(mode, supplierId, extent, maxAgeMs) ?? (await recall(mode, supplierId, extent, maxAgeMs))
      if (known) return known
      try {
        const { result } = await flights.join<Reading>(
          keyOf(mode, supplierId, extent),
          {
            recall: () => recall(mode, supplierId, extent, maxAgeMs),
            async work() {
              const reading = await read(mode, supplierId, extent)
              memory.set(keyOf(mode, supplierId, extent), reading)
              return reading
            },
            share: async (reading) => void (await keep(mode, supplierId, extent, reading)),
          },
          waitMs,
        )
        return result
      } catch (error) {
        throw error instanceof DeadlineError ? new AppError('OFFER_FAILED', { cause: error, retryAfter: 2 }) : error
      }
    },
    async fresh(mode, supplierId) {
      const reading = await read(mode, supplierId, 'bare')
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
