// find, aggregate, count, distinct, and the cursors they leave.
import { deserialize, Long } from 'bson'
import { readPipeline, runPipeline } from '../aggregate/pipeline.ts'
import type { FindIn } from '../aggregate/stages.ts'
import { badValue, CommandError, notImplemented } from '../errors.ts'
import { compileFilter, type MatchContext } from '../query/match.ts'
import { visitPath } from '../query/paths.ts'
import { compileProjection } from '../query/project.ts'
import { hasSort, sortItems } from '../query/sort.ts'
import type { Catalog } from '../storage/catalog.ts'
import type { Collection } from '../storage/collection.ts'
import type { Entry } from '../storage/entry.ts'
import { planFor } from '../storage/plan.ts'
import { type Doc, decodeTyped, encode, isArray, isDoc, toPlain } from '../values/bson.ts'
import { valueKey } from '../values/compare.ts'
import { isNumberValue } from '../values/numbers.ts'
import { docText } from '../values/text.ts'
import { type Call, collectionName, docArg, flagArg, type Handler, letArg, numberArg, plainArg, refuseCollation } from './command.ts'

export type Match = { entry: Entry; context: MatchContext }

/** The entries that match a plain filter, in order of insertion. `limit`: stop after so many. */
export function matching(collection: Collection | undefined, filter: Doc, variables: Doc, limit = Number.POSITIVE_INFINITY): Match[] {
  const test = compileFilter(filter, variables)
  if (!collection) return []
  const found: Match[] = []
  for (const entry of planFor(collection, filter).candidates ?? collection.byId.values()) {
    const context: MatchContext = {}
    if (!test(entry.doc, context)) continue
    found.push({ entry, context })
    if (found.length >= limit) break
  }
  return found
}

/** What expressions compute with: fresh, plain, and theirs to change. */
export const decodeForExpressions = (raw: Uint8Array): Doc => deserialize(raw)

/** @throws BadValue when a hint names no index. */
export function checkHint(collection: Collection | undefined, hint: unknown): void {
  if (hint === undefined || (isDoc(hint) && Object.keys(hint).length === 0) || !collection) return
  const text = isDoc(hint) ? docText(toPlain(hint, false) as Doc) : String(hint)
  const known = ['_id_', '{ _id: 1 }', '{ $natural: 1 }', '{ $natural: -1 }']
  for (const index of collection.indexes.values()) known.push(index.name, docText(index.keyPattern))
  if (!known.includes(text)) throw badValue('error processing query: hint provided does not correspond to an existing index')
}

/** Matches in their final order and range. */
function select(call: Call, collection: Collection | undefined): Match[] {
  const { args } = call
  const skip = numberArg(args, 'skip') ?? 0
  const limit = numberArg(args, 'limit') || Number.POSITIVE_INFINITY
  const sort = args.sort
  const sorted = hasSort(sort) && !('$natural' in sort)
  let matches = matching(collection, plainArg(args, 'filter'), letArg(args), sorted || hasSort(sort) ? undefined : skip + limit)
  if (sorted) matches = sortItems(matches, sort, ({ entry }) => entry.doc)
  else if (hasSort(sort) && Number(toPlain(sort.$natural, false)) === -1) matches.reverse()
  return matches.slice(skip, skip + limit)
}

function* project(matches: Match[], spec: Doc, variables: Doc): Generator<Uint8Array> {
  const projection = compileProjection(spec, true, variables)
  // The bytes are taken now: a cursor shows documents as they were when it was opened.
  const rows = matches.map(({ entry, context }) => ({ raw: entry.raw, context }))
  if (projection) {
    for (const { raw, context } of rows) yield encode(projection(decodeTyped(raw), () => decodeForExpressions(raw), context))
  } else for (const { raw } of rows) yield raw
}

const find: Handler = (call) => {
  const { args, db, catalog, cursors } = call
  refuseCollation(args)
  if (flagArg(args, 'tailable')) throw notImplemented('a tailable cursor')
  const name = collectionName(call)
  const collection = catalog.find(db, name)
  checkHint(collection, args.hint)
  const spec = docArg(args, 'projection')
  const variables = letArg(args)
  compileProjection(spec, true, variables)
  return cursors.reply(
    `${db}.${name}`,
    [...project(select(call, collection), spec, variables)],
    numberArg(args, 'batchSize'),
    flagArg(args, 'singleBatch'),
  )
}

const findIn =
  (catalog: Catalog, db: string): FindIn =>
  (name, filter) =>
    matching(catalog.find(db, name), filter, {}).map(({ entry }) => decodeForExpressions(entry.raw))

const aggregate: Handler = (call) => {
  const { args, db, catalog, cursors } = call
  refuseCollation(args)
  const name = typeof args[call.name] === 'string' ? collectionName(call) : '$cmd.aggregate'
  const collection = catalog.find(db, name)
  checkHint(collection, args.hint)
  const pipeline = readPipeline(toPlain(args.pipeline, false))
  const variables = letArg(args)
  // The first $match reads through indexes.
  const first = pipeline[0]?.$match
  const filter = isDoc(first) ? (toPlain((args.pipeline as Doc[])[0]!.$match) as Doc) : {}
  const input = matching(collection, filter, variables).map(({ entry }) => decodeForExpressions(entry.raw))
  const results = runPipeline(input, isDoc(first) ? pipeline.slice(1) : pipeline, findIn(catalog, db), variables)
  return cursors.reply(`${db}.${name}`, results.map(encode), numberArg(docArg(args, 'cursor'), 'batchSize'), false)
}

const count: Handler = (call) => {
  const { args, db, catalog } = call
  refuseCollation(args)
  const skip = numberArg(args, 'skip') ?? 0
  const limit = Math.abs(Number(toPlain(args.limit, false) ?? 0)) || Number.POSITIVE_INFINITY
  const collection = catalog.find(db, collectionName(call))
  const filter = plainArg(args, 'query')
  const all = Object.keys(filter).length === 0 ? (collection?.byId.size ?? 0) : matching(collection, filter, {}).length
  return { n: Math.min(Math.max(0, all - skip), limit) }
}

const distinct: Handler = (call) => {
  const { args, db, catalog } = call
  refuseCollation(args)
  const key = args.key
  if (typeof key !== 'string') throw new CommandError(40414, "BSON field 'distinct.key' is missing but a required field")
  const values = new Map<string, unknown>()
  for (const { entry } of matching(catalog.find(db, collectionName(call)), plainArg(args, 'query'), {})) {
    visitPath(entry.doc, key.split('.'), 0, undefined, (value) => {
      for (const one of isArray(value) ? value : [value])
        if (one !== undefined && !values.has(valueKey(one))) values.set(valueKey(one), one)
      return false
    })
  }
  return { values: [...values.values()] }
}

const asId = (value: unknown): Long => {
  if (value instanceof Long) return value
  if (isNumberValue(value)) return Long.fromString(value.toString())
  throw new CommandError(14, 'a cursor id must be a 64-bit integer')
}

const getMore: Handler = ({ args, cursors }) => cursors.next(asId(args.getMore), numberArg(args, 'batchSize'))

const killCursors: Handler = ({ args, cursors }) => {
  const ids = (isArray(args.cursors) ? args.cursors : []).map(asId)
  const killed = ids.filter((id) => cursors.kill(id))
  return { cursorsKilled: killed, cursorsNotFound: ids.filter((id) => !killed.includes(id)), cursorsAlive: [], cursorsUnknown: [] }
}

/** Enough of `explain` to see whether an index is used and how many documents were looked at. */
const explain: Handler = (call) => {
  const inner = docArg(call.args, 'explain')
  if (typeof inner.find !== 'string') throw notImplemented('explaining anything but find')
  const collection = call.catalog.find(call.db, inner.find)
  const filter = plainArg(inner, 'filter')
  compileFilter(filter, letArg(inner))
  const plan = collection ? planFor(collection, filter) : { stage: 'EOF' as const }
  const examined = 'candidates' in plan && plan.candidates ? plan.candidates.length : (collection?.byId.size ?? 0)
  const winningPlan = { stage: plan.stage, ...('index' in plan && plan.index ? { indexName: plan.index } : {}) }
  return {
    queryPlanner: { namespace: `${call.db}.${inner.find}`, winningPlan, rejectedPlans: [] },
    executionStats: {
      executionSuccess: true,
      nReturned: select({ ...call, name: 'find', args: inner }, collection).length,
      totalDocsExamined: examined,
      totalKeysExamined: plan.stage === 'COLLSCAN' ? 0 : examined,
    },
  }
}

export const readCommands: Record<string, Handler> = { find, aggregate, count, distinct, getMore, killCursors, explain }
