/**
 * Concurrent requests for the same work run it once: in a process by sharing one promise, across replicas by a lock in Redis. Without
 * Redis each process runs the work itself.
 */
import { AppError, type ErrorCode } from '@passerelle/contracts/error'
import { Clients, ShareExceededError } from '@passerelle/kit/fair-bulkhead'
import type { Log } from '@passerelle/kit/log'
import type { Cache } from '@passerelle/kit/redis'
import { DeadlineError, withDeadline } from '@passerelle/kit/resilience'
import { delay, every, monotonicMs } from '@passerelle/kit/runtime'

/** A lock outlives its dead holder by this; a living holder renews it three times as often. */
const LOCK_MS = 4000
const POLL_MS = 40
/** A single late answer from Redis does not count as an outage. */
const PATIENT_TRIES = 3
/** How long a failure is passed on to replicas that wait for the same work. */
const FAILURE_MS = 2000

export type Work<T> = {
  /** The result of another replica; undefined when there is none that can be used. */
  findShared(): Promise<T | undefined>
  /** Called before the work is started, not when it is joined. What it throws reaches its caller only. */
  admit?(): void
  /** `clients`: the clients that wait for it. */
  run(clients: Clients): Promise<T>
  /** Makes the result available to the other replicas; runs after the caller has been answered. */
  share(result: T): Promise<void>
}

export type Outcome<T> = { result: T; source: 'made' | 'shared' }

export type SingleFlight = {
  /** Joins the work under way for this key, or starts it. Callers get a DeadlineError after `waitMs`; the work itself continues. */
  join<T>(key: string, work: Work<T>, by: { client: string; waitMs: number }): Promise<Outcome<T>>
  /** Waits for running work and for results that are still being shared. */
  settle(): Promise<void>
}

export function createSingleFlight(cache: Cache, log: Log): SingleFlight {
  const underWay = new Map<string, { outcome: Promise<Outcome<unknown>>; clients: Clients }>()
  const sharing = new Set<Promise<void>>()

  /** Shares the result before it releases the lock, so that the next holder finds the result. */
  const release = (key: string, share: () => Promise<unknown>) => {
    const shared = share()
      .catch((err) => log.warn({ err }, 'a result could not be shared'))
      // If the lock has expired, this may delete another replica's: the supplier is then called twice.
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
      // A client over its share fails alone; callers at other replicas run the work themselves.
      release(key, async () => error instanceof ShareExceededError || cache.set(failureOf(key), describe(error), FAILURE_MS))
      throw error
    } finally {
      stopRenewal()
    }
  }

  const start = async <T>(key: string, work: Work<T>, clients: Clients, waitMs: number): Promise<Outcome<T>> => {
    const until = monotonicMs() + waitMs
    let unanswered = 0
    for (let waited = false; monotonicMs() < until; waited = true) {
      const lock = await cache.lock(lockOf(key), LOCK_MS)
      if (lock === 'unavailable') {
        unanswered += 1
        if (cache.isUnavailable() || unanswered > PATIENT_TRIES) return { result: await work.run(clients), source: 'made' }
      }
      if (lock !== 'taken') {
        await delay(POLL_MS)
        continue
      }
      const shared = (await work.findShared()) ?? (waited ? await work.findShared() : undefined)
      if (shared !== undefined) {
        await cache.delete(lockOf(key))
        return { result: shared, source: 'shared' }
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
      const until = monotonicMs() + waitMs
      for (;;) {
        const joined = underWay.get(key)
        joined?.clients.add(client)
        const current = joined ?? begin(key, work, client, waitMs)
        try {
          return (await withDeadline(kindOf(key), Math.max(0, until - monotonicMs()), current.outcome)) as Outcome<T>
        } catch (error) {
          // The client that started the work was over its share; others run it again.
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

/** The part of a key that may stand in a message. */
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
