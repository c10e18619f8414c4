// Filters: compiled once, then asked document by document.

import { compileExpression, type Variables } from '../aggregate/expression.ts'
import { badValue, notImplemented } from '../errors.ts'
import { type Doc, isArray, isDoc } from '../values/bson.ts'
import { compileLeaf, isOperatorDoc, type Leaf } from './leaf.ts'
import { visitCandidates, visitPath } from './paths.ts'

/** Filled while a document is matched: the index of the array element that matched, which `$` in updates and projections means. */
export type MatchContext = { position?: number | undefined }
export type Filter = (doc: Doc, context?: MatchContext) => boolean

const LOGICAL = new Set(['$and', '$or', '$nor'])

function compileLogical(name: string, argument: unknown, variables: Variables): Filter {
  if (!isArray(argument)) throw badValue(`${name} must be an array`)
  if (argument.length === 0) throw badValue('$and/$or/$nor must be a nonempty array')
  const branches = argument.map((branch) => {
    if (!isDoc(branch)) throw badValue(`$or/$and/$nor entries need to be full objects`)
    return compileFilter(branch, variables)
  })
  if (name === '$and') return (doc, context) => branches.every((branch) => branch(doc, context))
  if (name === '$or') return (doc, context) => branches.some((branch) => branch(doc, context))
  return (doc) => !branches.some((branch) => branch(doc))
}

function compileTopLevel(name: string, argument: unknown, variables: Variables): Filter {
  if (LOGICAL.has(name)) return compileLogical(name, argument, variables)
  if (name === '$comment') return () => true
  if (name === '$expr') return compileExpression(argument, variables)
  if (name === '$where' || name === '$text' || name === '$jsonSchema' || name === '$sampleRate') throw notImplemented(name)
  throw badValue(
    `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
  )
}

function testLeaf(parts: string[], leaf: Leaf): Filter {
  return (doc, context) => {
    let matchedAt: number | undefined
    const test = (value: unknown, position: number | undefined): boolean => {
      const inner: MatchContext = {}
      if (!leaf.test(value, inner)) return false
      matchedAt = position ?? inner.position
      return true
    }
    const matched = leaf.wholeArrays ? visitPath(doc, parts, 0, undefined, test) : visitCandidates(doc, parts, test)
    if (leaf.negated) return !matched
    if (matched && context && matchedAt !== undefined) context.position = matchedAt
    return matched
  }
}

function compileField(path: string, condition: unknown, variables: Variables): Filter {
  const parts = path.split('.')
  if (isOperatorDoc(condition) && isOperatorDoc(condition.$not)) {
    // The conditions under $not are each asked of all values at the path, so the negation stands outside the walk.
    const { $not: denied, ...others } = condition
    const inner = compileField(path, denied, variables)
    const rest = Object.keys(others).length > 0 ? compileField(path, others, variables) : () => true
    return (doc, context) => !inner(doc) && rest(doc, context)
  }
  const filters = compileLeaf(condition, variables).map((leaf) => testLeaf(parts, leaf))
  if (filters.length === 1) return filters[0]!
  return (doc, context) => filters.every((filter) => filter(doc, context))
}

/**
 * A filter document (plain values) as a function over plain documents.
 * @throws BadValue for unknown operators and malformed arguments.
 */
export function compileFilter(filter: Doc, variables: Variables = {}): Filter {
  const filters = Object.keys(filter).map((key) =>
    key.startsWith('$') ? compileTopLevel(key, filter[key], variables) : compileField(key, filter[key], variables),
  )
  if (filters.length === 0) return () => true
  if (filters.length === 1) return filters[0]!
  return (doc, context) => filters.every((one) => one(doc, context))
}
