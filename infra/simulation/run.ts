/** One run: a seed, or a seed with some of its faults left out. */
import type { ServiceDefinition } from '@passerelle/kit/service'
import { chanceOf } from './chance.ts'
import { drawFaults, type Fault } from './faults.ts'
import { breaches, secretsKept, unsettled } from './invariants.ts'
import { enterWorld } from './runtime.ts'
import { System } from './system.ts'
import { Visitors } from './visitors.ts'
import { World } from './world.ts'

export type Result = {
  seed: number
  hash: string
  faults: Fault[]
  met: Fault[]
  problems: string[]
  transitions: ReadonlySet<string>
  virtualMs: number
  story: string[]
}

const LONGEST_MS = 60 * 60_000
const LOOK_MS = 5000
/** Longer than any pause between two tries that still lead somewhere. */
const STUCK_MS = 12 * 60_000
/** Everything is to stay as it is for so long. */
const STEADY_MS = 15_000

export const faultsOf = (seed: number): Fault[] => drawFaults(chanceOf(seed, 2))

export async function run(seed: number, services: readonly ServiceDefinition[], faults = faultsOf(seed)): Promise<Result> {
  const world = new World(seed, faults)
  const system = new System(world, services)
  const visitors = new Visitors(world, system)
  const leaveWorld = enterWorld(world)
  try {
    for (const fault of faults) plan(fault, world, system)
    system.startAll()
    visitors.comeIn()
    let steadySince: number | null = null
    let broken: string[] = []
    const isOver = () => {
      broken = breaches(system)
      const resting = visitors.under === 0 && world.inFlight === 0 && unsettled(system).length === 0
      steadySince = resting ? (steadySince ?? world.now) : null
      const isStuck = world.quietMs >= STUCK_MS
      return broken.length > 0 || isStuck || (steadySince !== null && world.now - steadySince >= STEADY_MS)
    }
    await world.run(LONGEST_MS, LOOK_MS, isOver)
    if (world.isEndless) broken.push('I11 it goes on without an end')
    const visits = visitors.under > 0 ? [`${visitors.under} visits have not ended`] : []
    const problems = broken.length > 0 ? broken : [...unsettled(system), ...secretsKept(system), ...visits]
    return {
      seed,
      hash: world.digest(),
      faults,
      met: [...world.met],
      problems,
      transitions: system.transitions,
      virtualMs: world.elapsedMs,
      story: world.story,
    }
  } finally {
    leaveWorld()
  }
}

/** Faults of a moment; those of a crossing are met when it comes. */
function plan(fault: Fault, world: World, system: System): void {
  const { point, nth, how } = fault
  if (point === 'rebalance') {
    world.after(nth, () => {
      world.met.add(fault)
      world.tell('the groups are rebalanced')
      for (const group of ['booking', 'booking-mail', 'payment']) system.bus.rebalance(group)
    })
  } else if (how === 'killed' || how.startsWith('frozen')) {
    world.after(nth, () => {
      const process = system.named(point)
      if (!process) return
      world.met.add(fault)
      if (how === 'killed') return world.crash(process)
      world.freeze(process, Number(how.replace(/\D/g, '')) * 1000)
    })
  }
}
