import { BSONRegExp, BSONSymbol, type BSONValue, Decimal128, Double, deserialize, Int32, Long, serialize } from 'bson'

/** A document as a plain object. "Typed": numbers are BSON wrappers. "Plain": numbers are JavaScript numbers (64-bit integers stay Long). */
export type Doc = Record<string, unknown>

/** What the server allows for one document, and what it hands out in one batch. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024

/** Keeps every numeric type apart, so that what is written back has the type it came with. */
export const decodeTyped = (bytes: Uint8Array): Doc => deserialize(bytes, { promoteValues: false, bsonRegExp: true })

/** For matching, sorting and indexing. */
export const decodePlain = (bytes: Uint8Array): Doc => deserialize(bytes, { promoteLongs: false })

export const encode = (doc: Doc): Buffer => Buffer.from(serialize(doc, { ignoreUndefined: true }))

export const isArray = (value: unknown): value is unknown[] => Array.isArray(value)

export const bsonType = (value: unknown): BSONValue['_bsontype'] | undefined =>
  typeof value === 'object' && value !== null ? (value as BSONValue)._bsontype : undefined

/** A sub-document: neither array, date, regular expression nor one of BSON's own value types. */
export const isDoc = (value: unknown): value is Doc =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Date) &&
  !(value instanceof RegExp) &&
  !(value instanceof Uint8Array) &&
  (value as Doc)._bsontype === undefined

export const hasOwn = (doc: object, key: string): boolean => Object.hasOwn(doc, key)

/** Own fields only: a path called `constructor` must not find JavaScript's. */
export const fieldOf = (doc: Doc, key: string): unknown => (hasOwn(doc, key) ? doc[key] : undefined)

/** `__proto__` is an ordinary field name in BSON. */
export function setField(doc: Doc, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(doc, key, { value, writable: true, enumerable: true, configurable: true })
  else doc[key] = value
}

function fromLong(long: Long, keepLongs: boolean): unknown {
  if (keepLongs) return long
  const number = long.toNumber()
  return Number.isSafeInteger(number) ? number : long
}

const REGEX_FLAGS = /^[imsu]*$/

/** JavaScript's regular expression for BSON's, or undefined where JavaScript has no such option or syntax. */
export function toRegExp(pattern: string, options: string): RegExp | undefined {
  let source = pattern
  let flags = options
  const inline = /^\(\?([a-z]+)\)/.exec(source)
  if (inline) {
    source = source.slice(inline[0].length)
    flags += inline[1]
  }
  if (!REGEX_FLAGS.test(flags)) return undefined
  try {
    return new RegExp(source, [...new Set(flags)].join(''))
  } catch {
    return undefined
  }
}

/**
 * Typed value to plain value, recursively.
 * `keepLongs: false` also turns safe 64-bit integers into numbers, which is what expressions compute with.
 */
export function toPlain(value: unknown, keepLongs = true): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => toPlain(item, keepLongs))
  if (value instanceof Int32 || value instanceof Double) return value.valueOf()
  if (value instanceof Long) return fromLong(value, keepLongs)
  if (value instanceof BSONSymbol) return value.value
  if (value instanceof BSONRegExp) return toRegExp(value.pattern, value.options) ?? value
  if (!isDoc(value)) return value
  const plain: Doc = {}
  for (const key of Object.keys(value)) setField(plain, key, toPlain(value[key], keepLongs))
  return plain
}

/** A truthy option as drivers send it: `true`, `1`, a wrapped number. */
export const isTruthy = (value: unknown): boolean => {
  const plain = toPlain(value, false)
  return plain !== undefined && plain !== null && plain !== false && plain !== 0
}

export { Decimal128, Double, Int32, Long }
