// The operators that stand behind a field name: `{field: {$gt: 1, ...}}`.
import { BSONRegExp, Long } from 'bson'
import type { Variables } from '../aggregate/expression.ts'
import { badValue, CommandError, notImplemented } from '../errors.ts'
import { type Doc, isArray, isDoc, toRegExp } from '../values/bson.ts'
import { compareValues, equalValues, isMinOrMaxKey, regexParts, typeOrder, valueKey } from '../values/compare.ts'
import { isNumberValue } from '../values/numbers.ts'
import { valueText } from '../values/text.ts'
import { bitTest } from './bits.ts'
import { compileFilter, type MatchContext } from './match.ts'
import { typeTest } from './types.ts'

/** One test of the values at a path. */
export type Leaf = {
  test: (value: unknown, context: MatchContext) => boolean
  /** Look at an array at the path's end as one value, not at its elements. */
  wholeArrays?: boolean
  /** Holds when no value at the path passes the test. */
  negated?: boolean
}

/** `{$gt: 1}` and not `{street: 'x'}`: a condition, not a value to be equal to. */
export const isOperatorDoc = (value: unknown): value is Doc => {
  if (!isDoc(value)) return false
  const first = Object.keys(value)[0]
  return first?.startsWith('$') === true && first !== '$ref' && first !== '$id' && first !== '$db'
}

const isRegex = (value: unknown): boolean => value instanceof RegExp || value instanceof BSONRegExp

function regexLeaf(pattern: unknown, options: string | undefined): Leaf {
  const { source, flags } = typeof pattern === 'string' ? { source: pattern, flags: '' } : regexParts(pattern)
  const regex = toRegExp(source, options ?? flags)
  if (!regex) throw new CommandError(51091, `Regular expression is invalid or uses options unknown here: /${source}/${options ?? flags}`)
  const test = (value: unknown): boolean => (typeof value === 'string' ? regex.test(value) : isRegex(value) && equalValues(value, pattern))
  return { test }
}

function equalLeaf(operand: unknown): Leaf {
  if (isRegex(operand)) return regexLeaf(operand, undefined)
  if (operand === null || operand === undefined) return { test: (value) => value === null || value === undefined }
  if (typeof operand === 'string' || typeof operand === 'boolean') return { test: (value) => value === operand }
  return { test: (value) => equalValues(value, operand) }
}

function inLeaf(operand: unknown, name: string): Leaf {
  if (!isArray(operand)) throw badValue(`${name} needs an array`)
  if (operand.some(isOperatorDoc)) throw badValue(`cannot nest $ under ${name}`)
  const patterns = operand.filter(isRegex).map((pattern) => regexLeaf(pattern, undefined))
  const keys = new Set(operand.filter((item) => !isRegex(item)).map((item) => valueKey(item ?? null)))
  return { test: (value, context) => keys.has(valueKey(value ?? null)) || patterns.some((pattern) => pattern.test(value, context)) }
}

function rangeLeaf(operand: unknown, accept: (order: number) => boolean): Leaf {
  if (isRegex(operand)) throw badValue("Can't have RegEx as arg to predicate over field")
  const bracket = typeOrder(operand)
  const equalTo = accept(0)
  if (operand === null) return { test: (value) => equalTo && (value === null || value === undefined) }
  if (isMinOrMaxKey(operand)) return { test: (value) => value !== undefined && accept(compareValues(value, operand)) }
  const isNaNOperand = isNumberValue(operand) && Number.isNaN(Number(operand))
  return {
    test: (value) => {
      if (typeOrder(value) !== bracket) return false
      const order = compareValues(value, operand)
      // NaN is in no range; it only equals itself.
      if (isNaNOperand || (isNumberValue(value) && Number.isNaN(Number(value)))) return equalTo && order === 0
      return accept(order)
    },
  }
}

function elementFilter(condition: Doc): (element: unknown) => boolean {
  const first = Object.keys(condition)[0]
  const onValues = isOperatorDoc(condition) && !['$and', '$or', '$nor', '$expr', '$where'].includes(first!)
  if (onValues) {
    const filter = compileFilter({ value: condition })
    return (element) => {
      const held: Doc = { value: element }
      // An element that is an array itself is compared as one value.
      return isArray(element)
        ? compileLeaf(condition, {}).every((leaf) => leaf.test(element, {}) !== (leaf.negated ?? false))
        : filter(held)
    }
  }
  const filter = compileFilter(condition)
  return (element) => (isDoc(element) || isArray(element)) && filter(element as Doc)
}

function elemMatchLeaf(operand: unknown): Leaf {
  if (!isDoc(operand)) throw badValue('$elemMatch needs an Object')
  const matches = elementFilter(operand)
  return {
    wholeArrays: true,
    test: (value, context) => {
      if (!isArray(value)) return false
      const index = value.findIndex((element) => matches(element))
      if (index >= 0) context.position = index
      return index >= 0
    },
  }
}

function allLeaves(operand: unknown): Leaf[] {
  if (!isArray(operand)) throw badValue('$all needs an array')
  if (operand.length === 0) return [{ test: () => false }]
  return operand.flatMap((item) => {
    if (!isOperatorDoc(item)) return [equalLeaf(item)]
    if (Object.keys(item)[0] !== '$elemMatch') throw badValue('no $ expressions in $all')
    return [elemMatchLeaf(item.$elemMatch)]
  })
}

function sizeLeaf(operand: unknown): Leaf {
  if (!isNumberValue(operand)) throw badValue(`Failed to parse $size. Expected a number in: $size: ${valueText(operand)}`)
  if (!Number.isInteger(Number(operand))) throw badValue(`Failed to parse $size. Expected an integer: $size: ${valueText(operand)}`)
  const size = Number(operand)
  if (size < 0) throw badValue(`Failed to parse $size. Expected a non-negative number in: $size: ${size}`)
  return { wholeArrays: true, test: (value) => isArray(value) && value.length === size }
}

/** A number without its fraction; undefined for what has none (NaN, the infinities) and for other values. */
function wholeOf(value: unknown): bigint | undefined {
  if (value instanceof Long) return value.toBigInt()
  const number = isNumberValue(value) ? Math.trunc(Number(value)) : Number.NaN
  return Number.isFinite(number) ? BigInt(number) : undefined
}

function modLeaf(operand: unknown): Leaf {
  if (!isArray(operand) || operand.length !== 2) throw badValue('malformed mod, needs to be an array with exactly two elements')
  const [divisor, remainder] = operand.map(wholeOf)
  if (!divisor) throw badValue('divisor cannot be 0')
  const test = (value: unknown): boolean => {
    const whole = wholeOf(value)
    return whole !== undefined && whole % divisor === remainder
  }
  return { test }
}

function notLeaves(operand: unknown, variables: Variables): Leaf[] {
  if (isRegex(operand)) return [{ ...regexLeaf(operand, undefined), negated: true }]
  if (!isOperatorDoc(operand)) throw badValue('$not needs a regex or a document')
  const leaves = compileLeaf(operand, variables)
  if (leaves.length === 1) return [{ ...leaves[0]!, negated: !leaves[0]!.negated }]
  // Several conditions under one $not: none of the documents that meet them all.
  const condition = compileFilter({ value: operand }, variables)
  return [{ wholeArrays: true, negated: true, test: (value) => condition(value === undefined ? {} : { value }) }]
}

function operatorLeaves(name: string, operand: unknown, condition: Doc, variables: Variables): Leaf[] {
  switch (name) {
    case '$eq':
      return [equalLeafExact(operand)]
    case '$ne':
      if (isRegex(operand)) throw badValue("Can't have regex as arg to $ne.")
      return [{ ...equalLeaf(operand), negated: true }]
    case '$gt':
      return [rangeLeaf(operand, (order) => order > 0)]
    case '$gte':
      return [rangeLeaf(operand, (order) => order >= 0)]
    case '$lt':
      return [rangeLeaf(operand, (order) => order < 0)]
    case '$lte':
      return [rangeLeaf(operand, (order) => order <= 0)]
    case '$in':
      return [inLeaf(operand, '$in')]
    case '$nin':
      return [{ ...inLeaf(operand, '$nin'), negated: true }]
    case '$exists':
      return [{ wholeArrays: true, test: (value) => value !== undefined, negated: !operand || Number(operand) === 0 }]
    case '$type':
      return [{ test: typeTest(operand) }]
    case '$regex':
      if (typeof operand !== 'string' && !isRegex(operand)) throw badValue('$regex has to be a string')
      return [regexLeaf(operand, condition.$options as string | undefined)]
    case '$options':
      if (!('$regex' in condition)) throw badValue('$options needs a $regex')
      return []
    case '$size':
      return [sizeLeaf(operand)]
    case '$all':
      return allLeaves(operand)
    case '$elemMatch':
      return [elemMatchLeaf(operand)]
    case '$mod':
      return [modLeaf(operand)]
    case '$not':
      return notLeaves(operand, variables)
    case '$bitsAllSet':
    case '$bitsAllClear':
    case '$bitsAnySet':
    case '$bitsAnyClear':
      return [{ test: bitTest(name, operand) }]
    case '$comment':
      return []
    case '$geoWithin':
    case '$geoIntersects':
    case '$near':
    case '$nearSphere':
      throw notImplemented(name)
    default:
      throw badValue(`unknown operator: ${name}`)
  }
}

/** `$eq` with a regular expression means that very value, not what it matches. */
const equalLeafExact = (operand: unknown): Leaf =>
  isRegex(operand) ? { test: (value) => isRegex(value) && equalValues(value, operand) } : equalLeaf(operand)

/** The tests a condition stands for; all must hold. */
export function compileLeaf(condition: unknown, variables: Variables): Leaf[] {
  if (!isOperatorDoc(condition)) return [equalLeaf(condition)]
  const leaves = Object.keys(condition).flatMap((name) => operatorLeaves(name, condition[name], condition, variables))
  return leaves.length === 0 ? [{ test: () => true }] : leaves
}
