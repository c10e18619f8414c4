// Reading and comparing index specifications.
import { Int32 } from 'bson'
import { CommandError, failedToParse, notImplemented, typeMismatch } from '../errors.ts'
import { compileFilter } from '../query/match.ts'
import { type Doc, isDoc, isTruthy, toPlain } from '../values/bson.ts'
import { equalValues } from '../values/compare.ts'
import { isNumberValue } from '../values/numbers.ts'
import { docText, typeName, valueText } from '../values/text.ts'

const OPTIONS = new Set([
  'key',
  'name',
  'v',
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
  'background',
  'hidden',
  'ns',
  'collation',
  'storageEngine',
])
const MOST_SECONDS = 2_147_483_647

export const ID_INDEX: Doc = { v: new Int32(2), key: { _id: new Int32(1) }, name: '_id_' }

function checkKey(key: Doc): void {
  if (Object.keys(key).length === 0) throw new CommandError(67, 'Index keys cannot be an empty object')
  for (const path of Object.keys(key)) {
    const direction = toPlain(key[path], false)
    if (typeof direction === 'string' && direction !== 'hashed') throw notImplemented(`an index of the kind '${direction}'`)
    if (path.split('.').some((part) => part === '$**')) throw notImplemented('a wildcard index')
    if (path.split('.').some((part) => part === '')) throw new CommandError(67, 'Index keys cannot contain an empty field')
    if (typeof direction !== 'string' && (!isNumberValue(direction) || Number(direction) === 0 || Number.isNaN(Number(direction)))) {
      throw new CommandError(
        67,
        `Values in v:2 index key pattern cannot be of type ${typeName(direction)}. Only numbers > 0, numbers < 0, and strings are allowed.`,
      )
    }
  }
}

function checkExpiry(spec: Doc): void {
  if (spec.expireAfterSeconds === undefined) return
  const seconds = toPlain(spec.expireAfterSeconds, false)
  if (!isNumberValue(seconds))
    throw new CommandError(67, `TTL index 'expireAfterSeconds' option must be numeric, but received a type of '${typeName(seconds)}'`)
  if (Number(seconds) < 0 || Number(seconds) > MOST_SECONDS) {
    throw new CommandError(
      67,
      `TTL index 'expireAfterSeconds' option must be within an acceptable range, try a different value than ${seconds}`,
    )
  }
  if (Object.keys(spec.key as Doc).length > 1)
    throw new CommandError(
      67,
      'TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: '.concat(valueText(toPlain(spec))),
    )
}

/** A requested specification in the form in which it is stored and listed. @throws CannotCreateIndex and others. */
export function readIndexSpec(request: unknown): Doc {
  if (!isDoc(request)) throw typeMismatch("The elements of the 'indexes' array must be objects")
  const unknown = Object.keys(request).find((option) => !OPTIONS.has(option))
  if (unknown)
    throw new CommandError(
      197,
      `The field '${unknown}' is not valid for an index specification. Specification: ${valueText(toPlain(request))}`,
    )
  const key = request.key
  if (!isDoc(key)) throw failedToParse("The 'key' field is a required property of an index specification")
  if (typeof request.name !== 'string') throw failedToParse("The 'name' field is a required property of an index specification")
  checkKey(key)
  checkExpiry(request)
  if (isDoc(request.collation) && request.collation.locale !== 'simple') throw notImplemented('collation')
  const partial = request.partialFilterExpression
  if (partial !== undefined) {
    if (!isDoc(partial)) throw typeMismatch("The field 'partialFilterExpression' must be an object")
    if (isTruthy(request.sparse)) throw new CommandError(67, 'cannot mix "partialFilterExpression" and "sparse" options')
    checkPartial(toPlain(partial) as Doc)
  }
  const { key: _key, v: _v, name, background: _background, ns: _ns, collation: _collation, unique, sparse, ...others } = request
  return {
    v: new Int32(2),
    key,
    name,
    ...(isTruthy(unique) ? { unique: true } : {}),
    ...(isTruthy(sparse) ? { sparse: true } : {}),
    ...others,
  }
}

const PARTIAL_OPERATORS = new Set(['$eq', '$exists', '$gt', '$gte', '$lt', '$lte', '$type', '$in'])

/** Only conditions that an index can keep watch over. */
function checkPartial(filter: Doc): void {
  compileFilter(filter)
  for (const key of Object.keys(filter)) {
    const condition = filter[key]
    if (key === '$and' || key === '$or') for (const branch of condition as Doc[]) checkPartial(branch)
    else if (key.startsWith('$')) throw new CommandError(67, `Expression not supported in partial index: ${key}`)
    else if (isDoc(condition)) {
      const wrong = Object.keys(condition).find((name) => name.startsWith('$') && !PARTIAL_OPERATORS.has(name))
      if (wrong || condition.$exists === false) throw new CommandError(67, `Expression not supported in partial index: ${docText(filter)}`)
    }
  }
}

const plainOf = (spec: Doc): Doc => toPlain(spec, false) as Doc

/** Everything that decides which documents are in it, and how: two such indexes may stand side by side when this differs. */
function signature(spec: Doc): unknown {
  const plain = plainOf(spec)
  return [plain.key, plain.partialFilterExpression ?? null, isTruthy(plain.unique), isTruthy(plain.sparse)]
}

const withoutName = (spec: Doc): unknown => {
  const plain = plainOf(spec)
  return [signature(spec), plain.expireAfterSeconds ?? null, isTruthy(plain.hidden)]
}

/**
 * Whether the requested index is there already.
 * @throws IndexOptionsConflict or IndexKeySpecsConflict when one is there that it contradicts.
 */
export function isPresent(requested: Doc, existing: Doc[]): boolean {
  const text = (spec: Doc): string => docText(plainOf(spec))
  for (const other of existing) {
    const sameName = other.name === requested.name
    const sameSignature = equalValues(signature(other), signature(requested))
    if (sameName && sameSignature && equalValues(withoutName(other), withoutName(requested))) return true
    if (sameSignature && !sameName) {
      const isSame = equalValues(withoutName(other), withoutName(requested))
      throw new CommandError(
        85,
        isSame
          ? `Index already exists with a different name: ${String(other.name)}`
          : `An equivalent index already exists with a different name and options. Requested index: ${text(requested)}, existing index: ${text(other)}`,
      )
    }
    if (sameSignature)
      throw new CommandError(
        85,
        `An equivalent index already exists with the same name but different options. Requested index: ${text(requested)}, existing index: ${text(other)}`,
      )
    if (sameName) {
      throw new CommandError(
        86,
        `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${text(requested)}, existing index: ${text(other)}`,
      )
    }
  }
  return false
}
