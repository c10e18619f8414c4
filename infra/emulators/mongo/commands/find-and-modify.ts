import { CommandError, failedToParse } from '../errors.ts'
import { compileProjection } from '../query/project.ts'
import { hasSort, sortItems } from '../query/sort.ts'
import { compileUpdate } from '../update/compile.ts'
import { type Doc, decodeTyped } from '../values/bson.ts'
import { type Call, collectionName, docArg, flagArg, type Handler, letArg, plainArg, refuseCollation } from './command.ts'
import { checkHint, decodeForExpressions, type Match, matching } from './read.ts'
import { updateEntry, upsertEntry } from './write.ts'

/** ImmutableField, DuplicateKey, TypeMismatch, PathNotViable, and a document that grew too large. */
const CHANGE_REFUSALS = new Set([14, 28, 66, 11000, 17419])

/** The returned document with the projection that the command names. */
function shown(call: Call, raw: Buffer, context: Match['context']): Doc {
  const projection = compileProjection(docArg(call.args, 'fields'), true, letArg(call.args))
  const typed = decodeTyped(raw)
  return projection ? projection(typed, () => decodeForExpressions(raw), context) : typed
}

/** One document, found and changed (or removed, or inserted) in one step: who comes second no longer finds it. */
const modify: Handler = (call) => {
  const { args, db, catalog } = call
  refuseCollation(args)
  const name = collectionName(call)
  const removing = flagArg(args, 'remove')
  if (removing && args.update !== undefined) throw failedToParse('Cannot specify both an update and remove=true')
  if (!removing && args.update === undefined) throw failedToParse('Either an update or remove=true must be specified')
  if (removing && flagArg(args, 'upsert')) throw failedToParse('Cannot specify both upsert=true and remove=true ')
  const collection = catalog.find(db, name)
  checkHint(collection, args.hint)
  const variables = letArg(args)
  const filter = plainArg(args, 'query')
  const sort = args.sort
  let matches = matching(collection, filter, variables, hasSort(sort) ? undefined : 1)
  if (hasSort(sort)) matches = sortItems(matches, sort, ({ entry }) => entry.doc)
  const match = matches[0]
  if (removing) {
    if (!match) return { lastErrorObject: { n: 0 }, value: null }
    collection!.remove(match.entry)
    return { lastErrorObject: { n: 1 }, value: shown(call, match.entry.raw, match.context) }
  }
  const update = compileUpdate(args.update, args.arrayFilters, variables)
  const wantsNew = flagArg(args, 'new')
  const now = new Date()
  if (match) {
    const before = match.entry.raw
    updateEntry(collection!, match, update, now)
    return { lastErrorObject: { n: 1, updatedExisting: true }, value: shown(call, wantsNew ? match.entry.raw : before, match.context) }
  }
  if (!flagArg(args, 'upsert')) return { lastErrorObject: { n: 0, updatedExisting: false }, value: null }
  const entry = upsertEntry(catalog, db, name, docArg(args, 'query'), update, now)
  const upserted = decodeTyped(entry.raw)._id
  return { lastErrorObject: { n: 1, updatedExisting: false, upserted }, value: wantsNew ? shown(call, entry.raw, {}) : null }
}

/** As the real server, names itself in what it refuses while changing the document. */
const findAndModify: Handler = (call) => {
  try {
    return modify(call)
  } catch (error) {
    if (!(error instanceof CommandError) || !CHANGE_REFUSALS.has(error.code)) throw error
    throw new CommandError(error.code, `Plan executor error during findAndModify :: caused by :: ${error.message}`, error.details)
  }
}

export const findAndModifyCommands: Record<string, Handler> = { findAndModify, findandmodify: findAndModify }
