// Carrying operations out on one typed document.
import { badValue, CommandError } from '../errors.ts'
import type { Filter } from '../query/match.ts'
import { isIndex } from '../query/paths.ts'
import { type Doc, fieldOf, isArray, isDoc, setField, toPlain } from '../values/bson.ts'
import { valueText } from '../values/text.ts'
import type { UpdateContext } from './compile.ts'
import { type Operation, REMOVED } from './operations.ts'

/** Arrays are padded with nulls up to the index set, but not without end. */
const MOST_PADDING = 1_500_000

const childOf = (container: unknown, part: string): unknown => {
  if (isArray(container)) return isIndex(part) ? container[Number(part)] : undefined
  return isDoc(container) ? fieldOf(container, part) : undefined
}

/** The concrete paths that `$`, `$[]` and `$[name]` stand for in this document. */
function expand(value: unknown, path: string[], depth: number, filters: Map<string, Filter>, context: UpdateContext): string[][] {
  for (let i = depth; i < path.length; i++) {
    const part = path[i]!
    if (part === '$') {
      if (context.position === undefined) throw badValue('The positional operator did not find the match needed from the query.')
      return expand(value, path.with(i, String(context.position)), i, filters, context)
    }
    if (part.startsWith('$[')) {
      const before = path.slice(0, i).join('.')
      if (value === undefined) throw badValue(`The path '${before}' must exist in the document in order to apply array updates.`)
      if (!isArray(value)) throw badValue(`Cannot apply array updates to non-array element ${path[i - 1]}: ${valueText(toPlain(value))}`)
      const filter = filters.get(part.slice(2, -1))
      return value.flatMap((element, index) =>
        !filter || filter(element as Doc) ? expand(element, path.with(i, String(index)), i + 1, filters, context) : [],
      )
    }
    value = childOf(value, part)
  }
  return [path]
}

const elementText = (name: string, value: unknown): string => `{${name}: ${valueText(toPlain(value))}}`

const notViable = (part: string, name: string, value: unknown): CommandError =>
  new CommandError(28, `Cannot create field '${part}' in element ${elementText(name, value)}`)

const notTraversable = (path: string[], at: number, value: unknown): CommandError =>
  new CommandError(
    28,
    `Cannot use the part (${path[at]}) of (${path.join('.')}) to traverse the element (${elementText(path[at - 1]!, value)})`,
  )

function assign(container: Doc | unknown[], part: string, value: unknown): void {
  if (!isArray(container)) {
    if (value === REMOVED) delete container[part]
    else setField(container, part, value)
    return
  }
  const index = Number(part)
  if (value === REMOVED) {
    if (index < container.length) container[index] = null
    return
  }
  if (index - container.length > MOST_PADDING) throw badValue(`cannot backfill array to larger than ${MOST_PADDING} elements`)
  while (container.length < index) container.push(null)
  container[index] = value
}

/** Computes and stores the value at a concrete path, making the documents on the way when the operation creates. */
function applyAt(doc: Doc, path: string[], operation: Operation, context: UpdateContext, moved?: unknown): void {
  let container: Doc | unknown[] = doc
  for (let i = 0; i < path.length; i++) {
    const part = path[i]!
    if (isArray(container) && !isIndex(part)) {
      if (operation.creates) throw notViable(part, path[i - 1]!, container)
      if (operation.passesOver) return
      throw notTraversable(path, i, container)
    }
    const child = childOf(container, part)
    if (i === path.length - 1) {
      if (child === undefined && !operation.creates) return
      assign(container, part, operation.compute(moved === undefined ? child : moved, doc, context))
      return
    }
    if (child === undefined) {
      if (!operation.creates) return
      const created: Doc = {}
      assign(container, part, created)
      container = created
    } else if (isDoc(child) || isArray(child)) container = child
    else if (!operation.creates) return
    else throw notViable(path[i + 1]!, part, child)
  }
}

function rename(doc: Doc, operation: Operation, context: UpdateContext): void {
  const from = operation.from!
  for (const [kind, path] of [
    ['source', from],
    ['destination', operation.path],
  ] as const) {
    let value: unknown = doc
    for (const [depth, part] of path.slice(0, -1).entries()) {
      value = childOf(value, part)
      if (isArray(value) && kind === 'source' && !isIndex(path[depth + 1]!)) throw notTraversable(path, depth + 1, value)
      if (isArray(value)) {
        throw badValue(
          `The ${kind} field cannot be an array element, '${path.join('.')}' in doc with _id: ${valueText(toPlain(doc._id))} has an array field called '${part}'`,
        )
      }
    }
  }
  const parent = from.slice(0, -1).reduce<unknown>(childOf, doc)
  const value = childOf(parent, from.at(-1)!)
  if (value === undefined) return
  delete (parent as Doc)[from.at(-1)!]
  applyAt(doc, operation.path, operation, context, value)
}

/** Changes the document in place. */
export function applyOperators(doc: Doc, operations: Operation[], filters: Map<string, Filter>, context: UpdateContext): void {
  for (const operation of operations) {
    if (operation.onlyOnInsert && !context.inserting) continue
    if (operation.from) rename(doc, operation, context)
    else for (const path of expand(doc, operation.path, 0, filters, context)) applyAt(doc, path, operation, context)
  }
}
