/** Which lines of behaviour (`RES-24`, `R-27`) the tests carry in their names, counted by area. */
import { read, sourceFiles } from './source-files.ts'

const folders = ['packages', 'services', 'gateway', 'web/src', 'web/e2e', 'infra']
const named = new Map<string, Set<string>>()
for (const path of folders.flatMap((folder) => sourceFiles(folder, /\.(test|spec)\.tsx?$/))) {
  const text = read(path)
  const titles = text.matchAll(/\b(?:test|it)(?:\.each\([^)]*\))?\(\s*['"`]([^'"`]+)/g)
  // Rows of a table give their titles an id.
  const rows = text.matchAll(/['"`]([A-Z]{1,6}-\d{2,3}\b[^'"`\n]*)/g)
  for (const [, title = ''] of [...titles, ...rows]) {
    for (const [id] of title.matchAll(/\b[A-Z]{1,6}-\d{2,3}\b/g)) {
      const area = id.split('-')[0] ?? ''
      named.set(area, (named.get(area) ?? new Set()).add(id))
    }
  }
}
const areas = [...named].sort(([a], [b]) => a.localeCompare(b))
for (const [area, ids] of areas) console.log(`${area.padEnd(6)} ${String(ids.size).padStart(3)}  ${[...ids].sort().join(' ')}`)
console.log(`${areas.reduce((sum, [, ids]) => sum + ids.size, 0)} lines are named by tests`)
