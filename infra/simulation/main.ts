/**
 * `make simulate SEED=1 RUNS=100`: runs that many seeds. A seed that breaks an invariant is run again with fewer and fewer faults, and
 * what happened is told; exit code 1. `MUTANTS=1`: each mutant of the product has to be caught within RUNS (2,000) seeds.
 */
import { createHash } from 'node:crypto'
import { allTransitions, sagaStates } from '@passerelle/booking/domain/state'
import { mutate, nameOf, tryMutants } from './mutants.ts'
import type { Result } from './run.ts'
import { shrink } from './shrink.ts'

const { SEED, RUNS, MUTANTS, MUTANT, STORY } = process.env
const first = Number(SEED || 1)
const print = (...lines: string[]) => process.stdout.write(`${lines.join('\n')}\n`)

if (MUTANTS) process.exitCode = await tryMutants(first, Number(RUNS || 2000), print)
else await simulate(Number(RUNS || 100))

async function simulate(runs: number): Promise<void> {
  // Only from here on is the product loaded, with the mistakes of the mutant.
  mutate(MUTANT)
  const [{ services }, { run }] = await Promise.all([import('./edges/load.ts'), import('./run.ts')])
  const hash = createHash('sha256')
  const reached = new Set<string>()
  const began = performance.now()
  let faults = 0
  let virtualMs = 0
  for (let seed = first; seed < first + runs; seed++) {
    const result = await run(seed, services)
    if (result.problems.length > 0) {
      // Whoever tries mutants wants to know no more.
      if (MUTANT) print(JSON.stringify({ mutant: nameOf(MUTANT), seed, problem: result.problems[0] }))
      else await tell(result, await shrink(result, (fewer) => run(seed, services, fewer)))
      process.exitCode = 1
      return
    }
    if (STORY) print(...result.story)
    hash.update(result.hash)
    faults += result.met.length
    virtualMs += result.virtualMs
    for (const transition of result.transitions) reached.add(transition)
  }
  if (MUTANT) return
  const seconds = (performance.now() - began) / 1000
  print(
    `seeds ${first} to ${first + runs - 1}: every invariant held (${faults} faults, ${(virtualMs / 3_600_000).toFixed(1)} hours of virtual time in ${seconds.toFixed(0)} s)`,
  )
  sayReached(reached)
  print(`trace hash ${hash.digest('hex').slice(0, 16)}`)
}

function sayReached(reached: ReadonlySet<string>): void {
  const nameOfStep = ({ from, to }: { from: string; to: string }) => `booking: ${from} -> ${to}`
  const steps = allTransitions.filter(({ from, to }) => from !== to)
  const states = sagaStates.filter((state) => [...reached].some((step) => step.startsWith('booking:') && step.endsWith(`> ${state}`)))
  const missing = steps.filter((step) => !reached.has(nameOfStep(step)))
  print(
    `states of a booking reached: ${states.length} of ${sagaStates.length}; transitions: ${steps.length - missing.length} of ${steps.length}`,
  )
  print(`not reached: ${missing.map(({ from, to }) => `${from} -> ${to}`).join(', ') || 'none'}`)
  const payments = [...reached].filter((step) => step.startsWith('payment:') && !step.startsWith('payment:  '))
  print(
    `transitions of a payment reached: ${payments
      .map((step) => step.slice(9))
      .sort()
      .join(', ')}`,
  )
}

async function tell(result: Result, least: Result): Promise<void> {
  print(`seed ${result.seed} breaks:`, ...result.problems.map((problem) => `  ${problem}`))
  const faults = least.faults.map(({ point, nth, how }) => `  ${point} ${nth}: ${how}`)
  print(`with ${least.faults.length} of its ${result.faults.length} faults:`, ...faults, '', ...least.story, '', ...least.problems)
}
