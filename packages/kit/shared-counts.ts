/**
 * Counts in fixed windows that all replicas share: what happens here is counted in this process at once and in Redis in batches, whose
 * answer says what the others have counted. While Redis is unavailable the local count still holds.
 */
import { LRUCache } from 'lru-cache'
import type { Cache } from './redis.ts'
import { every, nowMs } from './runtime.ts'

/** One key's window: what this process has counted, and what all others had when Redis was last asked. It begins anew in its place. */
export type Window = {
  key: string
  seconds: number
  own: number
  unsent: number
  others: number
  /** Epoch milliseconds. */
  resetAt: number
  round: number
  isDropped: boolean
}

export type SharedCounts = {
  /** The current window of a key; beyond `most` keys the least recently used is dropped. */
  windowOf(key: string, seconds: number): Window
  /** The same window, begun anew if it is over. */
  current(window: Window): Window
  /**
   * Counts one more. Sent at once when the process has a share of `max` that was not sent yet, so that however fast somebody calls, the
   * replicas together stay within a few hundredths of it.
   * @returns what this process has counted in the window
   */
  add(window: Window, max: number): number
  /** Takes one back that should not have counted. */
  subtract(window: Window): void
  /** Sends what was not sent of these windows, and learns what others have counted. */
  send(windows: Iterable<Window>): Promise<void>
  /** Sends the last counts. */
  stop(): Promise<void>
}

/** A batch that comes too late would let visibly more through a limit below this. */
export const TIGHT = 30
const BATCH_MS = 100
/** A window is also sent as soon as this part of its limit is counted here alone. */
const SHARES = 40

export function sharedCounts(cache: Pick<Cache, 'count'>, most: number): SharedCounts {
  const windows = new LRUCache<string, Window>({
    max: most,
    dispose: (window) => {
      window.isDropped = true
    },
  })
  const unsent = new Set<Window>()

  const current = (window: Window): Window => {
    if (window.resetAt > nowMs()) return window
    const resetAt = nowMs() + window.seconds * 1000
    return Object.assign(window, { own: 0, unsent: 0, others: 0, resetAt, round: window.round + 1 })
  }

  const send = async (all: Iterable<Window>): Promise<void> => {
    const batch = [...all].flatMap((window) => {
      unsent.delete(window)
      const { key, unsent: by, seconds: windowSeconds, round } = window
      return by !== 0 && window.resetAt > nowMs() ? [{ window, round, addition: { key, by, windowSeconds } }] : []
    })
    for (const { window, addition } of batch) window.unsent -= addition.by
    const totals = await cache.count(batch.map(({ addition }) => addition))
    for (const [index, { window, round }] of batch.entries()) {
      const total = totals?.[index]
      if (!total || window.round !== round) continue
      window.others = Math.max(0, total.count - (window.own - window.unsent))
      window.resetAt = nowMs() + total.resetMs
    }
  }
  const endBatches = every(BATCH_MS, () => {
    if (unsent.size > 0) void send(unsent)
  })

  return {
    windowOf(key, seconds) {
      const known = windows.get(key)
      if (known) return current(known)
      const window = current({ key, seconds, own: 0, unsent: 0, others: 0, resetAt: 0, round: 0, isDropped: false })
      windows.set(key, window)
      return window
    },
    current,
    add(window, max) {
      if (window.unsent++ === 0) unsent.add(window)
      window.own++
      if (max >= TIGHT && window.unsent * SHARES >= max) void send([window])
      return window.own
    },
    subtract(window) {
      window.unsent--
      window.own--
      unsent.add(window)
    },
    send,
    async stop() {
      endBatches()
      if (unsent.size > 0) await send(unsent)
    },
  }
}

/** Whole seconds until the window is over; at least 1. */
export const secondsLeft = ({ resetAt }: Window): number => Math.max(1, Math.ceil((resetAt - nowMs()) / 1000))
