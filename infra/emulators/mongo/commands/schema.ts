// Databases, collections and indexes: made, listed, dropped.
import { CommandError, notImplemented } from '../errors.ts'
import { compileFilter } from '../query/match.ts'
import type { Collection } from '../storage/collection.ts'
import { type Doc, encode, isArray, isDoc, toPlain } from '../values/bson.ts'
import { equalValues } from '../values/compare.ts'
import { docText } from '../values/text.ts'
import { type Call, collectionName, docArg, flagArg, type Handler, listArg, numberArg, plainArg, refuseCollation } from './command.ts'
import { ID_INDEX, isPresent, readIndexSpec } from './index-spec.ts'

const sizeOf = (collection: Collection): number => [...collection.byId.values()].reduce((sum, { raw }) => sum + raw.length, 0)

/** Options of `create` that change what a collection does, and are not to be had here. */
const REFUSED_OPTIONS = ['capped', 'timeseries', 'viewOn', 'validator', 'clusteredIndex', 'changeStreamPreAndPostImages', 'encryptedFields']

const create: Handler = (call) => {
  const refused = REFUSED_OPTIONS.find((option) => call.args[option] !== undefined && call.args[option] !== false)
  if (refused) throw notImplemented(`creating a collection with '${refused}'`)
  refuseCollation(call.args)
  const name = collectionName(call)
  if (call.catalog.find(call.db, name)) throw new CommandError(48, `Collection ${call.db}.${name} already exists.`)
  call.catalog.findOrCreate(call.db, name)
  return {}
}

function existing(call: Call, message: (namespace: string) => string): Collection {
  const name = collectionName(call)
  const collection = call.catalog.find(call.db, name)
  if (!collection) throw new CommandError(26, message(`${call.db}.${name}`))
  return collection
}

const drop: Handler = (call) => {
  const collection = existing(call, () => 'ns not found')
  call.catalog.drop(collection)
  return { nIndexesWas: collection.indexes.size + 1, ns: collection.namespace }
}

const listCollections: Handler = ({ args, db, catalog, cursors }) => {
  const filter = compileFilter(plainArg(args, 'filter'))
  const nameOnly = flagArg(args, 'nameOnly')
  const rows = catalog
    .collections(db)
    .map(({ name }) => ({ name, type: 'collection', options: {}, info: { readOnly: false }, idIndex: ID_INDEX }))
    .filter((row) => filter(row))
    .map((row) => encode(nameOnly ? { name: row.name, type: row.type } : row))
  return cursors.reply(`${db}.$cmd.listCollections`, rows, numberArg(docArg(args, 'cursor'), 'batchSize'), false)
}

const listDatabases: Handler = ({ args, catalog }) => {
  const filter = compileFilter(plainArg(args, 'filter'))
  const databases = catalog
    .databaseNames()
    .map((name) => ({ name, sizeOnDisk: catalog.collections(name).reduce((sum, one) => sum + sizeOf(one), 0), empty: false }))
    .filter((row) => filter(row))
  if (flagArg(args, 'nameOnly')) return { databases: databases.map(({ name }) => ({ name })) }
  return { databases, totalSize: databases.reduce((sum, { sizeOnDisk }) => sum + sizeOnDisk, 0) }
}

const dropDatabase: Handler = ({ db, catalog }) => {
  for (const collection of catalog.collections(db)) catalog.drop(collection)
  return {}
}

const createIndexes: Handler = (call) => {
  const specs = listArg(call, 'indexes').map(readIndexSpec)
  const name = collectionName(call)
  const isNew = !call.catalog.find(call.db, name)
  const collection = call.catalog.findOrCreate(call.db, name)
  const before = collection.indexes.size + 1
  const missing: Doc[] = []
  for (const spec of specs) {
    if (equalValues(toPlain(spec.key, false), { _id: 1 })) continue
    const others = [...collection.indexes.values()].map((index) => index.spec)
    if (!isPresent(spec, [...others, ...missing])) missing.push(spec)
  }
  const done: string[] = []
  try {
    for (const spec of missing) {
      collection.createIndex(spec)
      done.push(String(spec.name))
    }
  } catch (error) {
    for (const index of done) collection.dropIndex(index)
    throw error
  }
  return {
    numIndexesBefore: before,
    numIndexesAfter: collection.indexes.size + 1,
    ...(missing.length === 0 ? { note: 'all indexes already exist' } : { createdCollectionAutomatically: isNew }),
  }
}

const listIndexes: Handler = (call) => {
  const collection = existing(call, (namespace) => `ns does not exist: ${namespace}`)
  const rows = [ID_INDEX, ...[...collection.indexes.values()].map((index) => index.spec)].map(encode)
  return call.cursors.reply(collection.namespace, rows, numberArg(docArg(call.args, 'cursor'), 'batchSize'), false)
}

function namesToDrop(collection: Collection, wanted: unknown): string[] {
  if (wanted === '*') return [...collection.indexes.keys()]
  if (isArray(wanted)) return wanted.flatMap((one) => namesToDrop(collection, one))
  const text = isDoc(wanted) ? docText(toPlain(wanted, false) as Doc) : undefined
  if (wanted === '_id_' || text === '{ _id: 1 }') throw new CommandError(72, 'cannot drop _id index')
  const found = [...collection.indexes.values()].find((index) =>
    text === undefined ? index.name === wanted : docText(index.keyPattern) === text,
  )
  if (!found)
    throw new CommandError(27, text === undefined ? `index not found with name [${String(wanted)}]` : `can't find index with key: ${text}`)
  return [found.name]
}

const dropIndexes: Handler = (call) => {
  const collection = existing(call, (namespace) => `ns not found ${namespace}`)
  const nIndexesWas = collection.indexes.size + 1
  for (const name of namesToDrop(collection, call.args.index)) collection.dropIndex(name)
  return { nIndexesWas, ...(call.args.index === '*' ? { msg: 'non-_id indexes dropped for collection' } : {}) }
}

const collStats: Handler = (call) => {
  const name = collectionName(call)
  const collection = call.catalog.find(call.db, name)
  const size = collection ? sizeOf(collection) : 0
  const count = collection?.byId.size ?? 0
  return {
    ns: `${call.db}.${name}`,
    size,
    count,
    ...(count > 0 ? { avgObjSize: Math.floor(size / count) } : {}),
    storageSize: size,
    nindexes: collection ? collection.indexes.size + 1 : 0,
    capped: false,
  }
}

const dbStats: Handler = ({ db, catalog }) => {
  const collections = catalog.collections(db)
  const size = collections.reduce((sum, one) => sum + sizeOf(one), 0)
  return {
    db,
    collections: collections.length,
    objects: collections.reduce((sum, one) => sum + one.byId.size, 0),
    dataSize: size,
    storageSize: size,
    indexes: collections.reduce((sum, one) => sum + one.indexes.size + 1, 0),
  }
}

export const schemaCommands: Record<string, Handler> = {
  create,
  drop,
  listCollections,
  listDatabases,
  dropDatabase,
  createIndexes,
  dropIndexes,
  deleteIndexes: dropIndexes,
  listIndexes,
  collStats,
  collstats: collStats,
  dbStats,
  dbstats: dbStats,
}
