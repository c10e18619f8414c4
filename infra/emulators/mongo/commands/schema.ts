/** Collections and indexes. */
import { CommandError } from '../errors.ts'
import { compileFilter } from '../filter.ts'
import type { Collection } from '../storage/collection.ts'
import { ID_INDEX, isPresent, readIndexSpec } from '../storage/index.ts'
import { type Doc, encode, keyOf } from '../values.ts'
import { asDoc, type Call, type Command, collectionName, filterArg, findCollection, listArg } from './command.ts'

function create(call: Call): Doc {
  if (findCollection(call)) throw new CommandError(48, `Collection ${call.db}.${collectionName(call)} already exists.`)
  call.catalog.findOrCreate(call.db, collectionName(call))
  return {}
}

function existing(call: Call): Collection {
  const collection = findCollection(call)
  if (!collection) throw new CommandError(26, `ns does not exist: ${call.db}.${collectionName(call)}`)
  return collection
}

function drop(call: Call): Doc {
  call.catalog.drop(existing(call))
  return {}
}

function dropDatabase({ db, catalog }: Call): Doc {
  for (const collection of catalog.all(db)) catalog.drop(collection)
  return {}
}

function listCollections({ args, db, catalog, cursors }: Call): Uint8Array {
  const matches = compileFilter(filterArg(args, 'filter'))
  const rows = catalog.all(db).map(({ name }) => ({ name, type: 'collection', options: {}, info: { readOnly: false }, idIndex: ID_INDEX }))
  return cursors.reply(`${db}.$cmd.listCollections`, rows.filter(matches).map(encode))
}

function createIndexes(call: Call): Doc {
  const specs = listArg(call, 'indexes')
    .map((item) => readIndexSpec(asDoc(item)))
    .filter(({ key }) => keyOf(key) !== keyOf(ID_INDEX.key))
  const collection = call.catalog.findOrCreate(call.db, collectionName(call))
  const before = collection.indexes.size + 1
  for (const spec of specs) {
    const others = [...collection.indexes.values()].map((index) => index.spec)
    if (!isPresent(spec, others)) collection.createIndex(spec)
  }
  return { numIndexesBefore: before, numIndexesAfter: collection.indexes.size + 1 }
}

function listIndexes(call: Call): Uint8Array {
  const collection = existing(call)
  const specs = [ID_INDEX, ...[...collection.indexes.values()].map((index) => index.spec)]
  return call.cursors.reply(collection.namespace, specs.map(encode))
}

export const schemaCommands: Record<string, Command> = {
  create: { takes: [], run: create },
  drop: { takes: [], run: drop },
  dropDatabase: { takes: [], run: dropDatabase },
  listCollections: { takes: ['filter', 'cursor', 'nameOnly', 'authorizedCollections'], run: listCollections },
  createIndexes: { takes: ['indexes'], run: createIndexes },
  listIndexes: { takes: ['cursor'], run: listIndexes },
}
