// Aggregation expressions: mingo computes them, with the server's own comparison and arithmetic put in place of mingo's.
import { Aggregator } from 'mingo/aggregator'
import { Context, evalExpr } from 'mingo/core'
import * as accumulators from 'mingo/operators/accumulator'
import * as expressions from 'mingo/operators/expression'
import * as windows from 'mingo/operators/window'
import type { Options } from 'mingo/types'
import { CommandError } from '../errors.ts'
import type { Doc } from '../values/bson.ts'
import { accumulatorOverrides, expressionOverrides } from './operators.ts'

/** What `$$name` means: a command's `let`. */
export type Variables = Doc

const operatorSets = {
  accumulator: { ...accumulators, ...accumulatorOverrides },
  expression: { ...expressions, ...expressionOverrides },
  window: windows,
}

/** A fresh set of operators, to which a pipeline adds its stages. */
export const createContext = (stages: object = {}): Context =>
  Context.init({ ...operatorSets, pipeline: stages } as Parameters<typeof Context.init>[0])

/** mingo prepares its options once per pipeline and hands them to stages only; this takes them from a stage that does nothing else. */
export function prepareOptions(variables: Variables, context: Context): Options {
  let prepared: Options | undefined
  context.addPipelineOps({
    $prepare: (iterator: never, _: unknown, options: Options) => {
      prepared = options
      return iterator
    },
  } as never)
  new Aggregator([{ $prepare: {} }], { context, variables, scriptEnabled: false }).run([])
  return prepared!
}

const NO_VARIABLES: Variables = {}
const plainOptions = prepareOptions(NO_VARIABLES, createContext())

const optionsFor = (variables: Variables): Options =>
  Object.keys(variables).length === 0 ? plainOptions : prepareOptions(variables, createContext())

/** The server's error for what mingo could not do. */
export function asCommandError(error: unknown): unknown {
  if (error instanceof CommandError || !(error instanceof Error)) return error
  const stage = /^unregistered pipeline operator (\S+)\.$/.exec(error.message)?.[1]
  if (stage) return new CommandError(40324, `Unrecognized pipeline stage name: '${stage}'`)
  const operator = /'(\$\w+)' is not registered/.exec(error.message)?.[1]
  if (operator) return new CommandError(168, `Unrecognized expression '${operator}'`)
  const variable = /^Use of undefined variable: (\w+)/.exec(error.message)?.[1]
  if (variable) return new CommandError(17276, `Use of undefined variable: ${variable}`)
  return new CommandError(2, error.message)
}

/** An expression as a function of a plain document; a missing result is undefined. */
export function compileComputed(expression: unknown, variables: Variables): (doc: Doc) => unknown {
  const options = optionsFor(variables)
  return (doc) => {
    try {
      return evalExpr(doc, expression, options)
    } catch (error) {
      throw asCommandError(error)
    }
  }
}

const isTrue = (value: unknown): boolean => value !== undefined && value !== null && value !== false && value !== 0

/** The condition of `$expr`. */
export function compileExpression(expression: unknown, variables: Variables): (doc: Doc) => boolean {
  const compute = compileComputed(expression, variables)
  return (doc) => isTrue(compute(doc))
}
