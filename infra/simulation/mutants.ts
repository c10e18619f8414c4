/** Mistakes in the product's own code, as replacements of its text while it is loaded. Each has to be noticed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { registerHooks } from 'node:module'

type Edit = { file: string; text: string; by: string }
export type Mutant = { name: string; edits: Edit[] }

const one = (name: string, file: string, text: string, by: string): Mutant => ({ name, edits: [{ file, text, by }] })

export const mutants: readonly Mutant[] = [
  one(
    'changes do not compare the version',
    'packages/kit/outbox.ts',
    'findOneAndUpdate({ _id, version }, update',
    'findOneAndUpdate({ _id }, update',
  ),
]

export const nameOf = (index: string) => mutants[Number(index)]?.name ?? ''

/** From now on the modules of the mutant load with its mistakes. @throws RangeError when a text is not there exactly once */
export function mutate(index: string | undefined): void {
  const mutant = index === undefined ? undefined : mutants[Number(index)]
  if (!mutant) return
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      const edits = mutant.edits.filter(({ file }) => url.endsWith(`/${file}`))
      if (edits.length === 0) return loaded
      return { ...loaded, source: edits.reduce(edited, String(loaded.source)) }
    },
  })
}

/** @throws RangeError */
export function edited(source: string, { file, text, by }: Edit): string {
  const parts = source.split(text)
  if (parts.length !== 2) throw new RangeError(`${file} has ${parts.length - 1} places with: ${text}`)
  return parts.join(by)
}

/** Prints which seed caught which; answers the exit code. */
export async function tryMutants(first: number, runs: number, print: (line: string) => void): Promise<number> {
  let missed = 0
  for (const [index, { name }] of mutants.entries()) {
    const env = { ...process.env, MUTANTS: '', MUTANT: String(index), SEED: String(first), RUNS: String(runs) }
    const child = spawn(process.execPath, [new URL('main.ts', import.meta.url).pathname], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    await once(child, 'close')
    const caught = output.trim() ? (JSON.parse(output) as { seed: number; problem: string }) : null
    if (!caught) missed += 1
    print(
      `${name.padEnd(64)} ${caught ? `caught by seed ${caught.seed}: ${caught.problem.split(' (')[0]}` : `NOT CAUGHT in ${runs} seeds`}`,
    )
  }
  print(`${mutants.length - missed} of ${mutants.length} mutants caught`)
  return missed === 0 ? 0 : 1
}
