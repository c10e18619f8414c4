/** Redis as a cache that may be slow, flushed or unavailable: each command has a deadline and a circuit breaker, and failures are misses. */
import { Redis } from 'ioredis'
import type { Log } from './log.ts'
import { guard } from './resilience.ts'
import { setTimer } from './runtime.ts'

export type Cache = {
  /** undefined: a miss, or Redis did not answer in time. */
  get(key: string): Promise<string | undefined>
  /** Several at once, in the order of the keys. */
  getAll(keys: readonly string[]): Promise<(string | undefined)[]>
  set(key: string, value: string, ttlMs: number): Promise<boolean>
  /** Leaves what is there. */
  setIfAbsent(key: string, value: string, ttlMs: number): Promise<void>
  delete(...keys: string[]): Promise<void>
  /** Adds to a set that expires `ttlMs` after the last addition; false when Redis did not take it. */
  add(key: string, members: readonly string[], ttlMs: number): Promise<boolean>
  /** Empty also when Redis did not answer in time. */
  members(key: string): Promise<string[]>
  /** Takes a lock that expires by itself. "held": another process has it. "unavailable": go on without. */
  lock(key: string, ttlMs: number): Promise<'taken' | 'held' | 'unavailable'>
  /** Adds to counters in fixed windows, each of which begins with its first addition; undefined while Redis is unavailable. */
  count(additions: readonly Addition[]): Promise<{ count: number; resetMs: number }[] | undefined>
  isUnavailable(): boolean
  close(): Promise<void>
}

type Addition = { key: string; by: number; windowSeconds: number }

/** @param commandMs a slower command is a miss */
export async function connectCache(url: string, log: Log, { prefix, commandMs }: { prefix: string; commandMs: number }): Promise<Cache> {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: commandMs * 2,
    connectTimeout: 1000,
    retryStrategy: (attempt) => Math.min(100 * attempt, 1000),
    keyPrefix: prefix,
    enableReadyCheck: false,
  })
  let reported = false
  redis.on('error', (err) => {
    if (!reported) log.warn({ err }, 'Redis is unavailable')
    reported = true
  })
  redis.on('ready', () => {
    reported = false
  })
  await new Promise<void>((resolve) => {
    redis.once('ready', () => resolve())
    setTimer(resolve, 1500).unref()
  })
  const guarded = guard({ name: 'redis', timeoutMs: commandMs, breakAfter: 5, openMs: 2000 })
  const attempt = <T>(work: () => Promise<T>): Promise<T | undefined> => guarded(work).catch(() => undefined)

  return {
    async get(key) {
      return (await attempt(() => redis.get(key))) ?? undefined
    },
    async getAll(keys) {
      const values = keys.length > 0 ? await attempt(() => redis.mget(...keys)) : undefined
      return keys.map((_, index) => values?.[index] ?? undefined)
    },
    async set(key, value, ttlMs) {
      return (await attempt(() => redis.set(key, value, 'PX', Math.max(1, Math.floor(ttlMs))))) === 'OK'
    },
    async setIfAbsent(key, value, ttlMs) {
      await attempt(() => redis.set(key, value, 'PX', Math.max(1, Math.floor(ttlMs)), 'NX'))
    },
    async delete(...keys) {
      if (keys.length > 0) await attempt(() => redis.del(...keys))
    },
    async add(key, members, ttlMs) {
      const answer = await attempt(() =>
        redis
          .multi()
          .sadd(key, ...members)
          .pexpire(key, ttlMs)
          .exec(),
      )
      return answer?.every(([error]) => error === null) ?? false
    },
    async members(key) {
      return (await attempt(() => redis.smembers(key))) ?? []
    },
    async lock(key, ttlMs) {
      const answer = await attempt(async () => ((await redis.set(key, '1', 'PX', ttlMs, 'NX')) === 'OK' ? 'taken' : 'held'))
      return answer ?? 'unavailable'
    },
    count: (additions) =>
      attempt(() =>
        Promise.all(
          additions.map(async ({ key, by, windowSeconds }) => {
            const ttl = windowSeconds * 1000
            const answer = await redis.multi().incrby(key, by).pexpire(key, ttl, 'NX').pttl(key).exec()
            const [count = 0, , resetMs = ttl] = (answer ?? []).map(([error, value]) => (error ? 0 : Number(value)))
            return { count, resetMs: Math.max(0, resetMs) }
          }),
        ),
      ),
    isUnavailable: () => guarded.isOpen() || redis.status !== 'ready',
    async close() {
      redis.disconnect()
    },
  }
}
