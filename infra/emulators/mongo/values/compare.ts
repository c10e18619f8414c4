// The server's one order over all values, and a text that is equal exactly for equal values.
import { Binary, type Code, DBRef, type MaxKey, type MinKey, ObjectId, type Timestamp } from 'bson'
import { bsonType, type Doc, isArray } from './bson.ts'
import { compareNumbers, isNumberValue, numberKey } from './numbers.ts'

const ORDER = {
  minKey: -1,
  missing: 0,
  null: 5,
  number: 10,
  string: 15,
  object: 20,
  array: 25,
  binary: 30,
  objectId: 35,
  boolean: 40,
  date: 45,
  timestamp: 47,
  regex: 50,
  dbPointer: 55,
  code: 60,
  maxKey: 127,
} as const

const BSON_ORDER: Record<string, number> = {
  MinKey: ORDER.minKey,
  MaxKey: ORDER.maxKey,
  Int32: ORDER.number,
  Double: ORDER.number,
  Long: ORDER.number,
  Decimal128: ORDER.number,
  BSONSymbol: ORDER.string,
  Binary: ORDER.binary,
  ObjectId: ORDER.objectId,
  Timestamp: ORDER.timestamp,
  BSONRegExp: ORDER.regex,
  DBRef: ORDER.object,
  Code: ORDER.code,
}

/** The bracket a value belongs to: range operators compare inside one bracket only. */
export function typeOrder(value: unknown): number {
  switch (typeof value) {
    case 'undefined':
      return ORDER.missing
    case 'number':
    case 'bigint':
      return ORDER.number
    case 'string':
      return ORDER.string
    case 'boolean':
      return ORDER.boolean
  }
  if (value === null) return ORDER.null
  if (isArray(value)) return ORDER.array
  if (value instanceof Date) return ORDER.date
  if (value instanceof RegExp) return ORDER.regex
  if (value instanceof Uint8Array) return ORDER.binary
  return BSON_ORDER[bsonType(value) ?? ''] ?? ORDER.object
}

export const isMinOrMaxKey = (value: unknown): value is MinKey | MaxKey => {
  const order = typeOrder(value)
  return order === ORDER.minKey || order === ORDER.maxKey
}

/** By code point, which is the order of UTF-8 bytes; JavaScript's own comparison is by UTF-16 unit. */
function compareStrings(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    const xs = x >= 0xd800 && x <= 0xdfff
    const ys = y >= 0xd800 && y <= 0xdfff
    return xs === ys ? x - y : xs ? 1 : -1
  }
  return a.length - b.length
}

function compareLists(left: unknown[], right: unknown[]): number {
  const length = Math.min(left.length, right.length)
  for (let i = 0; i < length; i++) {
    const order = compareValues(left[i], right[i])
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** Field by field in their stored order: kind, then name, then value. */
function compareDocs(left: Doc, right: Doc): number {
  const leftKeys = Object.keys(left)
  const rightKeys = Object.keys(right)
  const length = Math.min(leftKeys.length, rightKeys.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [leftKeys[i]!, rightKeys[i]!]
    const order = typeOrder(left[x]) - typeOrder(right[y]) || compareStrings(x, y) || compareValues(left[x], right[y])
    if (order !== 0) return order
  }
  return leftKeys.length - rightKeys.length
}

const asDoc = (value: unknown): Doc => (value instanceof DBRef ? value.toJSON() : value) as Doc

const bytesOf = (value: unknown): { bytes: Uint8Array; subtype: number } =>
  value instanceof Binary ? { bytes: value.value(), subtype: value.sub_type } : { bytes: value as Uint8Array, subtype: 0 }

function compareBinaries(left: unknown, right: unknown): number {
  const [x, y] = [bytesOf(left), bytesOf(right)]
  return x.bytes.length - y.bytes.length || x.subtype - y.subtype || Buffer.compare(x.bytes, y.bytes)
}

export function regexParts(value: unknown): { source: string; flags: string } {
  if (value instanceof RegExp) return { source: value.source, flags: value.flags }
  const { pattern, options } = value as { pattern: string; options: string }
  return { source: pattern, flags: options }
}

/** Negative, zero or positive, over values of all types. */
export function compareValues(left: unknown, right: unknown): number {
  if (left === right && typeof left !== 'number') return 0
  const order = typeOrder(left)
  const difference = order - typeOrder(right)
  if (difference !== 0) return difference
  switch (order) {
    case ORDER.number:
      return isNumberValue(left) && isNumberValue(right) ? compareNumbers(left, right) : 0
    case ORDER.string:
      return compareStrings(String(left), String(right))
    case ORDER.object:
      return compareDocs(asDoc(left), asDoc(right))
    case ORDER.array:
      return compareLists(left as unknown[], right as unknown[])
    case ORDER.binary:
      return compareBinaries(left, right)
    case ORDER.objectId:
      return Buffer.compare((left as ObjectId).id, (right as ObjectId).id)
    case ORDER.boolean:
      return Number(left) - Number(right)
    case ORDER.date:
      return (left as Date).getTime() - (right as Date).getTime()
    case ORDER.timestamp:
      return (left as Timestamp).compare(right as Timestamp)
    case ORDER.regex: {
      const [x, y] = [regexParts(left), regexParts(right)]
      return compareStrings(x.source, y.source) || compareStrings(x.flags, y.flags)
    }
    case ORDER.code:
      return compareStrings(String((left as Code).code), String((right as Code).code))
    default:
      return 0
  }
}

export const equalValues = (left: unknown, right: unknown): boolean => compareValues(left, right) === 0

/** Equal text exactly when `compareValues` says zero: for maps keyed by values (`_id`, groups, distinct). */
export function valueKey(value: unknown): string {
  if (typeof value === 'string') return `s${value}`
  if (value instanceof ObjectId) return `o${value.toHexString()}`
  if (isNumberValue(value)) return `n${numberKey(value)}`
  if (value === undefined) return 'u'
  if (value === null) return 'z'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value instanceof Date) return `d${value.getTime()}`
  if (isArray(value)) return `a${JSON.stringify(value.map(valueKey))}`
  const order = typeOrder(value)
  if (order === ORDER.binary) {
    const { bytes, subtype } = bytesOf(value)
    return `b${subtype}:${Buffer.from(bytes).toString('base64')}`
  }
  if (order === ORDER.timestamp) return `T${(value as Timestamp).toString()}`
  if (order === ORDER.string) return `s${String(value)}`
  if (order === ORDER.regex) return `r${JSON.stringify(regexParts(value))}`
  if (order === ORDER.code) return `c${(value as Code).code}`
  if (order === ORDER.minKey) return '-'
  if (order === ORDER.maxKey) return '+'
  const doc = asDoc(value)
  return `{${JSON.stringify(Object.keys(doc).map((key) => [key, valueKey(doc[key])]))}`
}
