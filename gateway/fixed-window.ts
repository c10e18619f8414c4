/** Counting in fixed windows, in this process. */

import { nowMs } from '@passerelle/kit/runtime'
import { LRUCache } from 'lru-cache'

export type Count = { count: number; resetSeconds: number }

export type FixedWindow = {
  /** Counts one more. */
  add(key: string, seconds: number): Count
  /** One that was counted turned out not to matter. */
  takeBack(key: string): void
}

/** `most`: keys that are kept; the one that was counted longest ago goes first. */
export function fixedWindow(most: number): FixedWindow {
  const windows = new LRUCache<string, { count: number; until: number }>({ max: most })
  return {
    add(key, seconds) {
      const now = nowMs()
      const open = windows.get(key)
      const window = open && open.until > now ? open : { count: 0, until: now + seconds * 1000 }
      window.count++
      windows.set(key, window)
      return { count: window.count, resetSeconds: Math.max(1, Math.ceil((window.until - now) / 1000)) }
    },
    takeBack(key) {
      const window = windows.get(key)
      if (window) window.count--
    },
  }
}
