import { Aggregator } from 'mingo/aggregator'
import { CommandError, typeMismatch } from '../errors.ts'
import { type Doc, isArray, isDoc } from '../values/bson.ts'
import { asCommandError, createContext, type Variables } from './expression.ts'
import { type FindIn, pipelineStages } from './stages.ts'

/** @throws TypeMismatch or Location40323 when it is not a list of one-field documents. */
export function readPipeline(pipeline: unknown): Doc[] {
  if (!isArray(pipeline)) throw typeMismatch("'pipeline' option must be specified as an array")
  for (const stage of pipeline) {
    if (!isDoc(stage)) throw typeMismatch("Each element of the 'pipeline' array must be an object")
    if (Object.keys(stage).length !== 1)
      throw new CommandError(40323, 'A pipeline stage specification object must contain exactly one field.')
  }
  return pipeline as Doc[]
}

/**
 * Runs a pipeline over plain documents, which it may change: hand it fresh copies.
 * `find` answers `$lookup` and `$unionWith` with documents of other collections.
 */
export function runPipeline(docs: Doc[], pipeline: Doc[], find: FindIn, variables: Variables = {}): Doc[] {
  const run = (input: Doc[], stages: Doc[], inner: Variables): Doc[] => runPipeline(input, stages, find, inner)
  const context = createContext(pipelineStages(find, run))
  try {
    return new Aggregator(pipeline, {
      context,
      variables,
      scriptEnabled: false,
      collectionResolver: (name) => find(name, {}),
    }).run(docs)
  } catch (error) {
    throw asCommandError(error)
  }
}
