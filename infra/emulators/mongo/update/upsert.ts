import { BSONRegExp } from 'bson'
import { CommandError } from '../errors.ts'
import { isOperatorDoc } from '../query/leaf.ts'
import { type Doc, fieldOf, isArray, isDoc, setField } from '../values/bson.ts'

const inferenceError = (problem: string): CommandError => new CommandError(54, `cannot infer query fields to set, ${problem}`)

/** The value or values that a condition pins down. */
function pinned(condition: unknown): unknown[] {
  if (!isOperatorDoc(condition)) return isRegex(condition) ? [] : [condition]
  if ('$eq' in condition) return [condition.$eq]
  if (isArray(condition.$in) && condition.$in.length === 1) return condition.$in
  return isArray(condition.$all) ? condition.$all : []
}

const isRegex = (value: unknown): boolean => value instanceof RegExp || value instanceof BSONRegExp

function collect(filter: Doc, found: Map<string, unknown>): void {
  for (const key of Object.keys(filter)) {
    const condition = filter[key]
    if (key === '$and' || (key === '$or' && isArray(condition) && condition.length === 1)) {
      for (const branch of condition as Doc[]) collect(branch, found)
    } else if (!key.startsWith('$')) {
      for (const value of pinned(condition)) {
        if (found.has(key)) throw inferenceError(`path '${key}' is matched twice`)
        const other = [...found.keys()].find((path) => path.startsWith(`${key}.`) || key.startsWith(`${path}.`))
        if (other) throw inferenceError(`both paths '${key}' and '${other}' are matched`)
        found.set(key, value)
      }
    }
  }
}

function setPath(doc: Doc, path: string[], value: unknown): void {
  const [head, ...rest] = path as [string, ...string[]]
  if (rest.length === 0) {
    setField(doc, head, value)
    return
  }
  const present = fieldOf(doc, head)
  const inner: Doc = isDoc(present) ? present : {}
  setField(doc, head, inner)
  setPath(inner, rest, value)
}

/** The document that an upsert starts from: what the (typed) filter says for certain. @throws NotSingleValueField */
export function seedFromFilter(filter: Doc): Doc {
  const found = new Map<string, unknown>()
  collect(filter, found)
  const seed: Doc = {}
  for (const [path, value] of found) setPath(seed, path.split('.'), value)
  return seed
}
