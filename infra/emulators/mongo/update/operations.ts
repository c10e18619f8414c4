import { badValue, CommandError, failedToParse } from '../errors.ts'
import { isIndex } from '../query/paths.ts'
import { type Doc, isDoc, toPlain } from '../values/bson.ts'
import { typeName, valueText } from '../values/text.ts'
import { addToSet, pop, pull, pullAll, push } from './arrays.ts'
import type { UpdateContext } from './compile.ts'
import { arithmetic, bit, choose, currentDate } from './scalars.ts'

/** Says that the field is to be taken away. */
export const REMOVED = Symbol('removed')

/** Computes a field's new value from its present one (`undefined`: missing). The document is for error messages only. */
export type Compute = (current: unknown, doc: Doc, context: UpdateContext) => unknown

export type Operation = {
  path: string[]
  /** Whether a missing field, and the documents on the way to it, come into being. */
  creates: boolean
  /** Without `creates`: a path that the document cannot hold is no error either. */
  passesOver?: boolean
  compute: Compute
  onlyOnInsert?: boolean
  /** `$rename` moves the value from here to `path`. */
  from?: string[]
}

const OPERATORS = new Set([
  '$set',
  '$setOnInsert',
  '$unset',
  '$inc',
  '$mul',
  '$min',
  '$max',
  '$currentDate',
  '$bit',
  '$push',
  '$addToSet',
  '$pull',
  '$pullAll',
  '$pop',
  '$rename',
])

function operationOf(operator: string, path: string, argument: unknown): Omit<Operation, 'path'> {
  switch (operator) {
    case '$set':
      return { creates: true, compute: () => argument }
    case '$setOnInsert':
      return { creates: true, compute: () => argument, onlyOnInsert: true }
    case '$unset':
      return { creates: false, passesOver: true, compute: () => REMOVED }
    case '$inc':
    case '$mul':
      return { creates: true, compute: arithmetic(operator, path, argument) }
    case '$min':
      return { creates: true, compute: choose(argument, -1) }
    case '$max':
      return { creates: true, compute: choose(argument, 1) }
    case '$currentDate':
      return { creates: true, compute: currentDate(argument) }
    case '$bit':
      return { creates: true, compute: bit(path, argument) }
    case '$push':
      return { creates: true, compute: push(path, argument) }
    case '$addToSet':
      return { creates: true, compute: addToSet(path, argument) }
    case '$pull':
      return { creates: false, compute: pull(path, argument) }
    case '$pullAll':
      return { creates: false, compute: pullAll(path, argument) }
    case '$pop':
      return { creates: false, compute: pop(path, argument) }
    default:
      throw failedToParse(`Unknown modifier: ${operator}`)
  }
}

function pathOf(path: string): string[] {
  const parts = path.split('.')
  if (parts.includes(''))
    throw new CommandError(
      56,
      path === '' ? 'An empty update path is not valid.' : `The update path '${path}' contains an empty field name, which is not allowed.`,
    )
  if (parts[0]!.startsWith('$')) {
    const kind =
      parts[0] === '$' ? "positional (i.e. '$')" : parts[0]!.startsWith('$[') ? "array filter identifier (i.e. '$[<id>]')" : undefined
    if (kind) throw badValue(`Cannot have ${kind} element in the first position in path '${path}'`)
    throw new CommandError(
      52,
      `The dollar ($) prefixed field '${parts[0]}' in '${path}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    )
  }
  return parts
}

function renameOf(from: string, to: unknown): Operation {
  if (typeof to !== 'string') throw badValue(`The 'to' field for $rename must be a string: ${from}: ${valueText(toPlain(to))}`)
  if (from === to) throw badValue(`The source and target field for $rename must differ: ${from}: "${to}"`)
  const path = pathOf(to)
  const source = pathOf(from)
  if (`${to}.`.startsWith(`${from}.`) || `${from}.`.startsWith(`${to}.`)) {
    throw badValue(`The source and target field for $rename must not be on the same path: ${from}: "${to}"`)
  }
  if ([...path, ...source].some((part) => part.startsWith('$'))) throw badValue(`The source field for $rename may not be dynamic: ${from}`)
  return { path, from: source, creates: true, compute: (current) => current }
}

/** Components in the order in which the server applies them: numbers by value, names by text. */
function comparePaths(a: string[], b: string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i]!, b[i]!]
    if (x === y) continue
    if (isIndex(x) && isIndex(y)) return Number(x) - Number(y)
    return x < y ? -1 : 1
  }
  return a.length - b.length
}

function refuseConflicts(paths: string[][]): void {
  for (let i = 0; i < paths.length; i++) {
    for (let j = 0; j < i; j++) {
      const [one, other] = [paths[i]!, paths[j]!]
      const length = Math.min(one.length, other.length)
      if (one.slice(0, length).every((part, at) => part === other[at])) {
        throw new CommandError(40, `Updating the path '${one.join('.')}' would create a conflict at '${one.slice(0, length).join('.')}'`)
      }
    }
  }
}

/**
 * All operations of an update document, in the order of application.
 * @throws FailedToParse, BadValue, TypeMismatch, ConflictingUpdateOperators, EmptyFieldName, DollarPrefixedFieldName.
 */
export function readOperations(update: Doc): Operation[] {
  const operations: Operation[] = []
  for (const operator of Object.keys(update)) {
    const fields = update[operator]
    if (!OPERATORS.has(operator))
      throw failedToParse(`Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`)
    if (!isDoc(fields)) {
      throw failedToParse(
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${valueText(toPlain(fields))}}`,
      )
    }
    for (const path of Object.keys(fields)) {
      if (operator === '$rename') operations.push(renameOf(path, fields[path]))
      else operations.push({ path: pathOf(path), ...operationOf(operator, path, fields[path]) })
    }
  }
  refuseConflicts(operations.flatMap(({ path, from }) => (from ? [from, path] : [path])))
  return operations.sort((a, b) => comparePaths(a.path, b.path))
}
