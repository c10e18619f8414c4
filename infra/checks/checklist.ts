/**
 * Prints how many lines of behaviour and rulings the tests name, and which they do not. Exits 1 when one that had a test has lost it;
 * `--write` takes what is named now as the new list.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './source-files.ts'
import { coveredIds, type Kind, knownIds, namedIds } from './test-names.ts'

const known = knownIds()
const named = namedIds(known)
for (const kind of ['line', 'ruling'] satisfies Kind[]) {
  const all = [...known].filter(([, one]) => one === kind).map(([id]) => id)
  const without = all.filter((id) => !named.has(id))
  console.log(`${kind}s: ${all.length - without.length} of ${all.length} are named by tests; without a test: ${without.length}`)
  for (const [area, ids] of Map.groupBy(without, (id) => id.slice(0, id.lastIndexOf('-'))))
    console.log(`  ${area.padEnd(6)} ${ids.join(' ')}`)
}
if (process.argv.includes('--write'))
  writeFileSync(join(root, 'infra/checks/checklist-covered.txt'), `${[...known.keys()].filter((id) => named.has(id)).join('\n')}\n`)
const lost = coveredIds().filter((id) => !named.has(id))
if (lost.length > 0) {
  console.error(`lost their test: ${lost.join(' ')}`)
  process.exitCode = 1
}
