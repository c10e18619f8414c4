// The update operators that compute one value.
import { Int32, Long, Timestamp } from 'bson'
import { badValue, CommandError, typeMismatch } from '../errors.ts'
import { type Doc, isDoc, toPlain } from '../values/bson.ts'
import { compareValues } from '../values/compare.ts'
import { calculate, isNumberValue } from '../values/numbers.ts'
import { typeName, valueText } from '../values/text.ts'
import type { Compute } from './operations.ts'

const idText = (doc: Doc): string => `{_id: ${valueText(toPlain(doc._id))}}`
const lastPart = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** `$inc` and `$mul` */
export function arithmetic(operator: '$inc' | '$mul', path: string, argument: unknown): Compute {
  if (!isNumberValue(argument)) {
    const verb = operator === '$inc' ? 'increment' : 'multiply'
    throw typeMismatch(`Cannot ${verb} with non-numeric argument: {${path}: ${valueText(toPlain(argument))}}`)
  }
  return (current, doc) => {
    if (current === undefined) return operator === '$inc' ? argument : calculate(argument, new Int32(0), 'multiply')
    if (!isNumberValue(current)) {
      throw typeMismatch(
        `Cannot apply ${operator} to a value of non-numeric type. ${idText(doc)} has the field '${lastPart(path)}' of non-numeric type ${typeName(current)}`,
      )
    }
    try {
      return calculate(current, argument, operator === '$inc' ? 'add' : 'multiply')
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      throw badValue(`Failed to apply ${operator} operations to current value ((NumberLong)${String(current)}) for document ${idText(doc)}`)
    }
  }
}

/** `$currentDate` */
export function currentDate(argument: unknown): Compute {
  const kind = isDoc(argument) ? argument.$type : 'date'
  if (!isDoc(argument) && typeof argument !== 'boolean') {
    throw badValue(
      `${typeName(argument)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
    )
  }
  if (kind !== 'date' && kind !== 'timestamp')
    throw badValue(`The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}`)
  return (_current, _doc, { now }) => (kind === 'date' ? now : new Timestamp(Long.fromBits(1, Math.floor(now.getTime() / 1000))))
}

/** `$bit` */
export function bit(path: string, argument: unknown): Compute {
  if (!isDoc(argument))
    throw badValue(
      `The $bit modifier is not compatible with a ${typeName(argument)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    )
  return (current, doc) => {
    if (current !== undefined && !isNumberValue(current))
      throw badValue(
        `Cannot apply $bit to a value of non-integral type._id: ${valueText(toPlain(doc._id))} has the field ${lastPart(path)} of non-integer type ${typeName(current)}`,
      )
    const wide = current instanceof Long || Object.values(argument).some((mask) => mask instanceof Long)
    let bits = current === undefined ? 0n : BigInt(current.toString())
    for (const [name, mask] of Object.entries(argument)) {
      const operand = BigInt(String(mask))
      if (name === 'and') bits &= operand
      else if (name === 'or') bits |= operand
      else if (name === 'xor') bits ^= operand
      else
        throw badValue(
          `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: {${name}: ${String(mask)}}`,
        )
    }
    return wide ? Long.fromBigInt(bits) : Number(bits)
  }
}

/** `$min` (sign -1) and `$max` (sign 1) */
export const choose =
  (argument: unknown, sign: 1 | -1): Compute =>
  (current) =>
    current === undefined || compareValues(toPlain(argument), toPlain(current)) * sign > 0 ? argument : current
