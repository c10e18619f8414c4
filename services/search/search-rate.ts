/** How many new searches one network may have asked of the supplier: a bucket of tokens per network, in this process. */
import { AppError } from '@passerelle/contracts/error'
import { nowMs } from '@passerelle/kit/runtime'
import { LRUCache } from 'lru-cache'

export type SearchRate = {
  /** Throws RATE_LIMITED when the bucket does not hold so many. A search takes one, more while searches are slowed. */
  takeTokens(network: string, count: number): void
  /** The supplier was not asked after all. */
  returnTokens(network: string, count: number): void
}

/** Beyond this number the least recently used bucket is dropped. */
const MOST_NETWORKS = 50_000

/** @param burst tokens of a full bucket; `perMinute` come back, evenly. */
export function createSearchRate({ perMinute, burst }: { perMinute: number; burst: number }): SearchRate {
  const buckets = new LRUCache<string, { tokens: number; at: number }>({ max: MOST_NETWORKS })
  const perMs = perMinute / 60_000

  const bucketOf = (network: string) => {
    const at = nowMs()
    const last = buckets.get(network) ?? { tokens: burst, at }
    const bucket = { tokens: Math.min(burst, last.tokens + (at - last.at) * perMs), at }
    buckets.set(network, bucket)
    return bucket
  }

  return {
    takeTokens(network, count) {
      const bucket = bucketOf(network)
      // A search never takes more than a full bucket holds.
      const missing = Math.min(count, burst) - bucket.tokens
      if (missing > 0) throw new AppError('RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil(missing / perMs / 1000)) })
      bucket.tokens -= Math.min(count, burst)
    },
    returnTokens(network, count) {
      const bucket = bucketOf(network)
      bucket.tokens = Math.min(burst, bucket.tokens + count)
    },
  }
}
