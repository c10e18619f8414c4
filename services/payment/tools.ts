/** What the flows of this service work with. */
import { AppError } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import type { KeyedHash } from '@passerelle/kit/keyed-hash'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import { now } from '@passerelle/kit/runtime'
import type { CardAttemptLimiter } from './card-attempts/limiter.ts'
import type { HoldTimes, Moment } from './domain/payment.ts'
import type { PaymentStore } from './store.ts'
import type { CardProvider } from './stripe.ts'

export type Tools = {
  store: PaymentStore
  /** @throws PAYMENT_UNAVAILABLE when that mode has no key */
  provider(mode: Mode): CardProvider
  log: Log
  metrics: Metrics
  hash: KeyedHash
  cardAttempts: CardAttemptLimiter
  holdTimes: HoldTimes
  allowRawCards: boolean
  /** Longest answer to a visitor, and how long a repeated request waits for the first one. */
  answerMs: number
  waitMs: number
}

export function momentOf({ holdTimes }: Tools): Moment {
  return { ...holdTimes, now: now() }
}

export function unavailable(cause?: unknown): AppError {
  return new AppError('PAYMENT_UNAVAILABLE', { retryAfter: 2, cause })
}
