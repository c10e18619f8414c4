/** How many new searches one network may have asked of the supplier: a bucket of tokens per network, in this process. */
import { AppError } from '@passerelle/contracts/error'
import { nowMs } from '@passerelle/kit/runtime'
import { LRUCache } from 'lru-cache'

export type SearchRate = {
  /** Throws RATE_LIMITED when the bucket is empty. */
  takeToken(network: string): void
  /** The supplier was not asked after all. */
  returnToken(network: string): void
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
    takeToken(network) {
      const bucket = bucketOf(network)
      if (bucket.tokens < 1) throw new AppError('RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000)) })
      bucket.tokens -= 1
    },
    returnToken(network) {
      const bucket = bucketOf(network)
      bucket.tokens = Math.min(burst, bucket.tokens + 1)
    },
  }
}
