/** What a campaign prints: figures as they are, and lines that hold or do not. */
import { availableParallelism, loadavg } from 'node:os'

let broken = 0

export function say(text: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`)
}

/** What a figure is worth depends on what else the machine had to do. */
export function sayLoad(): void {
  const load = loadavg().map((one) => one.toFixed(1))
  say(`load of this machine: ${load.join(', ')} on ${availableParallelism()} cores`)
}

/** A line that must hold; prints it either way. */
export function must(what: string, holds: boolean, detail: unknown = ''): void {
  if (!holds) broken++
  const more = detail === '' ? '' : `: ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`
  console.log(`${holds ? 'holds ' : 'BROKEN'}  ${what}${more}`)
}

export const holdsAll = () => broken === 0

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}

export function counted(values: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, those]) => [value, those.length]))
}

/** Numbers between 0 and 1 that a seed fixes. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
