/** What every endpoint works with. */
import { seededRandom } from '../control.ts'
import type { StripeEvent } from './resources.ts'
import type { Store } from './store.ts'

export const API_VERSION = '2026-10-28.endive'

export type RequestContext = { requestId: string; idempotencyKey: string | null }

export type World = {
  store: Store
  /** Unix seconds on the simulator's clock. */
  now(): number
  /** `prefix_1` and 23 letters and digits: fixed by the seed, never the same twice in one data file. */
  newId(prefix: string): string
  /** Records an event and, when a webhook is configured, queues its delivery. */
  emit(type: string, object: unknown): void
  /** Where the page is on which the cardholder authenticates. */
  baseUrl(): string
  /** Effects that tests asked for, by name, with how often they still strike. */
  plans: Map<Plan, number>
  /** The request being carried out, for the events that it causes. */
  request: RequestContext | undefined
}

export type Plan = 'refund-pending' | 'refund-failed' | 'stored-error' | 'events-twice'

/** True, and one less to go, when this was planned. */
export const usePlan = (plans: Map<Plan, number>, plan: Plan): boolean => {
  const left = plans.get(plan) ?? 0
  if (left > 0) plans.set(plan, left - 1)
  return left > 0
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const createIds =
  (seed: string | number, store: Store) =>
  (prefix: string): string => {
    const random = seededRandom(`${seed}/${prefix}/${store.nextNumber()}`)
    return `${prefix}_1${Array.from({ length: 23 }, () => ALPHABET[Math.floor(random() * ALPHABET.length)]).join('')}`
  }

export const createEmitter =
  (world: () => World, deliver: boolean) =>
  (type: string, object: unknown): void => {
    const { store, newId, now, request, plans } = world()
    const event: StripeEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: now(),
      data: { object },
      livemode: false,
      pending_webhooks: deliver ? 1 : 0,
      request: { id: request?.requestId ?? null, idempotency_key: request?.idempotencyKey ?? null },
      type,
    }
    store.insert('event', event)
    if (!deliver) return
    store.enqueue(event.id, Date.now(), usePlan(plans, 'events-twice') ? 2 : 1)
  }
