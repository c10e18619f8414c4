/** Filters: which operators may stand in one, and what it says of a document. Matching itself is mingo's. */
import { Context } from 'mingo/core'
import * as operators from 'mingo/operators/query'
import { Query } from 'mingo/query'
import { badValue, refused } from './errors.ts'
import { type Doc, isDoc, isScalar, keyOf, opaqueType } from './values.ts'

const LOGICAL = new Set(['$and', '$or'])
const COMPARING = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$exists', '$type', '$regex', '$options'])
/** What mingo's Query is to know: it loads nothing by itself. */
export const MINGO = { context: Context.init({ query: operators }) }

export type Filter = (doc: Doc) => boolean

/** @param filter checked. @throws CommandError for what only shows now, such as a regular expression that is none. */
export function compileFilter(filter: Doc): Filter {
  try {
    const query = new Query(filter, MINGO)
    return (doc) => query.test(doc)
  } catch (error) {
    throw badValue((error as Error).message)
  }
}

/** @throws CommandError for anything that this server does not have, or that makes no sense. */
export function checkFilter(filter: unknown): asserts filter is Doc {
  if (!isDoc(filter)) throw badValue('a filter must be an object')
  for (const [key, condition] of Object.entries(filter)) {
    if (!key.startsWith('$')) checkCondition(condition)
    else if (!LOGICAL.has(key)) throw refused(`the query operator ${key}`)
    else if (!Array.isArray(condition) || condition.length === 0) throw badValue(`${key} must be a nonempty array`)
    else for (const part of condition) checkFilter(part)
  }
}

/** @throws CommandError */
export function checkCondition(condition: unknown): void {
  const opaque = opaqueType(condition)
  if (opaque) throw refused(`a filter with a value of type ${opaque}`)
  if (!hasOperators(condition)) return
  for (const [operator, operand] of Object.entries(condition)) {
    if (!COMPARING.has(operator)) throw refused(`the query operator ${operator}`)
    if ((operator === '$in' || operator === '$nin') && !Array.isArray(operand)) throw badValue(`${operator} needs an array`)
  }
}

const hasOperators = (condition: unknown): condition is Doc => isDoc(condition) && Object.keys(condition).some((key) => key.startsWith('$'))

/** What every match fulfils: the conditions of the filter and of its `$and`, by path. */
function conditionsOf(filter: Doc): [path: string, condition: unknown][] {
  return Object.entries(filter).flatMap(([key, value]): [string, unknown][] => {
    if (key === '$and') return (value as Doc[]).flatMap(conditionsOf)
    return key.startsWith('$') ? [] : [[key, value]]
  })
}

/** The fields that the filter pins to one value. */
export function pinned(filter: Doc): Doc {
  const pins = conditionsOf(filter).flatMap(([path, condition]): [string, unknown][] => {
    if (!hasOperators(condition)) return condition instanceof RegExp ? [] : [[path, condition]]
    return '$eq' in condition ? [[path, condition.$eq]] : []
  })
  return Object.fromEntries(pins)
}

/** The keys of which every match has one at the path; undefined when there could be any. */
export function wantedKeys(filter: Doc, path: string): string[] | undefined {
  for (const [at, condition] of conditionsOf(filter)) {
    if (at !== path) continue
    const values = hasOperators(condition) ? (condition.$in ?? ('$eq' in condition ? [condition.$eq] : undefined)) : [condition]
    if (Array.isArray(values) && values.every(isScalar)) return [...new Set(values.map(keyOf))]
  }
  return undefined
}

/** Whether it is plain to see that whatever matches `filter` also matches `partial`, the expression of a partial index. */
export function implies(filter: Doc, partial: Doc): boolean {
  const given = conditionsOf(filter)
  return conditionsOf(partial).every(([path, wanted]) =>
    given.some(([at, condition]) => {
      if (at !== path) return false
      if (!hasOperators(condition)) return isScalar(condition) && compileFilter({ value: wanted })({ value: condition })
      return hasOperators(wanted) && Object.entries(wanted).every(([name, operand]) => keyOf(condition[name]) === keyOf(operand))
    }),
  )
}
