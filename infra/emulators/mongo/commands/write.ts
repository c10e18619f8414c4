// insert, update, delete: many single-document writes in one command, each reported on its own.
import { ObjectId } from 'bson'
import { CommandError, failedToParse } from '../errors.ts'
import type { Catalog } from '../storage/catalog.ts'
import type { Collection } from '../storage/collection.ts'
import type { Entry } from '../storage/entry.ts'
import { compileUpdate, type Update } from '../update/compile.ts'
import { seedFromFilter } from '../update/upsert.ts'
import { type Doc, decodeTyped, encode, hasOwn, isDoc, toPlain } from '../values/bson.ts'
import { typeName } from '../values/text.ts'
import { asTyped, type Call, collectionName, docArg, flagArg, type Handler, letArg, listArg, plainArg, refuseCollation } from './command.ts'
import { checkHint, type Match, matching } from './read.ts'

/** Runs the parts of a command; in order, the first failure ends it. Answers what goes under `writeErrors`. */
function runEach<T>(items: T[], ordered: boolean, run: (item: T, index: number) => void): Doc {
  const writeErrors: Doc[] = []
  for (const [index, item] of items.entries()) {
    try {
      run(item, index)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      writeErrors.push({ index, code: error.code, errmsg: error.message, ...error.details })
      if (ordered) break
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {}
}

const isOrdered = (args: Doc): boolean => args.ordered === undefined || flagArg(args, 'ordered')

function checkId(id: unknown): void {
  const type = typeName(id)
  if (type === 'array' || type === 'regex') throw new CommandError(53, `The '_id' value cannot be of type ${type}`)
  const dollar = isDoc(id) ? Object.keys(id).find((key) => key.startsWith('$')) : undefined
  if (dollar) throw new CommandError(52, `_id fields may not contain '$'-prefixed fields: ${dollar} is not valid for storage.`)
}

/** The bytes to store: as they came when `_id` stands first, else rewritten with it first (a new one when it is missing). */
function storable(item: Doc | Uint8Array): Buffer {
  const typed = asTyped(item)
  if (hasOwn(typed, '_id')) checkId(typed._id)
  if (Object.keys(typed)[0] === '_id' && item instanceof Uint8Array) return Buffer.from(item)
  return encode({ _id: hasOwn(typed, '_id') ? typed._id : new ObjectId(), ...typed })
}

const insert: Handler = (call) => {
  const { args, db, catalog } = call
  const documents = listArg(call, 'documents')
  const collection = catalog.findOrCreate(db, collectionName(call))
  let n = 0
  const errors = runEach(documents, isOrdered(args), (document) => {
    collection.insert(storable(document))
    n++
  })
  return { n, ...errors }
}

/** Applies the update to a stored document. Answers whether it changed. */
export function updateEntry(collection: Collection, { entry, context }: Match, update: Update, now: Date): boolean {
  const typed = update.apply(decodeTyped(entry.raw), { position: context.position, inserting: false, now })
  // The real server counts a replacement as a change even when it brings nothing new.
  return collection.replace(entry, typed) || update.kind === 'replacement'
}

/** The document that an upsert inserts when nothing matched. */
export function upsertEntry(catalog: Catalog, db: string, name: string, filter: Doc, update: Update, now: Date): Entry {
  const seed = seedFromFilter(filter)
  const start = update.kind === 'replacement' ? ('_id' in seed ? { _id: seed._id } : {}) : seed
  const built = update.apply(start, { inserting: true, now })
  checkId(built._id)
  const { _id = new ObjectId(), ...fields } = built
  return catalog.findOrCreate(db, name).insert(encode({ _id, ...fields }))
}

function updateOne(call: Call, item: Doc, index: number, now: Date, sums: { n: number; nModified: number; upserted: Doc[] }): void {
  refuseCollation(item)
  const { db, catalog } = call
  const name = collectionName(call)
  const multi = flagArg(item, 'multi')
  const variables = letArg(call.args)
  const update = compileUpdate(item.u, item.arrayFilters, variables)
  if (multi && update.kind === 'replacement') throw failedToParse('multi update is not supported for replacement-style update')
  const collection = catalog.find(db, name)
  checkHint(collection, item.hint)
  const matches = matching(collection, plainArg(item, 'q'), variables, multi ? undefined : 1)
  for (const match of matches) {
    if (updateEntry(collection!, match, update, now)) sums.nModified++
    sums.n++
  }
  if (matches.length > 0 || !flagArg(item, 'upsert')) return
  const entry = upsertEntry(catalog, db, name, docArg(item, 'q'), update, now)
  sums.n++
  sums.upserted.push({ index, _id: decodeTyped(entry.raw)._id })
}

const update: Handler = (call) => {
  const sums = { n: 0, nModified: 0, upserted: [] as Doc[] }
  const now = new Date()
  const errors = runEach(listArg(call, 'updates'), isOrdered(call.args), (item, index) => updateOne(call, asTyped(item), index, now, sums))
  const { n, nModified, upserted } = sums
  return { n, ...(upserted.length > 0 ? { upserted } : {}), ...errors, nModified }
}

const remove: Handler = (call) => {
  const { args, db, catalog } = call
  let n = 0
  const errors = runEach(listArg(call, 'deletes'), isOrdered(args), (raw) => {
    const item = asTyped(raw)
    refuseCollation(item)
    const collection = catalog.find(db, collectionName(call))
    checkHint(collection, item.hint)
    const limit = Number(toPlain(item.limit, false) ?? 0)
    if (limit !== 0 && limit !== 1) throw failedToParse(`The limit field in delete objects must be 0 or 1. Got ${limit}`)
    for (const { entry } of matching(collection, plainArg(item, 'q'), letArg(args), limit || undefined)) {
      collection!.remove(entry)
      n++
    }
  })
  return { n, ...errors }
}

export const writeCommands: Record<string, Handler> = { insert, update, delete: remove }
