// The update operators on arrays. Elements keep their BSON types; comparisons see plain values.
import { BSONRegExp } from 'bson'
import { badValue, failedToParse, typeMismatch } from '../errors.ts'
import { compileLeaf, isOperatorDoc } from '../query/leaf.ts'
import { compileFilter } from '../query/match.ts'
import { sortItems } from '../query/sort.ts'
import { type Doc, isArray, isDoc, toPlain } from '../values/bson.ts'
import { compareValues, equalValues } from '../values/compare.ts'
import { isNumberValue } from '../values/numbers.ts'
import { docText, typeName } from '../values/text.ts'
import type { Compute } from './operations.ts'

function arrayOf(current: unknown, path: string, doc: Doc): unknown[] {
  if (!isArray(current)) {
    throw badValue(
      `The field '${path}' must be an array but is of type ${typeName(current)} in document ${docText({ _id: toPlain(doc._id) })
        .replace('{ ', '{')
        .replace(' }', '}')}`,
    )
  }
  return current
}

const PUSH_MODIFIERS = new Set(['$each', '$slice', '$sort', '$position'])

function whole(value: unknown, name: string): number {
  const plain = toPlain(value, false)
  if (typeof plain !== 'number' || !Number.isInteger(plain))
    throw badValue(`The value for ${name} must be an integer value, not of type: ${typeName(value)}`)
  return plain
}

function sortElements(elements: unknown[], by: unknown): unknown[] {
  const plain = toPlain(by, false)
  if (isNumberValue(plain)) {
    const sign = Number(plain)
    if (sign !== 1 && sign !== -1) throw badValue('The $sort element value must be either 1 or -1')
    return [...elements].sort((a, b) => compareValues(toPlain(a), toPlain(b)) * sign)
  }
  if (!isDoc(plain)) throw badValue('The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields')
  return sortItems(elements, plain, (element) => (isDoc(element) ? (toPlain(element) as Doc) : {}))
}

/** `$push`: one value, or `$each` with `$position`, then `$sort`, then `$slice`. */
export function push(path: string, argument: unknown): Compute {
  const modified = isDoc(argument) && '$each' in argument
  const options: Doc = modified ? argument : { $each: [argument] }
  const values = options.$each
  if (!isArray(values)) throw badValue(`The argument to $each in $push must be an array but it was of type: ${typeName(values)}`)
  const unknown = Object.keys(options).find((key) => !PUSH_MODIFIERS.has(key))
  if (unknown) throw badValue(`Unrecognized clause in $push: ${unknown}`)
  const position = '$position' in options ? whole(options.$position, '$position') : undefined
  const slice = '$slice' in options ? whole(options.$slice, '$slice') : undefined
  return (current, doc) => {
    let elements = current === undefined ? [] : [...arrayOf(current, path, doc)]
    elements.splice(position ?? elements.length, 0, ...values)
    if ('$sort' in options) elements = sortElements(elements, options.$sort)
    if (slice !== undefined) elements = slice < 0 ? elements.slice(slice) : elements.slice(0, slice)
    return elements
  }
}

export function addToSet(path: string, argument: unknown): Compute {
  const many = isDoc(argument) && Object.keys(argument)[0] === '$each'
  const values = many ? argument.$each : [argument]
  if (!isArray(values)) throw badValue(`The argument to $each in $addToSet must be an array but it was of type ${typeName(values)}`)
  return (current) => {
    if (current !== undefined && !isArray(current)) {
      const field = path.slice(path.lastIndexOf('.') + 1)
      throw badValue(`Cannot apply $addToSet to non-array field. Field named '${field}' has non-array type ${typeName(current)}`)
    }
    const elements = [...(current ?? [])]
    for (const value of values) {
      if (!elements.some((element) => equalValues(toPlain(element), toPlain(value)))) elements.push(value)
    }
    return elements
  }
}

/** An element goes when it meets the condition: operators on the element, or a filter on an element that is a document. */
function pullTest(argument: unknown): (element: unknown) => boolean {
  const condition = toPlain(argument)
  if (isOperatorDoc(condition) && !['$and', '$or', '$nor'].includes(Object.keys(condition)[0]!)) {
    const leaves = compileLeaf(condition, {})
    return (element) => leaves.every((leaf) => leaf.test(element, {}) !== (leaf.negated ?? false))
  }
  if (isDoc(condition)) {
    const filter = compileFilter(condition)
    return (element) => isDoc(element) && filter(element)
  }
  if (condition instanceof RegExp || condition instanceof BSONRegExp) {
    const leaves = compileLeaf(condition, {})
    return (element) => leaves.every((leaf) => leaf.test(element, {}))
  }
  return (element) => equalValues(element, condition)
}

export function pull(_path: string, argument: unknown): Compute {
  const goes = pullTest(argument)
  return (current) => {
    if (!isArray(current)) throw badValue('Cannot apply $pull to a non-array value')
    return current.filter((element) => !goes(toPlain(element)))
  }
}

export function pullAll(_path: string, argument: unknown): Compute {
  if (!isArray(argument)) throw badValue(`$pullAll requires an array argument but was given a ${typeName(argument)}`)
  return (current) => {
    if (!isArray(current)) throw badValue('Cannot apply $pull to a non-array value')
    return current.filter((element) => !argument.some((value) => equalValues(toPlain(value), toPlain(element))))
  }
}

export function pop(path: string, argument: unknown): Compute {
  const end = Number(toPlain(argument, false))
  if (end !== 1 && end !== -1) throw failedToParse(`$pop expects 1 or -1, found: ${String(argument)}`)
  return (current) => {
    if (!isArray(current)) throw typeMismatch(`Path '${path}' contains an element of non-array type '${typeName(current)}'`)
    return end === 1 ? current.slice(0, -1) : current.slice(1)
  }
}
