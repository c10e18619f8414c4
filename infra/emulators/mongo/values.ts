/** Documents as bytes and as plain objects, and values as keys. */
import { deserialize, ObjectId, serialize } from 'bson'

export type Doc = Record<string, unknown>

/** Numbers become JavaScript's where that is exact; all else keeps its BSON type. */
export const decode = (bytes: Uint8Array): Doc => deserialize(bytes)

export function encode(doc: Doc): Buffer {
  const bytes = serialize(doc, { ignoreUndefined: true })
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** A sub-document: neither an array, a date, a regular expression nor one of BSON's own value types. */
export const isDoc = (value: unknown): value is Doc =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** The name of a type that is only stored here, never compared or changed; undefined when everything in the value is fine. */
export function opaqueType(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value instanceof Date || value instanceof RegExp || value instanceof ObjectId) return undefined
  if (!Array.isArray(value) && !isDoc(value)) return Object.getPrototypeOf(value).constructor.name
  for (const part of Object.values(value)) {
    const found = opaqueType(part)
    if (found) return found
  }
  return undefined
}

/** Equal values have equal keys: null is like missing, and numbers are alike whatever their type was. */
export function keyOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return `"${value}`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return `@${value.getTime()}`
  return encode({ value }).toString('latin1')
}

/** Whether equal values are found by looking their key up: a list is also found by its elements. */
export const isScalar = (value: unknown): boolean => !Array.isArray(value) && !isDoc(value) && !(value instanceof RegExp)

/** The values at a dotted path, as an index has them: those of every element of a list, null where there is nothing. */
export function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  const [part, ...rest] = path
  if (part === undefined) return Array.isArray(value) && value.length > 0 ? value : [value ?? null]
  if (Array.isArray(value) && !/^\d+$/.test(part)) return value.length > 0 ? value.flatMap((element) => valuesAt(element, path)) : [null]
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return [null]
  return valuesAt((value as Doc)[part], rest)
}
