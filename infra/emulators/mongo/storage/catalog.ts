import { CommandError } from '../errors.ts'
import { decodeTyped } from '../values/bson.ts'
import { Collection } from './collection.ts'
import type { Database } from './database.ts'

const DB_NAME = /^[^/\\. "$*<>:|?\0]{1,63}$/

function checkNames(db: string, name: string): void {
  if (!DB_NAME.test(db)) throw new CommandError(73, `Invalid database name: '${db}'`)
  if (name === '' || name.includes('$') || name.includes('\0') || name.startsWith('.'))
    throw new CommandError(73, `Invalid collection name: ${name}`)
}

/** All databases and their collections. */
export class Catalog {
  readonly #file: Database
  #databases = new Map<string, Map<string, Collection>>()

  constructor(file: Database) {
    this.#file = file
    this.reload()
  }

  /** Reads everything from the file again: at start, and when a write to disk failed. */
  reload(): void {
    this.#databases = new Map()
    const byId = new Map<number, Collection>()
    for (const { id, db, name } of this.#file.readCollections()) {
      const collection = new Collection(this.#file, id, db, name)
      byId.set(id, collection)
      this.#add(collection)
    }
    for (const { collection, spec } of this.#file.readIndexes()) byId.get(collection)?.restoreIndex(decodeTyped(spec))
    for (const { collection, seq, body } of this.#file.readDocuments()) byId.get(collection)?.restore(seq, Buffer.from(body))
  }

  #add(collection: Collection): void {
    let collections = this.#databases.get(collection.db)
    if (!collections) {
      collections = new Map()
      this.#databases.set(collection.db, collections)
    }
    collections.set(collection.name, collection)
  }

  databaseNames(): string[] {
    return [...this.#databases.keys()].sort()
  }

  collections(db: string): Collection[] {
    return [...(this.#databases.get(db)?.values() ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  allCollections(): Collection[] {
    return [...this.#databases.values()].flatMap((collections) => [...collections.values()])
  }

  find(db: string, name: string): Collection | undefined {
    return this.#databases.get(db)?.get(name)
  }

  /** @throws InvalidNamespace */
  findOrCreate(db: string, name: string): Collection {
    const found = this.find(db, name)
    if (found) return found
    checkNames(db, name)
    const collection = new Collection(this.#file, this.#file.createCollection(db, name), db, name)
    this.#add(collection)
    return collection
  }

  drop(collection: Collection): void {
    this.#file.dropCollection(collection.id)
    const collections = this.#databases.get(collection.db)
    collections?.delete(collection.name)
    if (collections?.size === 0) this.#databases.delete(collection.db)
  }
}
