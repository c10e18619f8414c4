/** Result sets in the cache that all replicas share: compressed, because a set of 245 offers is over a megabyte of very similar texts. */
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { Cache } from '@passerelle/kit/redis'
import { type Cheapest, cheapestOf } from './domain/lowest-price.ts'
import { decodeResultSet, encodeResultSet, type ResultSet } from './domain/result-set.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

const MOST_BYTES = 64 * 1024 * 1024

export type ResultSetCache = {
  /** undefined: none, unreadable, or the cache is away. */
  read(key: string): Promise<ResultSet | undefined>
  /** The id of the current set of this key, without reading the set. */
  currentId(key: string): Promise<string | undefined>
  /** The cheapest offers of the current sets of these keys, in their order, without reading the sets. */
  cheapest(keys: readonly string[]): Promise<(Cheapest | undefined)[]>
  write(key: string, set: ResultSet, now: number): Promise<void>
}

export function createResultSetCache(cache: Cache): ResultSetCache {
  return {
    async read(key) {
      const text = await cache.get(setKey(key))
      if (text === undefined) return undefined
      try {
        const plain = await decompress(Buffer.from(text, 'base64'), { maxOutputLength: MOST_BYTES })
        return decodeResultSet(plain.toString()) ?? undefined
      } catch {
        return undefined
      }
    },
    currentId: (key) => cache.get(currentKey(key)),
    async cheapest(keys) {
      const texts = await cache.getAll(keys.map(cheapestKey))
      return texts.map((text) => (text === undefined ? undefined : (JSON.parse(text) as Cheapest)))
    },
    async write(key, set, now) {
      const ttl = set.staleUntil - now
      if (ttl <= 0) return
      const packed = await compress(encodeResultSet(set))
      if (!(await cache.set(setKey(key), packed.toString('base64'), ttl))) return
      await Promise.all([cache.set(currentKey(key), set.id, ttl), cache.set(cheapestKey(key), JSON.stringify(cheapestOf(set)), ttl)])
    },
  }
}

/** The number is the version of the text's shape: replicas of two releases do not read each other's. */
const setKey = (key: string) => `set:4:${key}`
const currentKey = (key: string) => `current:4:${key}`
const cheapestKey = (key: string) => `cheapest:1:${key}`
