/** Everything that the handlers of one simulator share. */
import type { Cases } from './cases.ts'
import type { Draft } from './generator/offers.ts'
import type { State } from './state.ts'

export type World = {
  state: State
  cases: Cases
  seed: number
  /** Currency of searches that start in a country without a currency of its own here. */
  currency: string
  /** Generated offers of the latest requests, by nonce. */
  drafts: Map<string, Map<string, Draft>>
  /** Milliseconds of the simulator's clock. */
  now(): number
}
