/** For tests without servers: a shared cache in memory. */
import type { Cache } from '@passerelle/kit/redis'
import { nowMs } from '@passerelle/kit/runtime'

export type CacheFixture = Cache & { away: boolean; flush(): void; keys(): string[] }

export function createCacheFixture(): CacheFixture {
  const kept = new Map<string, { value: string; until: number }>()
  const alive = (key: string) => {
    const entry = kept.get(key)
    return entry && entry.until > nowMs() ? entry.value : undefined
  }
  const fixture: CacheFixture = {
    away: false,
    flush: () => kept.clear(),
    keys: () => [...kept.keys()].filter((key) => alive(key) !== undefined),
    get: async (key) => (fixture.away ? undefined : alive(key)),
    getAll: (keys) => Promise.all(keys.map(fixture.get)),
    async set(key, value, ttlMs) {
      if (!fixture.away) kept.set(key, { value, until: nowMs() + ttlMs })
      return !fixture.away
    },
    async setIfAbsent(key, value, ttlMs) {
      if (alive(key) === undefined) await fixture.set(key, value, ttlMs)
    },
    async delete(...keys) {
      for (const key of keys) kept.delete(key)
    },
    async add(key, members, ttlMs) {
      const all = new Set([...(await fixture.members(key)), ...members])
      return fixture.set(key, JSON.stringify([...all]), ttlMs)
    },
    members: async (key) => JSON.parse((await fixture.get(key)) ?? '[]') as string[],
    async lock(key, ttlMs) {
      if (fixture.away) return 'unavailable'
      if (alive(key) !== undefined) return 'held'
      kept.set(key, { value: '1', until: nowMs() + ttlMs })
      return 'taken'
    },
    count: async () => undefined,
    isUnavailable: () => fixture.away,
    close: async () => undefined,
  }
  return fixture
}
