/** Deadlines, circuit breakers, bulkheads and retries. */
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
} from 'cockatiel'
import { LRUCache } from 'lru-cache'
import { type Clients, createFairBulkhead } from './fair-bulkhead.ts'
import { clearTimer, monotonicMs, setTimer, type Timer, timeoutSignal } from './runtime.ts'

export class DeadlineError extends Error {
  constructor(what: string, ms: number) {
    super(`${what} took longer than ${ms} ms`)
    this.name = 'DeadlineError'
  }
}

/** Rejects with DeadlineError after `ms`. The work itself may go on: give it a signal where it takes one. */
export async function withDeadline<T>(what: string, ms: number, work: Promise<T>): Promise<T> {
  let timer: Timer | undefined
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimer(() => reject(new DeadlineError(what, ms)), ms)
      }),
    ])
  } finally {
    clearTimer(timer)
  }
}

type GuardOptions = {
  name: string
  /** Milliseconds per call. */
  timeoutMs: number
  /** Calls at once; more wait in the queue, then are refused. */
  concurrent?: number
  queue?: number
  /**
   * For calls on behalf of clients: one client's share of the places and of the queue, 0 to 1, and how long a call waits. Calls of the
   * system itself have as many places again.
   */
  fair?: { share: number; maxWaitMs: number }
  /** Consecutive failures after which calls are refused at once, for `openMs`. */
  breakAfter?: number
  openMs?: number
  /** Which errors count against the breaker; a refusal by a healthy server should not. */
  isFailure?: (error: unknown) => boolean
  /** The error code of a refusal by breaker or bulkhead. */
  refusal?: ErrorCode
}

export type GuardedCall = {
  /** On whose behalf; absent: the system's own call. */
  clients?: Clients | undefined
  /** When aborted, a call that still waits for a place is not made. */
  signal?: AbortSignal | undefined
}

export type Guard = { <T>(work: () => Promise<T>, call?: GuardedCall): Promise<T>; isOpen(): boolean }

/** Clients with a breaker of their own. */
const MOST_CLIENTS = 2000

/** One policy per outside peer: deadline inside breaker inside bulkhead. */
export function guard(options: GuardOptions): Guard {
  const { name, timeoutMs, concurrent, queue = 0, fair, refusal, isFailure = () => true } = options
  const countsAgainst = (error: unknown) =>
    !(error instanceof SameClientError) && !(error instanceof BrokenCircuitError) && isFailure(error)
  const breakerOf = () =>
    circuitBreaker(handleWhen(countsAgainst), {
      halfOpenAfter: options.openMs ?? 2000,
      breaker: new ConsecutiveBreaker(options.breakAfter ?? 5),
    })
  const breaker = breakerOf()
  const clientBreakers = new LRUCache<string, ReturnType<typeof breakerOf>>({ max: MOST_CLIENTS })
  const own: IPolicy = concurrent ? bulkhead(concurrent, queue) : noop
  const shared = fair && concurrent ? createFairBulkhead({ concurrent, queue, ...fair, refusal: refusal ?? 'UPSTREAM_UNAVAILABLE' }) : null
  let lastToFail: string | undefined

  const attempt = <T>(work: () => Promise<T>) => breaker.execute(() => withDeadline(name, timeoutMs, work())) as Promise<T>

  /** Failing calls of one client open that client's breaker; the common one opens when calls of several clients fail. */
  const attemptFor = async <T>(client: string, work: () => Promise<T>): Promise<T> => {
    const clientBreaker = clientBreakers.get(client) ?? breakerOf()
    clientBreakers.set(client, clientBreaker)
    try {
      return (await breaker.execute(async () => {
        try {
          return await clientBreaker.execute(() => withDeadline(name, timeoutMs, work()))
        } catch (error) {
          if (!countsAgainst(error)) throw error
          const again = client === lastToFail
          lastToFail = client
          throw again ? new SameClientError(error) : error
        }
      })) as T
    } catch (error) {
      throw error instanceof SameClientError ? error.cause : error
    }
  }

  const run = async <T>(work: () => Promise<T>, { clients, signal }: GuardedCall = {}): Promise<T> => {
    try {
      if (shared && clients) return await shared.run(clients, (client) => attemptFor(client, work))
      return (await own.execute(() => attempt(work), signal)) as T
    } catch (error) {
      if (error instanceof TaskCancelledError) throw new DeadlineError(name, timeoutMs)
      if (refusal && (error instanceof BrokenCircuitError || error instanceof BulkheadRejectedError))
        throw new AppError(refusal, { cause: error, retryAfter: 2 })
      throw error
    }
  }
  return Object.assign(run, { isOpen: () => breaker.state === 1 })
}

/** A failure of the client who was also the last to fail; it does not count against the common breaker. */
class SameClientError extends Error {
  constructor(cause: unknown) {
    super('failed again', { cause })
  }
}

/** One deadline for several steps: none begins after it, and none is waited for longer. */
export type Budget = {
  leftMs(): number
  /** Aborted when the time is over. */
  signal: AbortSignal
  /** Throws DeadlineError without starting the work when less than `leastMs` is left. */
  step<T>(work: () => Promise<T>, leastMs?: number): Promise<T>
}

export function budget(what: string, ms: number): Budget {
  const until = monotonicMs() + ms
  const leftMs = () => Math.max(0, Math.ceil(until - monotonicMs()))
  return {
    leftMs,
    signal: timeoutSignal(ms),
    step: async (work, leastMs = 1) => {
      if (leftMs() < leastMs) throw new DeadlineError(what, ms)
      return withDeadline(what, leftMs(), work())
    },
  }
}

const NEVER_CONNECTED = ['ECONNREFUSED', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']
const CONNECTION_LOST = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** The connection ended before a response: a process that ends closes its keep-alive connections, also under a new request. */
export function isConnectionLost(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: { code?: string } }
  return CONNECTION_LOST.includes(code ?? cause?.code ?? '')
}

/** Nobody listens there, or nobody took the connection in time: the request was not sent. */
export function isConnectionRefused(error: unknown): boolean {
  const { code, syscall, cause } = (error ?? {}) as { code?: string; syscall?: string; cause?: { code?: string } }
  return NEVER_CONNECTED.includes(code ?? cause?.code ?? '') || (code === 'ETIMEDOUT' && syscall === 'connect')
}

/** Repeats a call once when its connection was lost. Only for calls that are safe to repeat. */
export async function retryWhenConnectionLost<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    return call()
  }
}
