/** What every campaign shares: its folder, lines that hold or do not, what happened when, marks of what was reached, and the exit code. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { delay } from '@passerelle/kit/runtime'
import { freePorts } from '@passerelle/servers/ports'

export type Line = { what: string; holds: boolean; detail: string }
/** Something that was done to the system; `ms` where it lasted. Of the same `lane` in the picture. */
export type Moment = { at: number; lane: string; ms?: number }

/** What this process has seen so far, for the page of the run. */
export const record = {
  began: Date.now(),
  lines: [] as Line[],
  moments: [] as Moment[],
  said: [] as string[],
  marks: new Map<string, number>(),
  /** Of all bookings at the end, when they came into which state. */
  bookings: [] as { from: number; history: { at: number; state: string }[] }[],
}

/** How many lines did not hold so far. */
export const brokenLines = (): number => record.lines.filter(({ holds }) => !holds).length

export function mark(name: string, times = 1): void {
  record.marks.set(name, (record.marks.get(name) ?? 0) + times)
}

export function moment(lane: string, at = Date.now(), ms?: number): void {
  record.moments.push({ at, lane, ...(ms !== undefined && { ms }) })
}

/** What else the machine had to do: what a figure is worth depends on it. */
export const machineLoad = (): string => `${loadavg().map((one) => one.toFixed(1))} on ${availableParallelism()} cores`

/** Ends the process: with 1 when a line did not hold. */
export function finish(): never {
  say(`load of this machine: ${machineLoad()}`)
  process.exit(brokenLines() === 0 ? 0 : 1)
}

/** A temporary folder, kept when the campaign fails. No process that has a pid file in it outlives the campaign. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-chaos-'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  process.once('exit', (code) => {
    killProcesses(folder)
    if (code === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 })
  })
  return folder
}

/** `kill -9` of the processes that have a pid file in the folder: services and real servers. */
export function killProcesses(folder: string): void {
  for (const inside of [join(folder, 'run'), join(folder, 'servers')].filter(existsSync)) {
    for (const file of readdirSync(inside).filter((name) => name.endsWith('.pid'))) {
      try {
        process.kill(Number(readFileSync(join(inside, file), 'utf8')), 'SIGKILL')
      } catch {
        // It has ended already.
      }
    }
  }
}

/** Real servers that this process or its children start listen on free ports from here on. */
export async function takeServerPorts(): Promise<Record<string, string>> {
  const names = ['REAL_MONGO_PORT', 'REAL_KAFKA_PORT', 'REAL_KAFKA_CONTROLLER_PORT', 'REAL_REDIS_PORT']
  const ports = await freePorts(names.length)
  return Object.assign(process.env, Object.fromEntries(names.map((name, i) => [name, String(ports[i])])))
}

const withDetail = (text: string, detail: unknown) =>
  detail === '' ? text : `${text}: ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`

/** Does `work` again and again, with `ms` between, until the signal. */
export async function every(ms: number, signal: AbortSignal, work: () => Promise<void> | void): Promise<void> {
  for (await delay(ms, signal); !signal.aborted; await delay(ms, signal)) await work()
}

export function say(text: string, detail: unknown = ''): void {
  const line = `${new Date().toISOString().slice(11, 19)}  ${withDetail(text, detail)}`
  record.said.push(line)
  console.log(line)
}

/** A line that must hold; prints it either way. */
export function must(what: string, holds: boolean, detail: unknown = ''): void {
  const line = withDetail(what, detail)
  record.lines.push({ what, holds, detail: line.slice(what.length + 2) })
  console.log(`${holds ? 'holds ' : 'BROKEN'}  ${line}`)
}

/** A line that none of these may violate; prints the first that do. */
export function mustBeNone<T>(what: string, all: readonly T[], violates: (one: T) => unknown): void {
  const violating = all.filter(violates)
  must(what, violating.length === 0, violating.length === 0 ? `0 of ${all.length}` : violating.slice(0, 5))
}

export function mustBeDistinct(what: string, values: readonly string[]): void {
  mustBeNone(what, Object.entries(counted(values)), ([, count]) => count > 1)
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}

/** p50/p95/p99 of what took so long. */
export const percentiles = (timed: readonly { ms: number }[]): { p50: number; p95: number; p99: number } => {
  const times = timed.map(({ ms }) => ms)
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), p99: percentile(times, 0.99) }
}

export function counted(values: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, those]) => [value, those.length]))
}

/** The same seed, the same numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
