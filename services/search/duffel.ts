/**
 * The supplier, through its own client: one client per mode. The client has neither deadline nor retry, so every call goes through
 * a guard, and its errors carry no message, so they are read here and nowhere else. It cannot be told to stop either: a call that was
 * given up keeps its connection until the other side closes it, and the guard's places and breaker bound how many those are.
 */
import { AppError, type ErrorCode } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import { createDuffel, type DuffelClient, DuffelError } from '@passerelle/kit/duffel'
import type { Log } from '@passerelle/kit/log'
import { countSupplierCall, type Metrics } from '@passerelle/kit/metrics'
import { DeadlineError, type Guard, type GuardedCall, guard, retryWhenConnectionLost } from '@passerelle/kit/resilience'
import { nowMs } from '@passerelle/kit/runtime'
import { z } from 'zod'
import type { SupplierSearch } from './domain/criteria.ts'
import type { SupplierOffer, SupplierSeatMap } from './domain/supplier.ts'

const DUFFEL_URL = 'https://api.duffel.com'

const milliseconds = (least: number, most: number, usual: number) => z.coerce.number().int().min(least).max(most).default(usual)

export const DuffelConfig = z.object({
  DUFFEL_TEST_TOKEN: z.string().startsWith('duffel_test_', 'must be a test token: it begins with duffel_test_'),
  DUFFEL_TEST_URL: z.url().default(DUFFEL_URL),
  /** Without it there is no live mode. */
  DUFFEL_LIVE_TOKEN: z.string().startsWith('duffel_live_', 'must be a live token: it begins with duffel_live_').optional(),
  DUFFEL_LIVE_URL: z.url().default(DUFFEL_URL),
  /** How long the supplier waits for airlines; those that are slower are left out of the list. */
  DUFFEL_SUPPLIER_TIMEOUT_MS: milliseconds(2000, 60_000, 15_000),
  /** How long we wait for a search: what the supplier waits, and time to send the list. */
  DUFFEL_SEARCH_DEADLINE_MS: milliseconds(100, 60_000, 25_000),
  DUFFEL_READ_DEADLINE_MS: milliseconds(100, 60_000, 12_000),
  /** Visitors' calls to the supplier under way at once, and waiting for their turn, per process and kind of call. */
  DUFFEL_CONCURRENT: z.coerce.number().int().min(1).max(500).default(20),
  DUFFEL_QUEUE: z.coerce.number().int().min(0).max(5000).default(100),
  /** What one network may have of both. Payments and bookings have as many places again, for themselves. */
  DUFFEL_NETWORK_SHARE: z.coerce.number().min(0.01).max(1).default(0.25),
  /** How long a call waits for its turn. */
  DUFFEL_QUEUE_MS: milliseconds(1, 60_000, 10_000),
})
export type DuffelConfig = z.output<typeof DuffelConfig>

export type SupplierCall = GuardedCall & {
  /** Milliseconds in which a search is of use: the supplier then waits less for slow airlines. */
  withinMs?: number
}

/** Without clients a call is made for the system itself: visitors do not stand in its way. All throw ShareExceededError for a client with too much under way. */
export type Supplier = {
  /** All offers of a search. Throws SEARCH_REFUSED with the supplier's reason, SEARCH_BUSY or SEARCH_FAILED. */
  search(search: SupplierSearch, call?: SupplierCall): Promise<SupplierOffer[]>
  /** Throws OFFER_NOT_FOUND, OFFER_EXPIRED or OFFER_FAILED. */
  offer(supplierId: string, withServices: boolean, call?: SupplierCall): Promise<SupplierOffer>
  /** Empty when the airline has none. Throws SEAT_MAPS_FAILED, OFFER_NOT_FOUND or OFFER_EXPIRED. */
  seatMaps(supplierId: string, call?: SupplierCall): Promise<SupplierSeatMap[]>
}

/** The shortest time that the supplier can be told to wait for airlines, and what it needs besides to send the list. */
const LEAST_SUPPLIER_TIMEOUT_MS = 2000
const SENDING_MS = 2000
/** A search that is of use for less time than this is not begun. */
export const LEAST_SEARCH_MS = LEAST_SUPPLIER_TIMEOUT_MS + SENDING_MS

/** A mode without a token has a supplier that fails every call. */
export function createSuppliers(config: DuffelConfig, metrics: Metrics, log: Log): (mode: Mode) => Supplier {
  const { DUFFEL_TEST_TOKEN, DUFFEL_TEST_URL, DUFFEL_LIVE_TOKEN, DUFFEL_LIVE_URL } = config
  const test = createSupplier(createDuffel(DUFFEL_TEST_TOKEN, DUFFEL_TEST_URL), config, metrics, log)
  const live = DUFFEL_LIVE_TOKEN ? createSupplier(createDuffel(DUFFEL_LIVE_TOKEN, DUFFEL_LIVE_URL), config, metrics, log) : absentSupplier
  return (mode) => (mode === 'live' ? live : test)
}

const absentSupplier: Supplier = {
  search: async () => refuseAbsent('SEARCH_FAILED'),
  offer: async () => refuseAbsent('OFFER_FAILED'),
  seatMaps: async () => refuseAbsent('SEAT_MAPS_FAILED'),
}

function refuseAbsent(code: ErrorCode): never {
  throw new AppError(code, { cause: new Error('there is no supplier for this mode') })
}

type Operation = { name: 'search' | 'offer' | 'seat-maps'; failed: ErrorCode; busy: ErrorCode }

const SEARCH: Operation = { name: 'search', failed: 'SEARCH_FAILED', busy: 'SEARCH_BUSY' }
const OFFER: Operation = { name: 'offer', failed: 'OFFER_FAILED', busy: 'OFFER_FAILED' }
const SEAT_MAPS: Operation = { name: 'seat-maps', failed: 'SEAT_MAPS_FAILED', busy: 'SEAT_MAPS_FAILED' }

/** The client puts ids into addresses as they are. */
const SUPPLIER_ID = /^off_[A-Za-z0-9_]+$/

function createSupplier(duffel: DuffelClient, config: DuffelConfig, metrics: Metrics, log: Log): Supplier {
  const guarded = ({ name, busy }: Operation, timeoutMs: number) =>
    guard({
      name: `duffel ${name}`,
      timeoutMs,
      concurrent: config.DUFFEL_CONCURRENT,
      queue: config.DUFFEL_QUEUE,
      fair: { share: config.DUFFEL_NETWORK_SHARE, maxWaitMs: config.DUFFEL_QUEUE_MS },
      isFailure: (error) => !isRefusal(error),
      refusal: busy,
    })
  const guards: Record<Operation['name'], Guard> = {
    search: guarded(SEARCH, config.DUFFEL_SEARCH_DEADLINE_MS),
    offer: guarded(OFFER, config.DUFFEL_READ_DEADLINE_MS),
    'seat-maps': guarded(SEAT_MAPS, config.DUFFEL_READ_DEADLINE_MS),
  }

  const make = async <T>(operation: Operation, call: SupplierCall | undefined, ask: () => Promise<{ data: T }>): Promise<T> => {
    try {
      const { data } = await countSupplierCall(metrics, { peer: 'duffel', operation: operation.name, outcomeOf }, () =>
        guards[operation.name](() => retryWhenConnectionLost(ask), call),
      )
      return data
    } catch (error) {
      const known = toAppError(error, operation)
      if (known.status >= 500) log.warn({ err: error, supplier: describe(error), operation: operation.name }, 'the supplier failed')
      throw known
    }
  }

  const read = <T>(
    operation: Operation,
    supplierId: string,
    call: SupplierCall | undefined,
    ask: () => Promise<{ data: T }>,
  ): Promise<T> => {
    if (!SUPPLIER_ID.test(supplierId)) throw new AppError('OFFER_NOT_FOUND')
    return make(operation, call, ask)
  }

  return {
    /** With its offers in the same answer: paging through them costs two more calls, and the whole list is needed anyway. */
    async search(search, call) {
      const within = (call?.withinMs ?? Number.POSITIVE_INFINITY) - SENDING_MS
      const supplier_timeout = Math.max(LEAST_SUPPLIER_TIMEOUT_MS, Math.floor(Math.min(config.DUFFEL_SUPPLIER_TIMEOUT_MS, within)))
      const request = { ...search, max_connections: 2, return_offers: true, supplier_timeout }
      const { offers } = await make(SEARCH, call, () =>
        duffel.offerRequests.create(request as Parameters<typeof duffel.offerRequests.create>[0]),
      )
      return Array.isArray(offers) ? (offers as SupplierOffer[]) : []
    },
    offer: async (supplierId, withServices, call) =>
      (await read(OFFER, supplierId, call, () =>
        withServices ? duffel.offers.get(supplierId, { return_available_services: true }) : duffel.offers.get(supplierId),
      )) as SupplierOffer,
    async seatMaps(supplierId, call) {
      const maps: unknown = await read(SEAT_MAPS, supplierId, call, () => duffel.seatMaps.get({ offer_id: supplierId }))
      return Array.isArray(maps) ? (maps as SupplierSeatMap[]) : []
    },
  }
}

/** Its offer request was booked, by somebody who was shown the same offer: to be found again by another search. */
export class SpentOfferError extends AppError {}

const GONE = new Set(['offer_expired', 'offer_no_longer_available'])

/** The supplier is well and says no: nothing that a pause would change. */
function isRefusal(error: unknown): boolean {
  return error instanceof DuffelError && (error.status === 404 || error.status === 422)
}

function toAppError(error: unknown, operation: Operation): AppError {
  if (error instanceof AppError) return error
  if (!(error instanceof DuffelError)) return new AppError(operation.failed, { cause: error })
  const [first] = error.errors ?? []
  const code = String(first?.code)
  if (error.status === 429) return new AppError(operation.busy, { cause: error, retryAfter: secondsUntilReset(error) })
  if (operation === SEARCH) return searchFailure(error)
  if (code === 'offer_request_already_booked') return new SpentOfferError(operation.failed, { cause: error })
  if (GONE.has(code) || error.status === 410) return new AppError('OFFER_EXPIRED', { cause: error })
  if (error.status === 404) return new AppError('OFFER_NOT_FOUND', { cause: error })
  return new AppError(operation.failed, { cause: error })
}

/** A refusal has a reason, a supplier in trouble is to be asked later, and any other answer is one that nobody foresaw. */
function searchFailure(error: InstanceType<typeof DuffelError>): AppError {
  const { status = 500, errors } = error
  const reason = readable(errors?.[0]?.message ?? errors?.[0]?.title)
  if (status === 422 || (status === 400 && reason))
    return new AppError('SEARCH_REFUSED', { cause: error, ...(reason && { message: `Unable to search flights: ${reason}` }) })
  if (status >= 500) return new AppError('SEARCH_FAILED', { cause: error })
  return new AppError('SEARCH_FAILED', { cause: error, message: `Flight search failed with status: ${status}` })
}

/** One line of text that may be shown. */
function readable(text: string | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim().slice(0, 200)
}

/** `ratelimit-reset` is an HTTP date. */
function secondsUntilReset(error: InstanceType<typeof DuffelError>): number {
  const reset = Date.parse(error.headers?.get('ratelimit-reset') ?? '')
  return Number.isNaN(reset) ? 2 : Math.min(60, Math.max(1, Math.ceil((reset - nowMs()) / 1000)))
}

function outcomeOf(error: unknown): string {
  if (error instanceof DeadlineError) return 'timeout'
  if (error instanceof AppError) return 'busy'
  if (isRefusal(error)) return 'refused'
  return error instanceof DuffelError && error.status === 429 ? 'limited' : 'failed'
}

/** What an operator needs to ask the supplier about: the client's own message is empty. */
function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof DuffelError)) return {}
  return { status: error.status, code: error.errors?.[0]?.code, requestId: error.meta?.request_id ?? error.headers?.get('x-request-id') }
}
