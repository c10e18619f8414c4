/** What the flows of this service work with. */
import { AppError } from '@passerelle/contracts/error'
import type { Mode } from '@passerelle/contracts/http/common'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import type { Moment } from './domain/payment.ts'
import type { PaymentStore } from './store.ts'
import type { CardProvider } from './stripe.ts'

export type Tools = {
  store: PaymentStore
  /** @throws PAYMENT_UNAVAILABLE when that mode has no key */
  provider(mode: Mode): CardProvider
  log: Log
  metrics: Metrics
  clock(): Date
  /** How long a hold may wait for its booking. */
  holdMs: number
  allowRawCards: boolean
  /** Longest answer to a visitor, and how long a repeated request waits for the first one. */
  answerMs: number
  waitMs: number
}

export function momentOf({ clock, holdMs }: Tools): Moment {
  return { now: clock(), holdMs }
}

export function unavailable(cause?: unknown): AppError {
  return new AppError('PAYMENT_UNAVAILABLE', { retryAfter: 2, cause })
}
