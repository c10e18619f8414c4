import type { Storage } from '../../data-file.ts'
import { CommandError } from '../errors.ts'
import { decode } from '../values.ts'
import { Collection } from './collection.ts'
import { Index } from './index.ts'

export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS collections (id INTEGER PRIMARY KEY, db TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (db, name));
  CREATE TABLE IF NOT EXISTS indexes (collection INTEGER NOT NULL, name TEXT NOT NULL, spec BLOB NOT NULL, PRIMARY KEY (collection, name));
  CREATE TABLE IF NOT EXISTS documents (seq INTEGER PRIMARY KEY, collection INTEGER NOT NULL, body BLOB NOT NULL)
`

const DB_NAME = /^[^/\\. "$*<>:|?\0]{1,63}$/
const COLLECTION_NAME = /^[^.$\0][^$\0]*$/

/** All databases and their collections: a copy in memory of what the data file holds. */
export class Catalog {
  readonly #file: Storage
  /** By namespace. */
  #collections = new Map<string, Collection>()

  constructor(file: Storage) {
    this.#file = file
    this.#load()
    file.onRollback(() => this.#load())
  }

  all(db?: string): Collection[] {
    return [...this.#collections.values()].filter((collection) => db === undefined || collection.db === db)
  }

  find(db: string, name: string): Collection | undefined {
    return this.#collections.get(`${db}.${name}`)
  }

  /** @throws InvalidNamespace */
  findOrCreate(db: string, name: string): Collection {
    const found = this.find(db, name)
    if (found) return found
    if (!DB_NAME.test(db) || !COLLECTION_NAME.test(name)) throw new CommandError(73, `Invalid namespace: ${db}.${name}`)
    const id = this.#file.change('INSERT INTO collections (db, name) VALUES (?, ?)', db, name)
    const collection = new Collection(this.#file, id, db, name)
    this.#collections.set(collection.namespace, collection)
    return collection
  }

  drop({ id, namespace }: Collection): void {
    this.#file.change('DELETE FROM documents WHERE collection = ?', id)
    this.#file.change('DELETE FROM indexes WHERE collection = ?', id)
    this.#file.change('DELETE FROM collections WHERE id = ?', id)
    this.#collections.delete(namespace)
  }

  #load(): void {
    const byId = new Map<number, Collection>()
    for (const { id, db, name } of this.#file.all('SELECT id, db, name FROM collections ORDER BY id'))
      byId.set(Number(id), new Collection(this.#file, Number(id), String(db), String(name)))
    for (const { collection, spec } of this.#file.all('SELECT collection, spec FROM indexes ORDER BY rowid')) {
      const index = new Index(decode(spec as Uint8Array))
      byId.get(Number(collection))?.indexes.set(index.name, index)
    }
    for (const { seq, collection, body } of this.#file.rows('SELECT seq, collection, body FROM documents ORDER BY seq'))
      byId.get(Number(collection))?.restore(Number(seq), Buffer.from(body as Uint8Array))
    this.#collections = new Map([...byId.values()].map((collection) => [collection.namespace, collection]))
  }
}
