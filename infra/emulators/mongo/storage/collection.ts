import { CommandError } from '../errors.ts'
import { type Doc, decodePlain, encode, MAX_DOCUMENT_BYTES } from '../values/bson.ts'
import { compareValues, typeOrder, valueKey } from '../values/compare.ts'
import type { Database } from './database.ts'
import type { Entry } from './entry.ts'
import { duplicateKey, Index } from './index.ts'

const DATE_BRACKET = typeOrder(new Date())

function checkSize(raw: Uint8Array): void {
  if (raw.length > MAX_DOCUMENT_BYTES)
    throw new CommandError(
      10334,
      `BSONObj size: ${raw.length} (0x${raw.length.toString(16)}) is invalid. Size must be between 0 and ${MAX_DOCUMENT_BYTES}(16MB)`,
    )
}

/** The documents of one collection with their indexes, in memory; every change also goes to the database file's open transaction. */
export class Collection {
  readonly id: number
  readonly db: string
  readonly name: string
  /** In order of insertion. */
  readonly byId = new Map<string, Entry>()
  /** All but the one on `_id`, by name. */
  readonly indexes = new Map<string, Index>()
  readonly #file: Database

  constructor(file: Database, id: number, db: string, name: string) {
    this.#file = file
    this.id = id
    this.db = db
    this.name = name
  }

  get namespace(): string {
    return `${this.db}.${this.name}`
  }

  /** Takes over a document that is on disk already. */
  restore(seq: number, raw: Buffer): void {
    const doc = decodePlain(raw)
    const entry: Entry = { seq, idKey: valueKey(doc._id), raw, doc }
    this.byId.set(entry.idKey, entry)
    for (const index of this.indexes.values()) index.add(entry)
  }

  /** @param raw must carry `_id` as its first field. @throws DuplicateKey, BSONObjectTooLarge, and then nothing has changed. */
  insert(raw: Buffer): Entry {
    checkSize(raw)
    const doc = decodePlain(raw)
    const idKey = valueKey(doc._id)
    if (this.byId.has(idKey)) throw duplicateKey(this.namespace, '_id_', { _id: 1 }, [doc._id])
    for (const index of this.indexes.values()) index.check(doc)
    const entry: Entry = { seq: this.#file.nextSeq(), idKey, raw, doc }
    this.#file.put(this.id, entry)
    this.byId.set(idKey, entry)
    for (const index of this.indexes.values()) index.add(entry)
    return entry
  }

  /** Writes the new typed document over the entry. Answers false when it is the same to the byte. `_id` must be the same. */
  replace(entry: Entry, typed: Doc): boolean {
    const raw = encode(typed)
    if (raw.equals(entry.raw)) return false
    if (raw.length > MAX_DOCUMENT_BYTES)
      throw new CommandError(17419, `Resulting document after update is larger than ${MAX_DOCUMENT_BYTES}`)
    const doc = decodePlain(raw)
    const touched = [...this.indexes.values()].filter((index) => !index.isUnchanged(entry, doc))
    for (const index of touched) index.check(doc, entry)
    this.#file.put(this.id, { ...entry, raw })
    for (const index of touched) index.remove(entry)
    entry.raw = raw
    entry.doc = doc
    for (const index of touched) index.add(entry)
    return true
  }

  remove(entry: Entry): void {
    this.#file.remove(entry.seq)
    for (const index of this.indexes.values()) index.remove(entry)
    this.byId.delete(entry.idKey)
  }

  /** @throws DuplicateKey when the documents that are there break a unique index; then it is not created. */
  createIndex(spec: Doc): void {
    const index = new Index(spec, this.namespace)
    for (const entry of this.byId.values()) {
      index.check(entry.doc, entry)
      index.add(entry)
    }
    this.#file.saveIndex(this.id, index.name, encode(spec))
    this.indexes.set(index.name, index)
  }

  /** Takes over an index specification that is on disk already; documents are restored afterwards. */
  restoreIndex(spec: Doc): void {
    const index = new Index(spec, this.namespace)
    this.indexes.set(index.name, index)
  }

  dropIndex(name: string): void {
    this.#file.removeIndex(this.id, name)
    this.indexes.delete(name)
  }

  /** Removes what TTL indexes say is over at `now`. Answers how many documents went. */
  expire(now: Date): number {
    const over = new Set<Entry>()
    for (const index of this.indexes.values()) {
      const seconds = index.expireAfterSeconds
      if (seconds === undefined || index.paths.length !== 1) continue
      const limit = new Date(now.getTime() - seconds * 1000)
      const position = (value: unknown): number => typeOrder(value) - DATE_BRACKET || (compareValues(value, limit) > 0 ? 1 : 0)
      for (const { entry } of index.range([], position)) over.add(entry)
    }
    for (const entry of over) this.remove(entry)
    return over.size
  }
}
