// Projections: which fields of a document an answer carries. Values keep their BSON types; only computed fields are new.
import { compileComputed, type Variables } from '../aggregate/expression.ts'
import { CommandError, notImplemented } from '../errors.ts'
import { type Doc, fieldOf, hasOwn, isArray, isDoc, setField, toPlain } from '../values/bson.ts'
import { isNumberValue } from '../values/numbers.ts'
import { compileFilter, type MatchContext } from './match.ts'

/** `plain` is the same document for expressions; `context` knows which array element the filter matched. */
export type Projection = (doc: Doc, plain: () => Doc, context: MatchContext) => Doc

type Transform = (value: unknown, context: MatchContext) => unknown
type Node = { children: Map<string, Node>; action?: 'include' | 'exclude' | Transform | undefined }
type Computed = { path: string[]; compute: (plain: Doc) => unknown }
type Rows = {
  included: string[]
  excluded: string[]
  transforms: Map<string, Transform>
  computed: Computed[]
  idExcluded: boolean | undefined
}

const isFlag = (value: unknown): value is number | boolean => typeof value === 'boolean' || isNumberValue(value)
const isOn = (value: unknown): boolean => value !== false && Number(value) !== 0

function sliceOf(argument: unknown): Transform {
  const [from, count] = (isArray(argument) ? argument : [undefined, argument]).map((item) =>
    item === undefined ? undefined : Number(item),
  )
  return (value) => {
    if (!isArray(value)) return value
    if (from === undefined) return count! < 0 ? value.slice(count!) : value.slice(0, count!)
    const start = from < 0 ? Math.max(0, value.length + from) : from
    return value.slice(start, start + count!)
  }
}

function elemMatchOf(condition: unknown): Transform {
  const matches = compileFilter({ value: { $elemMatch: condition } })
  return (value) => {
    if (!isArray(value)) return undefined
    const found = value.find((element) => matches({ value: [toPlain(element)] }))
    return found === undefined ? undefined : [found]
  }
}

const positional: Transform = (value, context) => {
  if (!isArray(value)) return value
  if (context.position === undefined) {
    throw new CommandError(
      51246,
      "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
    )
  }
  return value.length > context.position ? [value[context.position]] : []
}

function readSpec(spec: Doc, prefix: string, rows: Rows, forFind: boolean, variables: Variables): void {
  for (const key of Object.keys(spec)) {
    const path = prefix + key
    const value = toPlain(spec[key], false)
    if (key === '') throw new CommandError(40352, 'FieldPath cannot be constructed with empty string')
    if (path.startsWith('.') || path.endsWith('.') || path.includes('..'))
      throw new CommandError(40353, 'FieldPath must not end with a dot or hold an empty name.')
    if (isFlag(value)) {
      if (path === '_id') rows.idExcluded = !isOn(value)
      else if (forFind && path.endsWith('.$')) rows.transforms.set(path.slice(0, -2), positional)
      else (isOn(value) ? rows.included : rows.excluded).push(path)
      continue
    }
    if (isDoc(value)) {
      const first = Object.keys(value)[0]
      if (first === undefined) throw new CommandError(51270, `An empty sub-projection is not a valid value. Found empty object at path`)
      if (forFind && first === '$slice' && isSliceOfNumbers(value.$slice)) {
        rows.transforms.set(path, sliceOf(value.$slice))
        continue
      }
      if (forFind && first === '$elemMatch') {
        rows.transforms.set(path, elemMatchOf(value.$elemMatch))
        rows.included.push(path)
        continue
      }
      if (first === '$meta') throw notImplemented('$meta')
      if (!first.startsWith('$')) {
        readSpec(spec[key] as Doc, `${path}.`, rows, forFind, variables)
        continue
      }
    }
    rows.computed.push({ path: path.split('.'), compute: compileComputed(value, variables) })
  }
}

const isSliceOfNumbers = (argument: unknown): boolean => isNumberValue(argument) || (isArray(argument) && argument.every(isNumberValue))

function plant(root: Node, path: string, action: Exclude<Node['action'], undefined>): void {
  let node = root
  for (const part of path.split('.')) {
    if (node.action === 'include' || node.action === 'exclude') throw new CommandError(31249, `Path collision at ${path}`)
    let child = node.children.get(part)
    if (!child) {
      child = { children: new Map() }
      node.children.set(part, child)
    }
    node = child
  }
  if (node.children.size > 0 || (node.action && typeof action === 'string')) throw new CommandError(31250, `Path collision at ${path}`)
  node.action = action
}

/** Keeps what the tree names (inclusion) or drops it (exclusion); passes through arrays on the way. */
function apply(node: Node, doc: Doc, including: boolean, context: MatchContext): Doc {
  const result: Doc = {}
  for (const key of Object.keys(doc)) {
    const child = node.children.get(key)
    const value = doc[key]
    if (!child) {
      if (!including) setField(result, key, value)
      continue
    }
    const kept = applyChild(child, value, including, context)
    if (kept !== undefined) setField(result, key, kept)
  }
  return result
}

function applyChild(node: Node, value: unknown, including: boolean, context: MatchContext): unknown {
  if (node.action === 'include') return value
  if (node.action === 'exclude') return undefined
  if (node.action) return node.action(value, context)
  if (isDoc(value)) return apply(node, value, including, context)
  if (isArray(value)) {
    const items = including ? value.filter((item) => isDoc(item) || isArray(item)) : value
    return items.map((item) => (isDoc(item) || isArray(item) ? applyChild(node, item, including, context) : item))
  }
  return including ? undefined : value
}

/** A copy of `target` with the value at the path; where the document has arrays on the way, in each of their elements. */
function withComputed(target: unknown, source: unknown, path: string[], depth: number, value: unknown): unknown {
  if (depth === path.length) return value
  if (isArray(target)) return target.map((item) => withComputed(item, undefined, path, depth, value))
  if (target === undefined && isArray(source)) return source.map((item) => withComputed(undefined, item, path, depth, value))
  const key = path[depth]!
  const copy: Doc = isDoc(target) ? { ...target } : {}
  const inner = withComputed(fieldOf(copy, key), isDoc(source) ? fieldOf(source, key) : undefined, path, depth + 1, value)
  if (inner === undefined) delete copy[key]
  else setField(copy, key, inner)
  return copy
}

/**
 * Compiles the projection of a `find` (`forFind`: with `$slice`, `$elemMatch` and positional `$`) or of a `$project` stage.
 * Answers undefined when everything is wanted as it is.
 */
export function compileProjection(spec: Doc | undefined, forFind: boolean, variables: Variables = {}): Projection | undefined {
  if (!spec || Object.keys(spec).length === 0) return undefined
  const rows: Rows = { included: [], excluded: [], transforms: new Map(), computed: [], idExcluded: undefined }
  readSpec(spec, '', rows, forFind, variables)
  const { included, excluded, transforms, computed } = rows
  const positionals = [...transforms].filter(([, transform]) => transform === positional)
  if (positionals.length > 1) throw new CommandError(31276, 'Cannot specify more than one positional projection per query.')
  const including =
    included.length > 0 ||
    computed.length > 0 ||
    positionals.length > 0 ||
    (rows.idExcluded === false && excluded.length === 0 && transforms.size === 0)
  if (including && excluded.length > 0) {
    const first = Object.keys(spec).find((key) => key !== '_id')
    throw first !== undefined && excluded.includes(first)
      ? new CommandError(31253, `Cannot do inclusion on field ${included[0] ?? computed[0]!.path.join('.')} in exclusion projection`)
      : new CommandError(31254, `Cannot do exclusion on field ${excluded[0]} in inclusion projection`)
  }
  const root: Node = { children: new Map() }
  for (const path of included) if (!transforms.has(path)) plant(root, path, 'include')
  for (const path of excluded) plant(root, path, 'exclude')
  for (const [path, transform] of transforms) plant(root, path, transform)
  if (including && rows.idExcluded !== true) root.children.set('_id', { children: new Map(), action: 'include' })
  if (!including && rows.idExcluded === true) plant(root, '_id', 'exclude')
  return (doc, plain, context) => {
    let result = apply(root, doc, including, context)
    if (computed.length > 0) {
      const source = plain()
      for (const { path, compute } of computed) result = withComputed(result, doc, path, 0, compute(source)) as Doc
    }
    return including && hasOwn(result, '_id') ? { _id: result._id, ...result } : result
  }
}
