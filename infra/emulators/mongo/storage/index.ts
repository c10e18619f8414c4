import { CommandError } from '../errors.ts'
import { keyTuples } from '../query/keys.ts'
import { compileFilter, type Filter } from '../query/match.ts'
import { pathExists } from '../query/paths.ts'
import { type Doc, isDoc, isTruthy, toPlain } from '../values/bson.ts'
import { compareValues } from '../values/compare.ts'
import { docText } from '../values/text.ts'
import type { Entry } from './entry.ts'
import { type IndexKey, SortedKeys } from './sorted-keys.ts'

const sameTuple = (a: unknown[], b: unknown[]): boolean => a.every((value, i) => compareValues(value, b[i]) === 0)
const sameTuples = (a: unknown[][], b: unknown[][]): boolean => a.length === b.length && a.every((tuple, i) => sameTuple(tuple, b[i]!))

/** 11000 as drivers know it: with the index's pattern and the values that clash. */
export function duplicateKey(namespace: string, index: string, keyPattern: Doc, values: unknown[]): CommandError {
  const keyValue = Object.fromEntries(Object.keys(keyPattern).map((path, i) => [path, values[i] ?? null]))
  return new CommandError(11000, `E11000 duplicate key error collection: ${namespace} index: ${index} dup key: ${docText(keyValue)}`, {
    keyPattern,
    keyValue,
  })
}

/** A secondary index: its specification as clients wrote it, and the keys of all documents in order. */
export class Index {
  readonly spec: Doc
  readonly name: string
  readonly keyPattern: Doc
  readonly paths: string[][]
  readonly unique: boolean
  readonly sparse: boolean
  readonly partial: Doc | undefined
  /** True once a document had an array at an indexed path: then one document may have many keys. */
  multikey = false
  readonly #covers: Filter
  readonly #keys = new SortedKeys()
  readonly #namespace: string

  /** @param spec typed, as listed by `listIndexes`. */
  constructor(spec: Doc, namespace: string) {
    const plain = toPlain(spec, false) as Doc
    this.spec = spec
    this.name = String(plain.name)
    this.keyPattern = plain.key as Doc
    this.paths = Object.keys(this.keyPattern).map((path) => path.split('.'))
    this.unique = isTruthy(plain.unique)
    this.sparse = isTruthy(plain.sparse)
    this.partial = isDoc(plain.partialFilterExpression) ? (toPlain(spec.partialFilterExpression) as Doc) : undefined
    this.#covers = this.partial ? compileFilter(this.partial) : () => true
    this.#namespace = namespace
  }

  /** Seconds after which documents go, or undefined. */
  get expireAfterSeconds(): number | undefined {
    const seconds = toPlain(this.spec.expireAfterSeconds, false)
    return seconds === undefined ? undefined : Number(seconds)
  }

  #tuples(doc: Doc): unknown[][] {
    if (this.sparse && !this.paths.some((path) => pathExists(doc, path))) return []
    return this.#covers(doc) ? keyTuples(doc, this.paths) : []
  }

  /** @throws DuplicateKey when another document than `own` has one of the keys. */
  check(doc: Doc, own?: Entry): void {
    const tuples = this.#tuples(doc)
    if (!this.unique) return
    for (const tuple of tuples) {
      for (const { entry } of this.equal(tuple)) if (entry !== own) throw duplicateKey(this.#namespace, this.name, this.keyPattern, tuple)
    }
  }

  add(entry: Entry): void {
    const tuples = this.#tuples(entry.doc)
    if (tuples.length > 1 || tuples[0]?.includes(undefined)) this.multikey = true
    for (const values of tuples) this.#keys.add({ values, entry })
  }

  remove(entry: Entry): void {
    for (const values of this.#tuples(entry.doc)) this.#keys.remove({ values, entry })
  }

  /** Whether the entry's keys stay what they are when it becomes `doc`. */
  isUnchanged(entry: Entry, doc: Doc): boolean {
    return sameTuples(this.#tuples(entry.doc), this.#tuples(doc))
  }

  /** Keys whose first values are these. */
  equal(prefix: unknown[]): Generator<IndexKey> {
    return this.range(prefix, () => 0)
  }

  /** Keys with this prefix whose next value is in a range; `position` answers negative before the range, positive behind it. */
  *range(prefix: unknown[], position: (value: unknown) => number): Generator<IndexKey> {
    const order = (values: unknown[]): number => {
      for (let i = 0; i < prefix.length; i++) {
        const difference = compareValues(values[i], prefix[i])
        if (difference !== 0) return difference
      }
      return position(values[prefix.length])
    }
    for (const key of this.#keys.from(({ values }) => order(values) < 0)) {
      if (order(key.values) > 0) return
      yield key
    }
  }
}
