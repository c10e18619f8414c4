/** find and the cursors it leaves; aggregate as far as it counts. */
import { Query } from 'mingo/query'
import { compare, resolve } from 'mingo/util'
import { badValue, refused } from '../errors.ts'
import { MINGO } from '../filter.ts'
import type { Entry } from '../storage/index.ts'
import { type Doc, decode, encode, keyOf } from '../values.ts'
import { type Call, type Command, collectionName, countArg, docArg, filterArg, findCollection } from './command.ts'

/** Matches in the order that `sort` asks for. */
export function sorted(entries: Entry[], sort: Doc | undefined): Entry[] {
  const fields = Object.entries(sort ?? {})
  const other = fields.find(([, direction]) => direction !== 1 && direction !== -1)
  if (other) throw refused(`a sort by ${JSON.stringify(Object.fromEntries([other]))}`)
  if (fields.length === 0) return entries
  const byFields = (a: Entry, b: Entry): number => {
    for (const [path, direction] of fields) {
      const order = compare(resolve(a.doc, path) ?? null, resolve(b.doc, path) ?? null)
      if (order !== 0) return order * (direction as number)
    }
    return 0
  }
  return entries.toSorted(byFields)
}

/** Which part of a document is shown: fields with 1 or with 0. @throws CommandError */
export function projection(spec: Doc | undefined): (raw: Buffer) => Buffer {
  const fields = Object.entries(spec ?? {})
  const other = fields.find(([path, shown]) => path.includes('$') || ![0, 1, true, false].includes(shown as never))
  if (other) throw refused(`the projection of ${other[0]}`)
  if (!spec || fields.length === 0) return (raw) => raw
  const query = new Query({}, MINGO)
  try {
    query.find([{}], spec).all()
  } catch (error) {
    throw badValue((error as Error).message)
  }
  return (raw) => encode(query.find<Doc>([decode(raw)], spec).all()[0]!)
}

function find(call: Call): Uint8Array {
  const { args, db, cursors } = call
  const skip = countArg(args, 'skip') ?? 0
  const limit = countArg(args, 'limit') || Number.POSITIVE_INFINITY
  const sort = docArg(args, 'sort')
  const show = projection(docArg(args, 'projection'))
  const filter = filterArg(args, 'filter')
  const matches = findCollection(call)?.matching(filter, sort ? undefined : skip + limit) ?? []
  // The bytes are taken now: a cursor shows documents as they were when it was opened.
  const documents = sorted(matches, sort)
    .slice(skip, skip + limit)
    .map(({ raw }) => show(raw))
  const batchSize = countArg(args, 'batchSize')
  return cursors.reply(`${db}.${collectionName(call)}`, documents, {
    ...(batchSize === undefined ? {} : { batchSize }),
    single: args.singleBatch === true,
  })
}

const COUNT = { $group: { _id: 1, n: { $sum: 1 } } }

/** The pipeline that drivers send for countDocuments: `$match`, then the sum. */
function aggregate(call: Call): Uint8Array {
  const stages = Array.isArray(call.args.pipeline) ? (call.args.pipeline as Doc[]) : []
  const [match, count, ...others] = stages
  if (!match?.$match || keyOf(count) !== keyOf(COUNT) || others.length > 0)
    throw refused(`aggregate, except to count: ${stages.map((stage) => Object.keys(stage ?? {})[0]).join(', ')}`)
  const filter = filterArg(match, '$match')
  const n = findCollection(call)?.matching(filter).length ?? 0
  return call.cursors.reply(`${call.db}.${collectionName(call)}`, n > 0 ? [encode({ _id: 1, n })] : [])
}

function getMore({ args, cursors }: Call): Uint8Array {
  return cursors.next(Number(args.getMore), countArg(args, 'batchSize') ?? 0)
}

function killCursors({ args, cursors }: Call): Doc {
  const ids = Array.isArray(args.cursors) ? args.cursors.map(Number) : []
  const killed = ids.filter((id) => cursors.kill(id))
  return { cursorsKilled: killed, cursorsNotFound: ids.filter((id) => !killed.includes(id)), cursorsAlive: [], cursorsUnknown: [] }
}

export const readCommands: Record<string, Command> = {
  find: { takes: ['filter', 'projection', 'sort', 'skip', 'limit', 'batchSize', 'singleBatch'], run: find },
  aggregate: { takes: ['pipeline', 'cursor'], run: aggregate },
  getMore: { takes: ['collection', 'batchSize'], run: getMore },
  killCursors: { takes: ['cursors'], run: killCursors },
}
