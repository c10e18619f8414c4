import type { Storage } from '../../data-file.ts'
import { CommandError } from '../errors.ts'
import { compileFilter, wantedKeys } from '../filter.ts'
import { type Doc, decode, encode, keyOf, valuesAt } from '../values.ts'
import { duplicateKey, type Entry, Index } from './index.ts'

export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024

/** The documents of one collection with their indexes, in memory; every change also goes to the data file's transaction. */
export class Collection {
  readonly id: number
  readonly db: string
  readonly name: string
  /** All but the one on `_id`, by name. */
  readonly indexes = new Map<string, Index>()
  readonly #file: Storage
  /** In order of insertion. */
  readonly #entries = new Map<string, Entry>()

  constructor(file: Storage, id: number, db: string, name: string) {
    this.#file = file
    this.id = id
    this.db = db
    this.name = name
  }

  get namespace(): string {
    return `${this.db}.${this.name}`
  }

  /** The entries that match, in order of insertion. */
  matching(filter: Doc, limit = Number.POSITIVE_INFINITY): Entry[] {
    const matches = compileFilter(filter)
    const found: Entry[] = []
    for (const entry of this.#candidates(filter)) {
      if (found.length >= limit) break
      if (matches(entry.doc)) found.push(entry)
    }
    return found
  }

  /** @param raw must carry `_id` as its first field. @throws DuplicateKey, BSONObjectTooLarge, and then nothing has changed. */
  insert(raw: Buffer): Entry {
    checkSize(raw)
    const doc = decode(raw)
    const id = keyOf(doc._id)
    if (this.#entries.has(id)) throw duplicateKey(this.namespace, '_id_', { _id: 1 }, [doc._id])
    for (const index of this.indexes.values()) index.check(doc, this.namespace)
    const seq = this.#file.change('INSERT INTO documents (collection, body) VALUES (?, ?)', this.id, raw)
    return this.restore(seq, raw, doc)
  }

  /** Takes over a document that is on disk already. */
  restore(seq: number, raw: Buffer, doc = decode(raw)): Entry {
    const entry: Entry = { seq, id: keyOf(doc._id), raw, doc }
    this.#entries.set(entry.id, entry)
    for (const index of this.indexes.values()) index.add(entry)
    return entry
  }

  /** Answers false when nothing is different. `_id` must be the same. @throws DuplicateKey, BSONObjectTooLarge */
  replace(entry: Entry, doc: Doc): boolean {
    const raw = encode(doc)
    if (raw.equals(entry.raw)) return false
    checkSize(raw)
    for (const index of this.indexes.values()) index.check(doc, this.namespace, entry)
    this.#file.change('UPDATE documents SET body = ? WHERE seq = ?', raw, entry.seq)
    for (const index of this.indexes.values()) index.remove(entry)
    entry.raw = raw
    entry.doc = doc
    for (const index of this.indexes.values()) index.add(entry)
    return true
  }

  remove(entry: Entry): void {
    this.#file.change('DELETE FROM documents WHERE seq = ?', entry.seq)
    for (const index of this.indexes.values()) index.remove(entry)
    this.#entries.delete(entry.id)
  }

  /** @throws DuplicateKey when the documents that are there break a unique index; then it is not made. */
  createIndex(spec: Doc): void {
    const index = new Index(spec)
    for (const entry of this.#entries.values()) {
      index.check(entry.doc, this.namespace, entry)
      index.add(entry)
    }
    this.#file.change('INSERT INTO indexes (collection, name, spec) VALUES (?, ?, ?)', this.id, index.name, encode(spec))
    this.indexes.set(index.name, index)
  }

  /** Removes what TTL indexes say is over at `now`. */
  expire(now: number): void {
    for (const { expireAfterSeconds, keyPattern } of this.indexes.values()) {
      if (expireAfterSeconds === undefined) continue
      const path = Object.keys(keyPattern)[0]!.split('.')
      const isOver = (value: unknown) => value instanceof Date && value.getTime() + expireAfterSeconds * 1000 <= now
      for (const entry of this.#entries.values()) if (valuesAt(entry.doc, path).some(isOver)) this.remove(entry)
    }
  }

  /** The fewest entries among which all matches are that an index can name. */
  #candidates(filter: Doc): Iterable<Entry> {
    const ids = wantedKeys(filter, '_id')
    if (ids) return ids.flatMap((id) => this.#entries.get(id) ?? [])
    let fewest: Set<Entry> | undefined
    for (const index of this.indexes.values()) {
      const found = index.candidates(filter)
      if (found && (!fewest || found.size < fewest.size)) fewest = found
    }
    return fewest ? [...fewest].sort((a, b) => a.seq - b.seq) : this.#entries.values()
  }
}

function checkSize(raw: Uint8Array): void {
  if (raw.length > MAX_DOCUMENT_BYTES) throw new CommandError(10334, `BSONObj size: ${raw.length} is invalid, it is over 16 MB`)
}
