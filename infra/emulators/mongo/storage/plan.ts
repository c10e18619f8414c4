// Which documents a filter can possibly match, found through `_id` or a declared index instead of a scan.
import { BSONRegExp } from 'bson'
import { isOperatorDoc } from '../query/leaf.ts'
import { compileFilter } from '../query/match.ts'
import { isIndex } from '../query/paths.ts'
import { type Doc, isArray, isDoc } from '../values/bson.ts'
import { compareValues, isMinOrMaxKey, typeOrder, valueKey } from '../values/compare.ts'
import type { Collection } from './collection.ts'
import type { Entry } from './entry.ts'
import type { Index } from './index.ts'

/** `candidates` is a superset of the matches; absent means: look at everything. */
export type Plan = { stage: 'IDHACK' | 'IXSCAN' | 'OR' | 'COLLSCAN'; index?: string; candidates?: Entry[] }

type Range = { low?: unknown; high?: unknown }
type Bounds = { equals?: unknown[]; range?: Range }

/** More combinations of `$in` values than this are not worth looking up one by one. */
const MOST_LOOKUPS = 2000

const isIndexable = (value: unknown): boolean =>
  value !== undefined && !isArray(value) && !(value instanceof RegExp) && !(value instanceof BSONRegExp)
const isRangeable = (value: unknown): boolean => isIndexable(value) && value !== null && !isMinOrMaxKey(value)

function boundsOf(condition: unknown): Bounds {
  if (!isOperatorDoc(condition)) return isIndexable(condition) ? { equals: [condition ?? null] } : {}
  if ('$eq' in condition && isIndexable(condition.$eq)) return { equals: [condition.$eq] }
  const list = condition.$in
  if (isArray(list) && list.every(isIndexable)) return { equals: list }
  const range: Range = {}
  for (const name of ['$gt', '$gte']) if (isRangeable(condition[name])) range.low = condition[name]
  for (const name of ['$lt', '$lte']) if (isRangeable(condition[name])) range.high = condition[name]
  return 'low' in range || 'high' in range ? { range } : {}
}

/** The conditions that every match meets, by field. */
function conjuncts(filter: Doc, found: Map<string, Bounds>, alternatives: Doc[][]): void {
  for (const key of Object.keys(filter)) {
    const condition = filter[key]
    if (key === '$and') for (const branch of condition as Doc[]) conjuncts(branch, found, alternatives)
    else if (key === '$or') alternatives.push(condition as Doc[])
    else if (!key.startsWith('$')) {
      const bounds = boundsOf(condition)
      const known = found.get(key)
      if (bounds.equals || (bounds.range && !known)) found.set(key, bounds)
    }
  }
}

/** Whether every document that the filter matches is in the index. */
function holdsAll(index: Index, fields: Map<string, Bounds>): boolean {
  if (index.sparse) {
    const certain = Object.keys(index.keyPattern).some((path) => {
      const bounds = fields.get(path)
      return bounds?.range !== undefined || (bounds?.equals?.every((value) => value !== null) ?? false)
    })
    if (!certain) return false
  }
  if (!index.partial) return true
  return Object.keys(index.partial).every((path) => {
    const equals = fields.get(path)?.equals
    if (!equals || path.startsWith('$') || path.includes('.')) return false
    const covers = compileFilter({ [path]: index.partial![path] })
    return equals.every((value) => covers({ [path]: value }))
  })
}

type Use = { index: Index; prefixes: unknown[][]; range: Range | undefined; score: number }

function useOf(index: Index, fields: Map<string, Bounds>): Use | undefined {
  if (!holdsAll(index, fields)) return undefined
  let prefixes: unknown[][] = [[]]
  for (const path of Object.keys(index.keyPattern)) {
    if (path.split('.').some(isIndex)) break
    const bounds = fields.get(path)
    if (!bounds) break
    if (bounds.range) return { index, prefixes, range: bounds.range, score: prefixes[0]!.length + 0.5 }
    const values = bounds.equals!
    if (prefixes.length * values.length > MOST_LOOKUPS) break
    prefixes = prefixes.flatMap((prefix) => values.map((value) => [...prefix, value]))
    if (prefixes.length === 0) return { index, prefixes, range: undefined, score: 1 }
  }
  const depth = prefixes[0]!.length
  return depth === 0
    ? undefined
    : { index, prefixes, range: undefined, score: depth + (index.unique && depth === index.paths.length ? 0.25 : 0) }
}

function readUse({ index, prefixes, range }: Use): Set<Entry> {
  const entries = new Set<Entry>()
  // With several keys per document each bound may be met by a different key, so only one bound limits the search.
  const high = index.multikey && range && 'low' in range ? undefined : range?.high
  const bracket = range ? typeOrder('low' in range ? range.low : range.high) : 0
  const position = (value: unknown): number => {
    if (!range) return 0
    const difference = typeOrder(value) - bracket
    if (difference !== 0) return difference
    if ('low' in range && compareValues(value, range.low) < 0) return -1
    return high !== undefined && compareValues(value, high) > 0 ? 1 : 0
  }
  for (const prefix of prefixes) for (const { entry } of index.range(prefix, position)) entries.add(entry)
  return entries
}

const inOrder = (entries: Iterable<Entry>): Entry[] => [...entries].sort((a, b) => a.seq - b.seq)

/** @param filter plain, already compiled once (so it is well formed). */
export function planFor(collection: Collection, filter: Doc): Plan {
  const fields = new Map<string, Bounds>()
  const alternatives: Doc[][] = []
  conjuncts(filter, fields, alternatives)
  const ids = fields.get('_id')?.equals
  if (ids) {
    const entries = ids.map((id) => collection.byId.get(valueKey(id))).filter((entry) => entry !== undefined)
    return { stage: 'IDHACK', index: '_id_', candidates: inOrder(new Set(entries)) }
  }
  let best: Use | undefined
  for (const index of collection.indexes.values()) {
    const use = useOf(index, fields)
    if (use && (!best || use.score > best.score)) best = use
  }
  if (best) return { stage: 'IXSCAN', index: best.index.name, candidates: inOrder(readUse(best)) }
  for (const branches of alternatives) {
    const plans = branches.map((branch) => (isDoc(branch) ? planFor(collection, branch) : { stage: 'COLLSCAN' as const }))
    if (plans.every(({ candidates }: Plan) => candidates))
      return { stage: 'OR', candidates: inOrder(new Set(plans.flatMap((plan: Plan) => plan.candidates!))) }
  }
  return { stage: 'COLLSCAN' }
}
