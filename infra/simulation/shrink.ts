/** A failing run with as few faults as it takes. */
import type { Fault } from './faults.ts'
import type { Result } from './run.ts'

const invariantsOf = ({ problems }: Result) => new Set(problems.map((problem) => problem.split(' ')[0]))

/** Leaves out one fault after the other for as long as an invariant that was broken stays broken. */
export async function shrink(first: Result, runWith: (faults: Fault[]) => Promise<Result>): Promise<Result> {
  const wanted = invariantsOf(first)
  const fails = (result: Result) => [...invariantsOf(result)].some((invariant) => wanted.has(invariant))
  let least = first
  const onlyMet = await runWith(first.met)
  if (fails(onlyMet)) least = onlyMet
  for (let i = 0; i < least.faults.length; ) {
    const result = await runWith(least.faults.toSpliced(i, 1))
    if (fails(result)) least = result
    else i += 1
  }
  return least
}
