/** insert, update, delete: many single-document writes in one command, each reported on its own. findAndModify: one, and its document. */
import { ObjectId } from 'bson'
import { badValue, CommandError, refused } from '../errors.ts'
import { pinned } from '../filter.ts'
import type { Collection } from '../storage/collection.ts'
import type { Entry } from '../storage/index.ts'
import { compileUpdate, setFields, type Update } from '../update.ts'
import { type Doc, decode, encode } from '../values.ts'
import { asDoc, type Call, type Command, collectionName, countArg, docArg, filterArg, findCollection, listArg } from './command.ts'
import { projection, sorted } from './read.ts'

/** Runs the parts of a command; in order, the first failure ends it. Answers what goes under `writeErrors`. */
function runEach<T>(call: Call, items: T[], run: (item: T, index: number) => void): Doc {
  const writeErrors: Doc[] = []
  for (const [index, item] of items.entries()) {
    try {
      run(item, index)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      writeErrors.push({ index, code: error.code, errmsg: error.message, ...error.details })
      if (call.args.ordered !== false) break
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {}
}

/** @throws CommandError when a part of a command has another field. */
function checkFields(name: string, item: Doc, known: readonly string[]): void {
  const other = Object.keys(item).find((field) => !known.includes(field))
  if (other) throw refused(`${name} with ${other}`)
}

/** The bytes to store: as they came when `_id` stands first, else rewritten with it first (a new one when it is missing). */
function storable(item: Doc | Uint8Array): Buffer {
  const doc = asDoc(item)
  if (Array.isArray(doc._id)) throw badValue("The '_id' value cannot be an array")
  if (Object.keys(doc)[0] === '_id' && item instanceof Uint8Array) return Buffer.from(item)
  return encode({ _id: doc._id ?? new ObjectId(), ...doc })
}

function insert(call: Call): Doc {
  const documents = listArg(call, 'documents')
  const collection = call.catalog.findOrCreate(call.db, collectionName(call))
  let n = 0
  const errors = runEach(call, documents, (document) => {
    collection.insert(storable(document))
    n++
  })
  return { n, ...errors }
}

/** Applies the update to a stored document. Answers whether it changed. */
function change(collection: Collection, entry: Entry, update: Update): boolean {
  const doc = decode(entry.raw)
  update.apply(doc, false)
  return collection.replace(entry, doc)
}

/** Inserts what the filter pins and the update adds. */
function upsert(call: Call, filter: Doc, update: Update): Entry {
  const { _id = new ObjectId(), ...pins } = pinned(filter)
  const doc: Doc = { _id }
  setFields(doc, { $set: pins })
  update.apply(doc, true)
  return call.catalog.findOrCreate(call.db, collectionName(call)).insert(storable(doc))
}

function update(call: Call): Doc {
  const upserted: Doc[] = []
  let [n, nModified] = [0, 0]
  const errors = runEach(call, listArg(call, 'updates').map(asDoc), (item, index) => {
    checkFields('update', item, ['q', 'u', 'multi', 'upsert'])
    const filter = filterArg(item, 'q')
    const changes = compileUpdate(item.u)
    const collection = findCollection(call)
    const matches = collection?.matching(filter, item.multi === true ? undefined : 1) ?? []
    for (const entry of matches) {
      if (change(collection!, entry, changes)) nModified++
      n++
    }
    if (matches.length > 0 || item.upsert !== true) return
    upserted.push({ index, _id: upsert(call, filter, changes).doc._id })
    n++
  })
  return { n, nModified, ...(upserted.length > 0 ? { upserted } : {}), ...errors }
}

function remove(call: Call): Doc {
  let n = 0
  const errors = runEach(call, listArg(call, 'deletes').map(asDoc), (item) => {
    checkFields('delete', item, ['q', 'limit'])
    const filter = filterArg(item, 'q')
    const collection = findCollection(call)
    for (const entry of collection?.matching(filter, countArg(item, 'limit') || undefined) ?? []) {
      collection!.remove(entry)
      n++
    }
  })
  return { n, ...errors }
}

/** One document, found and changed (or removed, or inserted) in one step: who comes second no longer finds it. */
function findAndModify(call: Call): Doc {
  const { args } = call
  const filter = filterArg(args, 'query')
  const show = projection(docArg(args, 'fields'))
  const collection = findCollection(call)
  const sort = docArg(args, 'sort')
  const entry = sorted(collection?.matching(filter, sort ? undefined : 1) ?? [], sort)[0]
  const before = entry?.raw
  if (args.remove === true) {
    if (args.update !== undefined) throw badValue('Cannot specify both an update and remove=true')
    if (entry) collection!.remove(entry)
    return { lastErrorObject: { n: entry ? 1 : 0 }, value: before ? decode(show(before)) : null }
  }
  const changes = compileUpdate(args.update)
  if (entry) {
    change(collection!, entry, changes)
    const shown = args.new === true ? entry.raw : before!
    return { lastErrorObject: { n: 1, updatedExisting: true }, value: decode(show(shown)) }
  }
  if (args.upsert !== true) return { lastErrorObject: { n: 0, updatedExisting: false }, value: null }
  const { raw, doc } = upsert(call, filter, changes)
  return { lastErrorObject: { n: 1, updatedExisting: false, upserted: doc._id }, value: args.new === true ? decode(show(raw)) : null }
}

export const writeCommands: Record<string, Command> = {
  insert: { takes: ['documents', 'ordered'], run: insert },
  update: { takes: ['updates', 'ordered'], run: update },
  delete: { takes: ['deletes', 'ordered'], run: remove },
  findAndModify: { takes: ['query', 'sort', 'update', 'remove', 'new', 'upsert', 'fields'], run: findAndModify },
}
