/** A rule of the money and tickets that must hold at every transition. A broken one writes nothing, is counted and alarms. */
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

export class InvariantError extends Error {
  readonly rule: string

  constructor(rule: string) {
    super(`invariant broken: ${rule}`)
    this.name = 'InvariantError'
    this.rule = rule
  }
}

/**
 * Throws InvariantError when `holds` is false; the caller must not have written yet.
 * @param rule what must hold, in a few fixed words: it is a label of `invariant_broken_total`
 * @param facts ids and states for the log, never personal data
 */
export function invariant(holds: boolean, rule: string, facts: object, tools: { metrics: Metrics; log: Log }): asserts holds {
  if (holds) return
  tools.metrics.invariantBroken.inc({ rule })
  tools.log.error({ ...facts, rule }, 'invariant broken: nothing was written')
  throw new InvariantError(rule)
}
