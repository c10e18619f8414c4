import { badValue } from '../errors.ts'
import { isArray } from '../values/bson.ts'
import { isNumberValue } from '../values/numbers.ts'
import { typeName } from '../values/text.ts'

const TYPE_NUMBERS: Record<number, string> = {
  [-1]: 'minKey',
  1: 'double',
  2: 'string',
  3: 'object',
  4: 'array',
  5: 'binData',
  7: 'objectId',
  8: 'bool',
  9: 'date',
  10: 'null',
  11: 'regex',
  13: 'javascript',
  14: 'symbol',
  16: 'int',
  17: 'timestamp',
  18: 'long',
  19: 'decimal',
  127: 'maxKey',
}
const TYPE_NAMES = new Set([...Object.values(TYPE_NUMBERS), 'number', 'undefined'])

/** `$type`: by name or number, one or several. */
export function typeTest(operand: unknown): (value: unknown) => boolean {
  const wanted = (isArray(operand) ? operand : [operand]).map((type) => {
    const name = typeof type === 'string' ? type : TYPE_NUMBERS[Number(type)]
    if (name === undefined || !TYPE_NAMES.has(name)) throw badValue(`Unknown type name alias: ${String(type)}`)
    return name
  })
  return (value) => {
    if (value === undefined) return false
    const name = typeName(value)
    return wanted.includes(name) || (wanted.includes('number') && isNumberValue(value))
  }
}
