/** Everything that the handlers of one simulator share. */
import type { Cases } from './cases.ts'
import type { Draft } from './generator/offers.ts'
import type { State } from './state.ts'

export type World = {
  state: State
  cases: Cases
  seed: number
  /** Generated offers of the latest requests, by nonce. */
  drafts: Map<string, Map<string, Draft>>
  /** Sends an event to the webhook, when there is one. `key`: the same for repeats of what happened. */
  notify(type: string, object: unknown, key: string): void
  /** Milliseconds of the simulator's clock. */
  now(): number
}
