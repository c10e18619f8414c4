/**
 * Time and chance. Services and the gateway read clocks, set timers and draw random values here and nowhere else, so that a whole
 * process can be run under a virtual clock with a seeded source.
 */
import * as crypto from 'node:crypto'

export type Timer = { unref(): Timer }

export type Runtime = {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds of a clock that never goes back, from an arbitrary start. */
  monotonic(): number
  setTimer(work: () => void, ms: number): Timer
  clearTimer(timer: Timer): void
  randomBytes(size: number): Buffer
}

const system: Runtime = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: (work, ms) => setTimeout(work, ms),
  clearTimer: (timer) => clearTimeout(timer as NodeJS.Timeout),
  randomBytes: (size) => crypto.randomBytes(size),
}

let runtime = system

/** For tests: replaces what is given until the returned function is called. */
export function replaceRuntime(parts: Partial<Runtime>): () => void {
  const before = runtime
  const use = (next: Runtime) => {
    runtime = next
    pool = Buffer.alloc(0)
    idPrefix = ''
  }
  use({ ...before, ...parts })
  return () => use(before)
}

/** Milliseconds since 1970. */
export const nowMs = (): number => runtime.now()

export const now = (): Date => new Date(runtime.now())

/** Milliseconds of a clock that never goes back, for durations. */
export const monotonicMs = (): number => runtime.monotonic()

/** Calls `work` once after `ms`. */
export const setTimer = (work: () => void, ms: number): Timer => runtime.setTimer(work, ms)

export const clearTimer = (timer: Timer | undefined): void => {
  if (timer) runtime.clearTimer(timer)
}

/** Calls `work` every `ms` until the returned function is called. Does not keep the process alive by itself. */
export function every(ms: number, work: () => void): () => void {
  let stopped = false
  let timer: Timer
  const next = () => {
    timer = runtime
      .setTimer(() => {
        if (stopped) return
        next()
        work()
      }, ms)
      .unref()
  }
  next()
  return () => {
    stopped = true
    runtime.clearTimer(timer)
  }
}

/** Resolves after `ms`, or at once when the signal is aborted. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimer(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimer(done, ms)
    signal?.addEventListener('abort', done)
  })
}

/** A signal that is aborted with a TimeoutError after `ms`. Does not keep the process alive by itself. */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController()
  setTimer(() => controller.abort(new DOMException(`longer than ${ms} ms`, 'TimeoutError')), ms).unref()
  return controller.signal
}

export const randomBytes = (size: number): Buffer => runtime.randomBytes(size)

/** `prefix` and `size` random bytes as base64url: `randomToken('usr_', 12)`. */
export const randomToken = (prefix: string, size: number): string => prefix + runtime.randomBytes(size).toString('base64url')

const POOL_BYTES = 4096
let pool: Buffer = Buffer.alloc(0)

/** A version 4 UUID, for names that are no secrets: its bytes come from a stock that is drawn for many at once. */
export function randomId(): string {
  if (pool.length < 16) pool = runtime.randomBytes(POOL_BYTES)
  const bytes = pool.subarray(0, 16)
  pool = pool.subarray(16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

let idPrefix = ''
let idCount = 0

/** For names that need only be different, and may be needed tens of thousands of times a second: a random beginning and a count. */
export function countedId(): string {
  if (idPrefix === '') idPrefix = randomToken('', 12)
  return `${idPrefix}-${(++idCount).toString(36)}`
}

/** At least 0 and below 1. */
export const random = (): number => runtime.randomBytes(6).readUIntBE(0, 6) / 2 ** 48

/** A whole number, at least `from` and below `to`. */
export const randomInt = (from: number, to: number): number => from + Math.floor(random() * (to - from))

/** Options that make an LRUCache take its time from here. */
export const cacheClock = { perf: { now: monotonicMs }, ttlResolution: 0 } as const
