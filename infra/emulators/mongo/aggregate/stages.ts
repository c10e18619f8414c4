// Pipeline stages that differ from mingo's: they share matching, sorting and projecting with the other commands.
import { evalExpr } from 'mingo/core'
import { type Iterator, Lazy } from 'mingo/lazy'
import * as mingoStages from 'mingo/operators/pipeline'
import type { Options } from 'mingo/types'
import { CommandError, notImplemented } from '../errors.ts'
import { keyTuples } from '../query/keys.ts'
import { compileFilter } from '../query/match.ts'
import { compileProjection } from '../query/project.ts'
import { sortItems } from '../query/sort.ts'
import { type Doc, fieldOf, hasOwn, isArray, isDoc, setField } from '../values/bson.ts'
import { compareValues } from '../values/compare.ts'
import type { Variables } from './expression.ts'

type Stage = (input: Iterator, argument: unknown, options: Options) => Iterator
type Locals = Options & { local?: { variables?: Variables } }

const variablesOf = (options: Options): Variables => ({ ...options.variables, ...(options as Locals).local?.variables })

const docOf = (argument: unknown, stage: string): Doc => {
  if (!isDoc(argument)) throw new CommandError(15959, `the ${stage} specification must be an object`)
  return argument
}

const $match: Stage = (input, argument, options) => {
  const filter = compileFilter(docOf(argument, '$match'), variablesOf(options))
  return input.filter((doc: Doc) => filter(doc))
}

const $sort: Stage = (input, argument) =>
  input.transform(((docs: Doc[]) => Lazy(sortItems(docs, docOf(argument, '$sort'), (doc) => doc))) as never)

const $project: Stage = (input, argument, options) => {
  if (!isDoc(argument) || Object.keys(argument).length === 0)
    throw new CommandError(51272, 'Invalid $project :: caused by :: projection specification must have at least one field')
  const project = compileProjection(argument, false, variablesOf(options))!
  return input.map((doc: Doc) => project(doc, () => doc, {}))
}

const $unset: Stage = (input, argument, options) => {
  const fields = isArray(argument) ? argument : [argument]
  return $project(input, Object.fromEntries(fields.map((field) => [String(field), 0])), options)
}

const $count: Stage = (input, argument) =>
  input.transform(((docs: Doc[]) => Lazy(docs.length === 0 ? [] : [{ [String(argument)]: docs.length }])) as never)

const $sample: Stage = (input, argument) =>
  input.transform(((docs: Doc[]) => {
    const pool = [...docs]
    const size = Math.min(Number(docOf(argument, '$sample').size), pool.length)
    for (let i = 0; i < size; i++) {
      const other = i + Math.floor(Math.random() * (pool.length - i))
      ;[pool[i], pool[other]] = [pool[other]!, pool[i]!]
    }
    return Lazy(pool.slice(0, size))
  }) as never)

/** Sub-documents in the specification add to what is there, so they are spelt out as dotted paths first. */
function flattenFields(spec: Doc, prefix: string[]): { path: string[]; expression: unknown }[] {
  return Object.keys(spec).flatMap((key) => {
    const path = [...prefix, ...key.split('.')]
    const value = spec[key]
    const first = isDoc(value) ? Object.keys(value)[0] : undefined
    if (isDoc(value) && first === undefined)
      throw new CommandError(40180, `an empty object is not a valid value. Found at path ${path.join('.')}`)
    return first !== undefined && !first.startsWith('$') ? flattenFields(value as Doc, path) : [{ path, expression: value }]
  })
}

/** A copy of the value with the path set, in every element where the path passes through arrays. */
function withField(value: unknown, path: string[], depth: number, field: unknown): unknown {
  if (depth === path.length) return field
  if (isArray(value)) return value.map((item) => withField(item, path, depth, field))
  const copy: Doc = isDoc(value) ? { ...value } : {}
  const key = path[depth]!
  const inner = withField(fieldOf(copy, key), path, depth + 1, field)
  if (inner === undefined) delete copy[key]
  else setField(copy, key, inner)
  return copy
}

const $addFields: Stage = (input, argument, options) => {
  const fields = flattenFields(docOf(argument, '$addFields'), [])
  return input.map((doc: Doc) =>
    fields.reduce<Doc>((result, { path, expression }) => {
      const value = evalExpr(doc, expression, options)
      return value === undefined && path.length > 1 && !hasOwn(result, path[0]!) ? result : (withField(result, path, 0, value) as Doc)
    }, doc),
  )
}

const $unwind: Stage = (input, argument) => {
  const spec: Doc = typeof argument === 'string' ? { path: argument } : docOf(argument, '$unwind')
  const path = spec.path
  if (typeof path !== 'string' || !path.startsWith('$'))
    throw new CommandError(28818, `path option to $unwind stage should be prefixed with a '$': ${String(path)}`)
  const parts = path.slice(1).split('.')
  const indexField = spec.includeArrayIndex as string | undefined
  const withIndex = (doc: Doc, index: number | null): Doc => (indexField ? (withField(doc, indexField.split('.'), 0, index) as Doc) : doc)
  const unwind = (doc: Doc): Doc[] => {
    const value = parts.reduce<unknown>((at, part) => (isDoc(at) ? fieldOf(at, part) : undefined), doc)
    if (isArray(value) && value.length > 0) return value.map((item, index) => withIndex(withField(doc, parts, 0, item) as Doc, index))
    if (!isArray(value) && value !== undefined && value !== null) return [withIndex(doc, null)]
    if (!spec.preserveNullAndEmptyArrays) return []
    return [withIndex(isArray(value) ? (withField(doc, parts, 0, undefined) as Doc) : doc, null)]
  }
  return input.transform(((docs: Doc[]) => Lazy(docs.flatMap(unwind))) as never)
}

const $group: Stage = (input, argument, options) => {
  const spec = docOf(argument, '$group')
  if (!hasOwn(spec, '_id')) throw new CommandError(15955, 'a group specification must include an _id')
  return (mingoStages.$group as unknown as Stage)(input, spec, options)
}

const $bucket: Stage = (input, argument, options) => {
  const { groupBy, boundaries, default: other, output = { count: { $sum: 1 } } } = docOf(argument, '$bucket')
  if (!isArray(boundaries) || boundaries.length < 2)
    throw new CommandError(40192, "The $bucket 'boundaries' field must have at least 2 values")
  const idOf = (doc: Doc): unknown => {
    const value = evalExpr(doc, groupBy, options)
    const at = boundaries.findLastIndex((boundary) => compareValues(boundary, value) <= 0)
    if (at >= 0 && at < boundaries.length - 1) return boundaries[at]
    if (other === undefined) {
      throw new CommandError(40066, '$switch could not find a matching branch for an input, and no default was specified.')
    }
    return other
  }
  const keyed = input.map((doc: Doc) => ({ [BUCKET]: idOf(doc), doc }))
  const grouped = (mingoStages.$group as unknown as Stage)(keyed, { _id: `$${BUCKET}`, docs: { $push: '$doc' } }, options)
  const rows = grouped.map(({ _id, docs }: Doc) => {
    const totals = (mingoStages.$group as unknown as Stage)(
      Lazy(docs as Doc[]),
      { _id: null, ...(output as Doc) },
      options,
    ).collect<Doc>()[0]
    return { ...totals, _id }
  })
  return $sort(rows, { _id: 1 }, options)
}

/** The name under which `$bucket` carries the bucket beside the document. */
const BUCKET = 'bucket'

/** Finds documents of another collection of the same database, as fresh plain copies. */
export type FindIn = (collection: string, filter: Doc) => Doc[]
/** Runs a pipeline over documents. */
export type RunPipeline = (docs: Doc[], pipeline: Doc[], variables: Variables) => Doc[]

function lookupStage(find: FindIn, run: RunPipeline): Stage {
  return (input, argument, options) => {
    const { from, localField, foreignField, as, let: assigned, pipeline } = docOf(argument, '$lookup') as Record<string, unknown>
    if (typeof from !== 'string' || typeof as !== 'string') throw new CommandError(9, "$lookup needs 'from' and 'as'")
    return input.map((doc: Doc) => {
      let filter: Doc = {}
      if (typeof localField === 'string' && typeof foreignField === 'string') {
        const values = keyTuples(doc, [localField.split('.')])
          .map(([value]) => value)
          .filter((value) => value !== undefined)
        filter = { [foreignField]: { $in: values } }
      }
      let found = find(from, filter)
      if (isArray(pipeline)) {
        const locals = isDoc(assigned) ? (evalExpr(doc, assigned, options) as Variables) : {}
        found = run(found, pipeline as Doc[], { ...variablesOf(options), ...locals })
      }
      return withField(doc, as.split('.'), 0, found)
    })
  }
}

const REFUSED = [
  '$out',
  '$merge',
  '$changeStream',
  '$geoNear',
  '$search',
  '$searchMeta',
  '$indexStats',
  '$collStats',
  '$currentOp',
  '$listSessions',
  '$planCacheStats',
  '$redact',
  '$setWindowFields',
  '$fill',
  '$densify',
]
const refuse =
  (name: string): Stage =>
  () => {
    throw notImplemented(`the stage ${name}`)
  }

/** All stages of one command. */
export const pipelineStages = (find: FindIn, run: RunPipeline): Record<string, Stage> => ({
  ...(mingoStages as unknown as Record<string, Stage>),
  $match,
  $sort,
  $project,
  $unset,
  $count,
  $sample,
  $addFields,
  $set: $addFields,
  $unwind,
  $group,
  $bucket,
  $lookup: lookupStage(find, run),
  ...Object.fromEntries(REFUSED.map((name) => [name, refuse(name)])),
})
