/** Counting in fixed windows, in this process. */
import { cacheClock } from '@passerelle/kit/runtime'
import { LRUCache } from 'lru-cache'

export type Count = { count: number; resetSeconds: number }

type FixedWindow = {
  /** Counts one more. */
  add(key: string, seconds: number): Count
  /** Takes one back that should not have counted. */
  subtract(key: string): void
}

/** @param max keys that are kept; the least recently counted one is dropped first */
export function fixedWindow(max: number): FixedWindow {
  const windows = new LRUCache<string, { count: number }>({ max, ttl: 1, ...cacheClock })
  return {
    add(key, seconds) {
      const open = windows.get(key)
      const window = open ?? { count: 0 }
      if (!open) windows.set(key, window, { ttl: seconds * 1000 })
      window.count++
      return { count: window.count, resetSeconds: Math.max(1, Math.ceil(windows.getRemainingTTL(key) / 1000)) }
    },
    subtract(key) {
      const window = windows.get(key)
      if (window) window.count--
    },
  }
}
