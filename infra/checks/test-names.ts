/** Which lines of behaviour (`RES-24`, `R-27`) the tests carry in their names, also in rows of `each` and as ranges (`RES-01 to RES-04`). */
import { read, sourceFiles } from './source-files.ts'

const FOLDERS = ['packages', 'services', 'gateway', 'web/src', 'web/e2e', 'infra']
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g
const RANGE = /\b([A-Z]{1,6})-(\d{2,3})(?:\s*(?:\.\.|–|to)\s*(?:\1-)?(\d{2,3}))?\b/g

/** Ids that a text names; a range names all that lie in it. */
export function idsIn(text: string): string[] {
  return [...text.matchAll(RANGE)].flatMap(([, area = '', from = '', to]) => {
    const last = Math.max(Number(from), Number(to ?? from))
    return Array.from({ length: last - Number(from) + 1 }, (_, n) => `${area}-${String(Number(from) + n).padStart(from.length, '0')}`)
  })
}

/** Ids in the string literals of a test file; what stands in a comment is no test. */
export function idsOfTests(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  return (code.match(STRING) ?? []).flatMap(idsIn)
}

export type Kind = 'line' | 'ruling'

/** What may be named: `GEN-01 line`, one a row. */
export function knownIds(): Map<string, Kind> {
  const rows = read('infra/checks/checklist-ids.txt').trim().split('\n')
  return new Map(rows.map((row) => row.split(' ') as [string, Kind]))
}

/** What the tests of the whole repository name, of the ids that are known. */
export function namedIds(known: ReadonlyMap<string, Kind>): Set<string> {
  const files = FOLDERS.flatMap((folder) => sourceFiles(folder, /\.(test|spec)\.tsx?$/)).filter((path) => !path.startsWith('infra/checks/'))
  return new Set(files.flatMap((path) => idsOfTests(read(path))).filter((id) => known.has(id)))
}

/** Ids that had a test when the list was last written. */
export const coveredIds = (): string[] => read('infra/checks/checklist-covered.txt').trim().split('\n')
