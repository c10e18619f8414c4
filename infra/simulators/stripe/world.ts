/** What every endpoint works with. */
import { seededRandom } from '../control.ts'
import type { Documents } from '../documents.ts'
import type { StripeEvent } from './resources.ts'

export const API_VERSION = '2026-10-28.endive'

export type World = {
  documents: Documents
  /** Keys of live mode, hosted fields, and no `pm_card_...`. */
  livemode: boolean
  /** Unix seconds on the simulator's clock. */
  now(): number
  /** `prefix_1` and 23 letters and digits: fixed by the seed, never the same twice in one data file. */
  newId(prefix: string): string
  /** Hands an event to the webhook, when there is one. */
  emit(type: string, object: unknown): void
  /** How many of the next requests with an idempotency key are answered 500. */
  storedErrors: number
  /** The request being carried out, for the events that it causes. */
  request: { requestId: string; idempotencyKey: string | null } | undefined
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const createIds =
  (seed: string | number, documents: Documents) =>
  (prefix: string): string => {
    const random = seededRandom(`${seed}/${prefix}/${documents.nextNumber()}`)
    return `${prefix}_1${Array.from({ length: 23 }, () => ALPHABET[Math.floor(random() * ALPHABET.length)]).join('')}`
  }

export const createEmitter =
  (world: () => World, send: ((event: StripeEvent) => void) | undefined) =>
  (type: string, object: unknown): void => {
    if (!send) return
    const { livemode, newId, now, request } = world()
    send({
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: now(),
      data: { object },
      livemode,
      request: { id: request?.requestId ?? null, idempotency_key: request?.idempotencyKey ?? null },
      type,
    })
  }
