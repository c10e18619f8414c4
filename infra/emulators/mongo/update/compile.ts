// Update documents: read and checked once per command, applied document by document.

import * as mingoStages from 'mingo/operators/pipeline'
import type { Variables } from '../aggregate/expression.ts'
import { readPipeline, runPipeline } from '../aggregate/pipeline.ts'
import { badValue, CommandError, failedToParse } from '../errors.ts'
import { compileFilter, type Filter } from '../query/match.ts'
import { type Doc, isArray, isDoc, toPlain } from '../values/bson.ts'
import { equalValues } from '../values/compare.ts'
import { typeName, valueText } from '../values/text.ts'
import { applyOperators } from './apply.ts'
import { type Operation, readOperations } from './operations.ts'

/** What an update may look at beyond the document itself. */
export type UpdateContext = {
  /** Index of the array element that the filter matched: what `$` means. */
  position?: number | undefined
  /** True while an upsert builds a new document: only then `$setOnInsert` counts. */
  inserting: boolean
  now: Date
}

export type Update = {
  kind: 'operators' | 'replacement' | 'pipeline'
  /** Answers the new typed document; may reuse and change the typed document given. `_id` is never changed. */
  apply(doc: Doc, context: UpdateContext): Doc
}

const IDENTIFIER = /^[a-z][a-zA-Z0-9]*$/

/** `[{'item.qty': {$gt: 1}}]` by identifier, as tests of a single array element. */
function compileArrayFilters(filters: unknown): Map<string, Filter> {
  const compiled = new Map<string, Filter>()
  for (const filter of isArray(filters) ? filters : []) {
    const plain = toPlain(filter)
    if (!isDoc(plain) || Object.keys(plain).length === 0)
      throw failedToParse('Cannot use an expression without a top-level field name in arrayFilters')
    const identifier = topFieldOf(plain)
    if (!IDENTIFIER.test(identifier))
      throw badValue(
        `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${identifier}'`,
      )
    if (compiled.has(identifier)) throw failedToParse(`Found multiple array filters with the same top-level field name ${identifier}`)
    const test = compileFilter(plain)
    compiled.set(identifier, (element) => test({ [identifier]: toPlain(element) }))
  }
  return compiled
}

function topFieldOf(filter: Doc): string {
  const key = Object.keys(filter)[0]!
  if (!key.startsWith('$')) return key.split('.')[0]!
  const branches = filter[key]
  const first = isArray(branches) ? branches[0] : undefined
  if (!isDoc(first)) throw failedToParse('Cannot use an expression without a top-level field name in arrayFilters')
  return topFieldOf(first)
}

function checkId(before: Doc, after: Doc, describe: (id: unknown) => string): void {
  if (before._id !== undefined && !equalValues(toPlain(before._id), toPlain(after._id))) throw new CommandError(66, describe(after._id))
}

const withIdFirst = (id: unknown, doc: Doc): Doc => (id === undefined ? doc : { _id: id, ...doc })

function replacement(update: Doc): Update {
  return {
    kind: 'replacement',
    apply(doc) {
      const { _id: ownId, ...fields } = update
      const id = doc._id ?? ownId
      if (ownId !== undefined) {
        checkId(
          doc,
          update,
          (to) => `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${valueText(to)}`,
        )
      }
      return withIdFirst(id, fields)
    },
  }
}

const PIPELINE_STAGES = new Set(['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith'])

function pipelineUpdate(stages: unknown[], variables: Variables): Update {
  const pipeline = readPipeline(toPlain(stages, false))
  for (const stage of pipeline) {
    const name = Object.keys(stage)[0]!
    if (!(name in mingoStages)) throw new CommandError(40324, `Unrecognized pipeline stage name: '${name}'`)
    if (!PIPELINE_STAGES.has(name)) throw new CommandError(72, `${name} is not allowed to be used within an update`)
  }
  return {
    kind: 'pipeline',
    apply(doc) {
      const before = toPlain(doc, false) as Doc
      const [computed] = runPipeline([toPlain(doc, false) as Doc], pipeline, () => [], variables)
      const after = computed ?? {}
      if (before._id !== undefined && after._id === undefined) after._id = before._id
      checkId(
        before,
        after,
        (to) => `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${valueText(to)}`,
      )
      // What the pipeline left alone keeps the exact type it is stored with.
      const result: Doc = {}
      for (const key of Object.keys(after)) {
        result[key] = Object.hasOwn(before, key) && equalValues(before[key], after[key]) ? doc[key] : after[key]
      }
      return '_id' in result ? { _id: result._id, ...result } : result
    },
  }
}

function operatorUpdate(update: Doc, arrayFilters: unknown): Update {
  const filters = compileArrayFilters(arrayFilters)
  const operations: Operation[] = readOperations(update)
  const used = new Set(operations.flatMap(({ path }) => path.filter((part) => part.startsWith('$[')).map((part) => part.slice(2, -1))))
  for (const name of used) {
    if (name !== '' && !filters.has(name))
      throw badValue(
        `No array filter found for identifier '${name}' in path '${operations.find((one) => one.path.includes(`$[${name}]`))!.path.join('.')}'`,
      )
  }
  for (const name of filters.keys()) {
    if (!used.has(name))
      throw failedToParse(`The array filter for identifier '${name}' was not used in the update ${valueText(toPlain(update))}`)
  }
  return {
    kind: 'operators',
    apply(doc, context) {
      const id = doc._id
      applyOperators(doc, operations, filters, context)
      if (id !== undefined && (doc._id === undefined || !equalValues(toPlain(id), toPlain(doc._id)))) {
        throw new CommandError(66, "Performing an update on the path '_id' would modify the immutable field '_id'")
      }
      return doc
    },
  }
}

/** @param update typed: a replacement, a document of operators, or a pipeline. */
export function compileUpdate(update: unknown, arrayFilters: unknown, variables: Variables): Update {
  if (isArray(update)) {
    if (isArray(arrayFilters) && arrayFilters.length > 0) throw failedToParse('arrayFilters may not be specified for pipeline-syle updates')
    return pipelineUpdate(update, variables)
  }
  if (!isDoc(update)) throw failedToParse(`Update argument must be either an object or an array, not ${typeName(update)}`)
  const first = Object.keys(update)[0]
  if (first?.startsWith('$')) return operatorUpdate(update, arrayFilters)
  const operator = Object.keys(update).find((key) => key.startsWith('$'))
  if (operator)
    throw new CommandError(
      52,
      `The dollar ($) prefixed field '${operator}' in '${operator}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    )
  return replacement(update)
}
