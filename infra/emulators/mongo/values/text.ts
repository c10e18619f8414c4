// Values as the real server prints them inside its error messages, and the names of their types.
import { Binary, Decimal128, Long, ObjectId, Timestamp } from 'bson'
import { bsonType, type Doc, isArray } from './bson.ts'

/** `{ email: "a@b.c", n: 1 }`: the form of "dup key" messages. */
export function docText(doc: Doc): string {
  const fields = Object.keys(doc).map((key) => `${key}: ${valueText(doc[key])}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

export function valueText(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`
  if (value === undefined || value === null) return 'null'
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`
  if (value instanceof Date) return `new Date(${value.getTime()})`
  if (value instanceof Decimal128) return value.toString()
  if (value instanceof Long) return value.toString()
  if (value instanceof Binary) return `BinData(${value.sub_type}, ${Buffer.from(value.value()).toString('hex').toUpperCase()})`
  if (value instanceof Timestamp) return `Timestamp(${value.getHighBits()}, ${value.getLowBits()})`
  if (value instanceof RegExp) return String(value)
  if (isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(valueText).join(', ')} ]`
  if (typeof value === 'object' && bsonType(value) === undefined) return docText(value as Doc)
  return String(value)
}

const BSON_NAMES: Record<string, string> = {
  Int32: 'int',
  Double: 'double',
  Long: 'long',
  Decimal128: 'decimal',
  ObjectId: 'objectId',
  Binary: 'binData',
  Timestamp: 'timestamp',
  BSONRegExp: 'regex',
  BSONSymbol: 'symbol',
  Code: 'javascript',
  MinKey: 'minKey',
  MaxKey: 'maxKey',
  DBRef: 'object',
}

/** The name that `$type` uses. A plain number is `int` when it is a whole one of 32 bits, as drivers send it. */
export function typeName(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) && value === (value | 0) ? 'int' : 'double'
  if (typeof value === 'bigint') return 'long'
  if (isArray(value)) return 'array'
  if (value instanceof Date) return 'date'
  if (value instanceof RegExp) return 'regex'
  return BSON_NAMES[bsonType(value) ?? ''] ?? 'object'
}
