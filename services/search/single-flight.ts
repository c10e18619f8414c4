/**
 * Work that many want at once is done once: per process by sharing one promise, across replicas by a lock in the shared cache.
 * Without the cache every process works for itself.
 */
import { AppError, type ErrorCode } from '@passerelle/contracts/error'
import { Clients, ShareExceededError } from '@passerelle/kit/fair-bulkhead'
import type { Log } from '@passerelle/kit/log'
import type { Cache } from '@passerelle/kit/redis'
import { DeadlineError, withDeadline } from '@passerelle/kit/resilience'
import { delay, every, nowMs } from '@passerelle/kit/runtime'

/** A lock outlives its dead holder by this; a living holder renews it three times as often. */
const LOCK_MS = 4000
const POLL_MS = 40
/** One late answer of the cache, in a busy moment of this process, does not mean that everybody is alone. */
const PATIENT_TRIES = 3
/** Others learn of a failure instead of failing one after the other. */
const FAILURE_MS = 2000

export type Work<T> = {
  /** What another replica has made meanwhile; undefined: nothing that will do. */
  recall(): Promise<T | undefined>
  /** Called before it is started, not when it is joined; what it throws concerns its caller alone. */
  admit?(): void
  /** `clients`: everybody who waits for it. */
  run(clients: Clients): Promise<T>
  /** Makes the result known to the other replicas. Nobody waits for it but them. */
  share(result: T): Promise<void>
}

export type Outcome<T> = { result: T; source: 'made' | 'recalled' }

export type SingleFlight = {
  /** Joins the work under way for this key, or starts it. It goes on when those who wait have given up, with a DeadlineError, after `waitMs`. */
  join<T>(key: string, work: Work<T>, by: { client: string; waitMs: number }): Promise<Outcome<T>>
  /** Waits for what is still being shared. */
  settle(): Promise<void>
}

export function createSingleFlight(cache: Cache, log: Log): SingleFlight {
  const underWay = new Map<string, { outcome: Promise<Outcome<unknown>>; clients: Clients }>()
  const sharing = new Set<Promise<void>>()

  /** Result first, lock afterwards, so that whoever gets the lock next finds the result. */
  const release = (key: string, share: () => Promise<unknown>) => {
    const shared = share()
      .catch((err) => log.warn({ err }, 'a result could not be shared'))
      // Should the lock have expired meanwhile, this may take somebody else's: then one supplier call is made twice, nothing worse.
      .then(() => cache.delete(lockOf(key)))
      .finally(() => sharing.delete(shared))
    sharing.add(shared)
  }

  const runLocked = async <T>(key: string, work: Work<T>, clients: Clients): Promise<Outcome<T>> => {
    const stopRenewal = every(LOCK_MS / 3, () => void cache.set(lockOf(key), '1', LOCK_MS))
    try {
      const result = await work.run(clients)
      release(key, () => work.share(result))
      return { result, source: 'made' }
    } catch (error) {
      // A client that has too much under way fails alone: whoever waits at another replica tries for itself.
      release(key, async () => error instanceof ShareExceededError || cache.set(failureOf(key), describe(error), FAILURE_MS))
      throw error
    } finally {
      stopRenewal()
    }
  }

  const start = async <T>(key: string, work: Work<T>, clients: Clients, waitMs: number): Promise<Outcome<T>> => {
    const until = nowMs() + waitMs
    let unanswered = 0
    for (let waited = false; nowMs() < until; waited = true) {
      const lock = await cache.lock(lockOf(key), LOCK_MS)
      if (lock === 'unavailable') {
        unanswered += 1
        if (cache.isUnavailable() || unanswered > PATIENT_TRIES) return { result: await work.run(clients), source: 'made' }
      }
      if (lock !== 'taken') {
        await delay(POLL_MS)
        continue
      }
      const recalled = (await work.recall()) ?? (waited ? await work.recall() : undefined)
      if (recalled !== undefined) {
        await cache.delete(lockOf(key))
        return { result: recalled, source: 'recalled' }
      }
      const failure = waited ? await cache.get(failureOf(key)) : undefined
      if (failure !== undefined) {
        await cache.delete(lockOf(key))
        throw read(failure)
      }
      return runLocked(key, work, clients)
    }
    throw new DeadlineError(`another replica's ${kindOf(key)}`, waitMs)
  }

  const begin = <T>(key: string, work: Work<T>, client: string, waitMs: number) => {
    work.admit?.()
    const clients = new Clients(client)
    const outcome = start(key, work, clients, waitMs).finally(() => underWay.delete(key))
    const started = { outcome, clients }
    underWay.set(key, started)
    return started
  }

  return {
    async join<T>(key: string, work: Work<T>, { client, waitMs }: { client: string; waitMs: number }) {
      const until = nowMs() + waitMs
      for (;;) {
        const joined = underWay.get(key)
        joined?.clients.add(client)
        const current = joined ?? begin(key, work, client, waitMs)
        try {
          return (await withDeadline(kindOf(key), Math.max(0, until - nowMs()), current.outcome)) as Outcome<T>
        } catch (error) {
          // Whoever started it had too much under way already; that is no answer for anybody else.
          if (!(error instanceof ShareExceededError) || error.client === client) throw error
        }
      }
    },
    async settle() {
      await Promise.allSettled([...underWay.values()].map(({ outcome }) => outcome))
      await Promise.allSettled([...sharing])
    },
  }
}

/** The part of a key that may be told. */
const kindOf = (key: string) => key.split(':', 1)[0] ?? key
const lockOf = (key: string) => `lock:${key}`
const failureOf = (key: string) => `failed:${key}`

type Failure = { code: ErrorCode; message: string; retryAfter?: number }

function describe(error: unknown): string {
  const known = error instanceof AppError ? error : new AppError('UPSTREAM_UNAVAILABLE')
  const failure: Failure = { code: known.code, message: known.message, ...(known.retryAfter && { retryAfter: known.retryAfter }) }
  return JSON.stringify(failure)
}

function read(text: string): AppError {
  const { code, ...more } = JSON.parse(text) as Failure
  return new AppError(code, more)
}
