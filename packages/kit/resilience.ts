/** Nothing hangs without a deadline, nothing that is down is asked again and again, nothing is asked by everybody at once. */
import { AppError, type ErrorCode } from '@passerelle/contracts/error'
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IPolicy,
  noop,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel'

export { BrokenCircuitError, BulkheadRejectedError }

/** Milliseconds. */
export const seconds = (count: number) => count * 1000

export class DeadlineError extends Error {
  constructor(what: string, ms: number) {
    super(`${what} took longer than ${ms} ms`)
    this.name = 'DeadlineError'
  }
}

/** Rejects with DeadlineError after `ms`. The work itself may go on: give it a signal where it takes one. */
export async function withDeadline<T>(what: string, ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new DeadlineError(what, ms)), ms)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}

export type GuardOptions = {
  name: string
  /** Milliseconds per call. */
  timeoutMs: number
  /** Calls under way at once; more wait in the queue, then are refused. */
  concurrent?: number
  queue?: number
  /** Consecutive failures after which calls are refused at once, for `openMs`. */
  breakAfter?: number
  openMs?: number
  /** Which errors count against the breaker; a refusal by a healthy server should not. */
  isFailure?: (error: unknown) => boolean
  /** What a refusal by breaker or bulkhead becomes. */
  refusal?: ErrorCode
}

export type Guard = { <T>(work: () => Promise<T>): Promise<T>; isOpen(): boolean }

/** One policy per outside peer: deadline inside breaker inside bulkhead. */
export function guard(options: GuardOptions): Guard {
  const breaker = circuitBreaker(handleWhen(options.isFailure ?? (() => true)), {
    halfOpenAfter: options.openMs ?? 2000,
    breaker: new ConsecutiveBreaker(options.breakAfter ?? 5),
  })
  const limit: IPolicy = options.concurrent ? bulkhead(options.concurrent, options.queue ?? 0) : noop
  const deadline = timeout(options.timeoutMs, TimeoutStrategy.Aggressive)
  const policy = wrap(limit, breaker, deadline)
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return (await policy.execute(() => work())) as T
    } catch (error) {
      if (error instanceof TaskCancelledError) throw new DeadlineError(options.name, options.timeoutMs)
      if (options.refusal && (error instanceof BrokenCircuitError || error instanceof BulkheadRejectedError))
        throw new AppError(options.refusal, { cause: error, retryAfter: 2 })
      throw error
    }
  }
  return Object.assign(run, { isOpen: () => breaker.state === 1 })
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })
}
