// The keys that a document has for a list of paths: what indexes hold and sorting compares.
import { CommandError } from '../errors.ts'
import { type Doc, fieldOf, isArray, isDoc } from '../values/bson.ts'
import { valueKey } from '../values/compare.ts'
import { isIndex } from './paths.ts'

type Reached = { value: unknown; rest: string[]; at: string }

/** Follows a path up to its end, a missing field, or the first array that it does not enter by index. */
function reach(doc: Doc, path: string[]): Reached {
  let value: unknown = doc
  for (let i = 0; i < path.length; i++) {
    const part = path[i]!
    if (isArray(value)) {
      if (!isIndex(part)) return { value, rest: path.slice(i), at: path.slice(0, i).join('.') }
      value = value[Number(part)]
    } else value = isDoc(value) ? fieldOf(value, part) : undefined
  }
  return { value, rest: [], at: path.join('.') }
}

/** The fields of one array element, aligned with the paths that lead through the array. */
function elementTuples(element: unknown, rests: string[][]): unknown[][] {
  const deep = rests.filter((rest) => rest.length > 0)
  const deepTuples = deep.length === 0 ? [[]] : keyTuples(isDoc(element) ? element : {}, deep)
  return deepTuples.map((tuple) => {
    let next = 0
    return rests.map((rest) => (rest.length === 0 ? (element ?? null) : tuple[next++]))
  })
}

/**
 * The keys of a document for the paths of an index: one, or one per element when a path meets an array.
 * A missing field counts as null, an empty array as `undefined`.
 * @throws CannotIndexParallelArrays when paths lead through two different arrays.
 */
export function keyTuples(doc: Doc, paths: string[][]): unknown[][] {
  const reached = paths.map((path) => reach(doc, path))
  const arrays = reached.filter(({ value }) => isArray(value))
  const first = arrays[0]
  if (!first) return [reached.map(({ value }) => value ?? null)]
  const other = arrays.find(({ at }) => at !== first.at)
  if (other) throw new CommandError(171, `cannot index parallel arrays [${other.at}] [${first.at}]`)
  const array = first.value as unknown[]
  const tuples = new Map<string, unknown[]>()
  const keep = (elements: unknown[]): void => {
    let next = 0
    const tuple = reached.map(({ value }) => (isArray(value) ? elements[next++] : (value ?? null)))
    tuples.set(tuple.map(valueKey).join('\n'), tuple)
  }
  const rests = arrays.map(({ rest }) => rest)
  if (array.length === 0) keep(rests.map((rest) => (rest.length === 0 ? undefined : null)))
  for (const element of array) for (const elements of elementTuples(element, rests)) keep(elements)
  return [...tuples.values()]
}
