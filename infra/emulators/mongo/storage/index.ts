import { badValue, CommandError, refused } from '../errors.ts'
import { checkFilter, compileFilter, type Filter, implies, wantedKeys } from '../filter.ts'
import { type Doc, isDoc, keyOf, valuesAt } from '../values.ts'

/** A stored document: its bytes, and the plain form that filters and indexes read. Neither is ever changed in place. */
export type Entry = {
  /** Order of insertion; the row's key on disk. */
  readonly seq: number
  readonly id: string
  raw: Buffer
  doc: Doc
}

const OPTIONS = new Set(['key', 'name', 'unique', 'partialFilterExpression', 'expireAfterSeconds', 'background', 'v'])

export const ID_INDEX: Doc = { v: 2, key: { _id: 1 }, name: '_id_' }

/** A requested specification in the form in which it is stored and listed. @throws CommandError */
export function readIndexSpec(request: unknown): Doc {
  if (!isDoc(request) || !isDoc(request.key) || typeof request.name !== 'string') throw badValue('an index needs a key and a name')
  const unknown = Object.keys(request).find((option) => !OPTIONS.has(option))
  if (unknown) throw refused(`an index with ${unknown}`)
  const { key, name, unique, partialFilterExpression, expireAfterSeconds } = request
  const directions = Object.values(key)
  if (directions.length === 0 || !directions.every((direction) => direction === 1 || direction === -1))
    throw refused(`an index on ${JSON.stringify(key)}`)
  if (expireAfterSeconds !== undefined && (typeof expireAfterSeconds !== 'number' || directions.length > 1))
    throw badValue('TTL indexes are single-field indexes with a number of seconds')
  if (partialFilterExpression !== undefined) checkFilter(partialFilterExpression)
  return {
    v: 2,
    key,
    name,
    ...(unique ? { unique: true } : {}),
    ...(partialFilterExpression === undefined ? {} : { partialFilterExpression }),
    ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds }),
  }
}

/** Whether the index is there already. @throws CommandError when one is there that it contradicts. */
export function isPresent(spec: Doc, existing: Iterable<Doc>): boolean {
  for (const other of existing) {
    if (keyOf(spec) === keyOf(other)) return true
    if (keyOf(spec.key) === keyOf(other.key))
      throw new CommandError(85, `An equivalent index already exists with a different name or options: ${String(other.name)}`)
    if (spec.name === other.name) throw new CommandError(86, `An existing index has the same name as the requested index: ${spec.name}`)
  }
  return false
}

/** 11000 as drivers know it: with the index's pattern and the values that clash. */
export function duplicateKey(namespace: string, index: string, keyPattern: Doc, values: unknown[]): CommandError {
  const keyValue = Object.fromEntries(Object.keys(keyPattern).map((path, i) => [path, values[i] ?? null]))
  const shown = Object.entries(keyValue).map(([path, value]) => `${path}: ${JSON.stringify(value)}`)
  const message = `E11000 duplicate key error collection: ${namespace} index: ${index} dup key: { ${shown.join(', ')} }`
  return new CommandError(11000, message, { keyPattern, keyValue })
}

/** A secondary index: the documents that it covers, by what they have at its first path. */
export class Index {
  readonly spec: Doc
  readonly name: string
  readonly keyPattern: Doc
  readonly expireAfterSeconds: number | undefined
  readonly #firstPath: string
  readonly #paths: string[][]
  readonly #partial: Doc | undefined
  readonly #covers: Filter
  readonly #entries = new Map<string, Set<Entry>>()

  constructor(spec: Doc) {
    this.spec = spec
    this.name = String(spec.name)
    this.keyPattern = spec.key as Doc
    this.expireAfterSeconds = spec.expireAfterSeconds as number | undefined
    this.#firstPath = Object.keys(this.keyPattern)[0]!
    this.#paths = Object.keys(this.keyPattern).map((path) => path.split('.'))
    this.#partial = spec.partialFilterExpression as Doc | undefined
    this.#covers = this.#partial ? compileFilter(this.#partial) : () => true
  }

  add(entry: Entry): void {
    for (const key of this.#keysOf(entry.doc)) {
      const known = this.#entries.get(key)
      if (known) known.add(entry)
      else this.#entries.set(key, new Set([entry]))
    }
  }

  /** With the document that was added. */
  remove(entry: Entry): void {
    for (const key of this.#keysOf(entry.doc)) {
      const known = this.#entries.get(key)
      known?.delete(entry)
      if (known?.size === 0) this.#entries.delete(key)
    }
  }

  /** @param own the entry whose new document this is. @throws DuplicateKey */
  check(doc: Doc, namespace: string, own?: Entry): void {
    if (!this.spec.unique || !this.#covers(doc)) return
    for (const tuple of this.#tuplesOf(doc)) {
      for (const other of this.#entries.get(keyOf(tuple[0])) ?? []) {
        if (other !== own && this.#tuplesOf(other.doc).some((one) => one.every((value, i) => keyOf(value) === keyOf(tuple[i]))))
          throw duplicateKey(namespace, this.name, this.keyPattern, tuple)
      }
    }
  }

  /** Entries among which all matches are; undefined when the index cannot tell. */
  candidates(filter: Doc): Set<Entry> | undefined {
    if (this.#partial && !implies(filter, this.#partial)) return undefined
    const keys = wantedKeys(filter, this.#firstPath)
    if (!keys && !this.#partial) return undefined
    const sets = [...(keys ?? this.#entries.keys())].flatMap((key) => this.#entries.get(key) ?? [])
    return sets.length === 1 ? sets[0] : new Set(sets.flatMap((set) => [...set]))
  }

  #keysOf(doc: Doc): Set<string> {
    return new Set(this.#covers(doc) ? valuesAt(doc, this.#paths[0]!).map(keyOf) : [])
  }

  /** Every combination of the values at the paths: a document with a list has several. */
  #tuplesOf(doc: Doc): unknown[][] {
    let tuples: unknown[][] = [[]]
    for (const path of this.#paths) tuples = tuples.flatMap((tuple) => valuesAt(doc, path).map((value) => [...tuple, value]))
    return tuples
  }
}
