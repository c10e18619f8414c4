/**
 * Virtual time, processes that die, and the boundary. Everything that a process does outside itself passes `cross`: it takes a while to
 * get there, has its effect there, and the answer takes a while to come back. A fault of the plan may end the process at either end, lose
 * the request or its answer, send it twice, or let it take very long. One event runs at a time, and the next one only when every promise
 * of the one before has settled: the order is the seed's alone.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { type Chance, chanceOf } from './chance.ts'
import { Events, type Process } from './events.ts'
import type { Fault, How } from './faults.ts'

/** `lost` makes the error that the caller gets when it hears nothing. */
export type Crossing = {
  lost(how: 'reset' | 'timeout'): Error
  /** The caller waits so long. */
  timeoutMs?: number
  /** Milliseconds one way. */
  latency?: readonly [number, number]
  /** The latest that a slow request has its effect, after it was sent. */
  slowestMs?: number
  /** Whether the other side may get it twice. */
  repeatable?: boolean
}

const START = Date.parse('2026-11-21T10:00:00Z')
const LATENCY = [0.5, 12] as const
/** A run has a few thousand. */
const MOST_EVENTS = 80_000
/** About so long. */
const SLEEP_MS = 40_000

export class World {
  readonly chance: Chance
  readonly story: string[] = []
  /** Faults that took place. */
  readonly met = new Set<Fault>()
  /** Requests on their way that nobody may hear of any more. */
  inFlight = 0
  now = START
  #stirredAt = START
  #eventCount = 0
  readonly #events = new Events()
  readonly #faults: readonly Fault[]
  readonly #counts = new Map<string, number>()
  readonly #hash = createHash('sha256')
  readonly #processes = new AsyncLocalStorage<Process | null>()
  onCrash: (process: Process) => void = () => {}

  constructor(seed: number, faults: readonly Fault[]) {
    this.chance = chanceOf(seed, 1)
    this.#faults = faults
  }

  /** Since the start. */
  get elapsedMs(): number {
    return this.now - START
  }

  get process(): Process | null {
    return this.#processes.getStore() ?? null
  }

  in<T>(process: Process | null, work: () => T): T {
    return this.#processes.run(process, work)
  }

  /** `owner`: what is due is dropped when that process has died, and waits while it is frozen. */
  after(ms: number, run: () => void, owner: Process | null = null) {
    return this.#events.add({
      at: this.now + ms,
      run,
      owner,
      cancelled: false,
      unref() {
        return this
      },
    })
  }

  /** Something has happened that workers may have to do with. */
  stir(): void {
    this.#stirredAt = this.now
  }

  get isEndless(): boolean {
    return this.#eventCount > MOST_EVENTS
  }

  /** For so long nothing has happened. */
  get quietMs(): number {
    return this.now - this.#stirredAt
  }

  tell(line: string): void {
    this.#hash.update(line)
    this.story.push(`${(this.elapsedMs / 1000).toFixed(3).padStart(9)} s  ${line}`)
  }

  /** Kills a process: nothing of it goes on, and what it has sent still arrives. */
  crash(process: Process): void {
    if (!process.alive) return
    process.alive = false
    this.tell(`${process.name} is killed`)
    for (const listener of process.onDeath) listener()
    this.onCrash(process)
  }

  /** Nothing of the process goes on for so long; then it goes on as if no time had passed. */
  freeze(process: Process, ms: number): void {
    this.tell(`${process.name} stands still for ${(ms / 1000).toFixed(0)} s`)
    process.frozenUntil = Math.max(process.frozenUntil, this.now + ms)
  }

  /** Runs events until `isOver` says so at one of its looks, until there has been `longestMs` of virtual time, or there were too many. */
  async run(longestMs: number, lookEveryMs: number, isOver: () => boolean): Promise<void> {
    let nextLook = this.now + lookEveryMs
    await settled()
    for (let event = this.#events.next(); event; event = this.#events.next()) {
      if (event.at > nextLook) {
        if (isOver()) return
        nextLook = event.at + lookEveryMs
      }
      this.#eventCount += 1
      if (event.at - START > longestMs || this.isEndless) return
      const { owner } = event
      if (event.cancelled || owner?.alive === false) continue
      this.now = Math.max(this.now, event.at)
      if (owner && owner.frozenUntil > this.now) {
        this.#events.add({ ...event, at: owner.frozenUntil + this.chance.next() })
        continue
      }
      this.in(owner, event.run)
      await settled()
    }
  }

  digest(): string {
    return this.#hash.copy().digest('hex').slice(0, 16)
  }

  /** A call across the boundary, on behalf of the process that runs now; see the top of this file. */
  cross<T>(point: string, effect: () => T | Promise<T>, about: Crossing): Promise<T> {
    const from = this.process
    const fault = this.#faultAt(point)
    const how: How | undefined = fault?.how
    this.#hash.update(`${this.now.toFixed(3)} ${from?.name} ${point} ${how ?? ''}\n`)
    if (fault) this.tell(`${from?.name ?? 'visitor'}: ${point}: ${how}`)
    if (how === 'dies before' && from) {
      this.crash(from)
      return new Promise(() => {})
    }
    const [least, most] = about.latency ?? LATENCY
    const way = () => least + this.chance.next() * (most - least)
    return new Promise<T>((resolve, reject) => {
      let answered = false
      const answer = (ms: number, settle: () => void) =>
        this.after(
          ms,
          () => {
            if (!answered) settle()
            answered = true
          },
          from,
        )
      const timeoutMs = about.timeoutMs ?? 20_000
      answer(timeoutMs, () => reject(about.lost('timeout')))
      const lose = () => {
        if (this.chance.is(0.5)) answer(way() * 3, () => reject(about.lost('reset')))
      }
      if (how === 'lost before') return lose()
      if (how === 'sleeps before' && from) this.freeze(from, SLEEP_MS * (0.2 + this.chance.next()))
      const act = async (heard: boolean) => {
        this.inFlight -= 1
        const settle = await outcome(effect)
        if (how === 'dies after' && from) this.crash(from)
        if (how === 'sleeps after' && from) this.freeze(from, SLEEP_MS * (0.2 + this.chance.next()))
        if (!heard) return
        if (how === 'lost after') return lose()
        answer(way(), () => ('error' in settle ? reject(settle.error) : resolve(settle.value)))
      }
      const slow = how === 'slow' ? this.chance.next() * (about.slowestMs ?? timeoutMs * 1.2) : 0
      const send = (ms: number, heard: boolean) => {
        this.inFlight += 1
        const arrive = () => this.after(Math.min(ms, about.slowestMs ?? ms), () => void act(heard))
        // Whoever falls asleep right before a call makes it when it wakes.
        if (how === 'sleeps before') this.after(0, arrive, from)
        else arrive()
      }
      send(way() + slow, true)
      if (how === 'twice' && about.repeatable) send(way() * 20, false)
    })
  }

  /** What a simulator of the outside does at this point by plan. */
  behaviourAt(point: string): string | undefined {
    const fault = this.#faultAt(`${point}!`)
    if (fault) this.tell(`${point}: ${fault.how}`)
    return fault?.how
  }

  #faultAt(point: string): Fault | undefined {
    const count = (this.#counts.get(point) ?? 0) + 1
    this.#counts.set(point, count)
    const fault = this.#faults.find((one) => one.point === point && one.nth === count)
    if (fault) this.met.add(fault)
    return fault
  }
}

async function outcome<T>(effect: () => T | Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await effect() }
  } catch (error) {
    return { error }
  }
}

/** Every promise that can settle without an event has settled by then: nothing here waits for the machine. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
