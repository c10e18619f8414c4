// Operators that must see values as BSON does (ObjectId, Long, Decimal128, Binary), where mingo sees JavaScript objects.
import { ObjectId } from 'bson'
import { evalExpr } from 'mingo/core'
import * as expressions from 'mingo/operators/expression'
import type { Options } from 'mingo/types'
import { CommandError } from '../errors.ts'
import { bsonType, isArray, isDoc } from '../values/bson.ts'
import { compareValues, equalValues } from '../values/compare.ts'
import { average, calculate, isNumberValue, type NumberValue, plainNumber } from '../values/numbers.ts'
import { typeName } from '../values/text.ts'

type Operator = (doc: unknown, argument: unknown, options: Options) => unknown

const list = (doc: unknown, argument: unknown, options: Options): unknown[] => {
  const values = evalExpr(doc, argument, options)
  return isArray(values) ? values : [values]
}

const comparison =
  (accept: (order: number) => boolean | number): Operator =>
  (doc, argument, options) => {
    const [left, right] = list(doc, argument, options)
    return accept(compareValues(left, right))
  }

/** mingo computes with JavaScript numbers and dates; wrapped numbers are computed here. */
const arithmetic =
  (mingo: Operator, combine: (left: NumberValue, right: NumberValue) => NumberValue): Operator =>
  (doc, argument, options) => {
    const values = list(doc, argument, options)
    if (!values.some((value) => bsonType(value) !== undefined)) return mingo(doc, argument, options)
    if (values.some((value) => value === null || value === undefined)) return null
    if (!values.every(isNumberValue)) throw new CommandError(14, `arithmetic needs numbers, not ${values.map(typeName).join(', ')}`)
    return plainNumber(values.reduce((sum, value) => combine(sum, value)))
  }

const add = (left: NumberValue, right: NumberValue): NumberValue => calculate(left, right, 'add')
const multiply = (left: NumberValue, right: NumberValue): NumberValue => calculate(left, right, 'multiply')

const toText: Operator = (doc, argument, options) => {
  const value = evalExpr(doc, argument, options)
  return bsonType(value) === undefined ? (expressions.$toString as Operator)(doc, argument, options) : String(value)
}

const toObjectId: Operator = (doc, argument, options) => {
  const value = evalExpr(doc, argument, options)
  if (value === null || value === undefined) return null
  if (value instanceof ObjectId) return value
  if (typeof value === 'string' && ObjectId.isValid(value)) return new ObjectId(value)
  throw new CommandError(241, `Failed to parse objectId '${String(value)}' in $convert with no onError value`)
}

const includes: Operator = (doc, argument, options) => {
  const [item, items] = list(doc, argument, options)
  if (!isArray(items)) throw new CommandError(40081, `$in requires an array as a second argument, found: ${typeName(items)}`)
  return items.some((one) => equalValues(one, item))
}

/** mingo takes `[[1, 2]]` for the operand; the server takes a list of one for that one. */
const ofOne =
  (mingo: unknown): Operator =>
  (doc, argument, options) =>
    (mingo as Operator)(doc, isArray(argument) && argument.length === 1 ? argument[0] : argument, options)

/** The parts of no date are null. */
const ofDate =
  (mingo: unknown): Operator =>
  (doc, argument, options) => {
    const inner =
      isDoc(argument) && 'date' in argument ? argument.date : isArray(argument) && argument.length === 1 ? argument[0] : argument
    const value = evalExpr(doc, inner, options)
    return value === null || value === undefined ? null : (mingo as Operator)(doc, argument, options)
  }

const LIST_OPERATORS = ['$reverseArray', '$arrayToObject', '$objectToArray'] as const
const DATE_PARTS = [
  '$year',
  '$month',
  '$week',
  '$dayOfYear',
  '$dayOfMonth',
  '$dayOfWeek',
  '$hour',
  '$minute',
  '$second',
  '$millisecond',
  '$isoWeek',
  '$isoWeekYear',
  '$isoDayOfWeek',
] as const

const byName: Record<string, unknown> = { ...expressions }

export const expressionOverrides: Record<string, Operator> = {
  ...Object.fromEntries(LIST_OPERATORS.map((name) => [name, ofOne(byName[name])])),
  ...Object.fromEntries(DATE_PARTS.map((name) => [name, ofDate(byName[name])])),
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $cmp: comparison(Math.sign),
  $in: includes,
  $add: arithmetic(expressions.$add as Operator, add),
  $multiply: arithmetic(expressions.$multiply as Operator, multiply),
  $subtract: arithmetic(expressions.$subtract as Operator, (left, right) => add(left, multiply(right, -1))),
  $toString: toText,
  $toObjectId: toObjectId,
  $type: (doc, argument, options) => typeName(evalExpr(doc, argument, options)),
}

/**
 * The values that an accumulator works on: of a group (a list of documents), the expression's value in each;
 * as an expression over one document, the arguments themselves.
 */
function operands(docs: unknown, argument: unknown, options: Options): unknown[] {
  if (isArray(docs) && argument !== null) return docs.map((doc) => evalExpr(doc, argument, withoutRoot(options)))
  const value = isArray(docs) ? docs : evalExpr(docs, argument, options)
  return isArray(value) ? (value.length === 1 && isArray(value[0]) ? value[0] : value) : [value]
}

type WithRoot = Options & { update(locals: { root: unknown }): Options }
const withoutRoot = (options: Options): Options => ((options as WithRoot).update ? (options as WithRoot).update({ root: null }) : options)

const sumOf = (values: unknown[]): NumberValue =>
  values
    .filter(isNumberValue)
    .reduce<NumberValue>(
      (sum, value) => (typeof sum === 'number' && typeof value === 'number' ? sum + value : calculate(sum, value, 'add')),
      0,
    )

const present = (values: unknown[]): unknown[] => values.filter((value) => value !== null && value !== undefined)

const best = (values: unknown[], sign: number): unknown => {
  const [first, ...rest] = present(values)
  return rest.reduce((winner, value) => (compareValues(value, winner) * sign > 0 ? value : winner), first) ?? null
}

export const accumulatorOverrides: Record<string, Operator> = {
  $sum: (docs, argument, options) => plainNumber(sumOf(operands(docs, argument, options))),
  $avg: (docs, argument, options) => {
    const values = operands(docs, argument, options).filter(isNumberValue)
    if (values.length === 0) return null
    return plainNumber(average(sumOf(values), values.length))
  },
  $min: (docs, argument, options) => best(operands(docs, argument, options), -1),
  $max: (docs, argument, options) => best(operands(docs, argument, options), 1),
}
