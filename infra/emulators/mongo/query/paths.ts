// How a dotted path reaches values through sub-documents and arrays.
import { type Doc, fieldOf, hasOwn, isArray, isDoc } from '../values/bson.ts'

const INDEX = /^(0|[1-9]\d*)$/
export const isIndex = (part: string): boolean => INDEX.test(part)

/**
 * Called for each value a path reaches; `undefined` stands for a missing field.
 * `position` is the index in the outermost array passed on the way; `isElement` says that the path itself named an
 * array index last, and then an array found there is one value. Answering true ends the walk.
 */
export type Visit = (value: unknown, position: number | undefined, isElement?: boolean) => boolean

function visitElements(array: unknown[], parts: string[], depth: number, position: number | undefined, visit: Visit): boolean {
  for (let i = 0; i < array.length; i++) {
    const element = array[i]
    if (isDoc(element) && visitPath(element, parts, depth, position ?? i, visit)) return true
  }
  const part = parts[depth]!
  if (!isIndex(part) || Number(part) >= array.length) return false
  const element = array[Number(part)]
  const at = position ?? Number(part)
  if (depth + 1 === parts.length) return visit(element, at, true)
  if (isArray(element)) return visitElements(element, parts, depth + 1, at, visit)
  return isDoc(element) ? visitPath(element, parts, depth + 1, at, visit) : false
}

/** Visits the values at the path's end as they stand (an array there is one value); arrays on the way are passed through. */
export function visitPath(doc: Doc, parts: string[], depth: number, position: number | undefined, visit: Visit): boolean {
  const value = fieldOf(doc, parts[depth]!)
  if (depth + 1 === parts.length) return visit(value, position)
  if (isArray(value)) return visitElements(value, parts, depth + 1, position, visit)
  if (isDoc(value)) return visitPath(value, parts, depth + 1, position, visit)
  return visit(undefined, position)
}

/** Like `visitPath`, and an array at the end also offers each of its elements before itself. */
export function visitCandidates(doc: Doc, parts: string[], visit: Visit): boolean {
  return visitPath(doc, parts, 0, undefined, (value, position, isElement) => {
    if (isArray(value) && !isElement) {
      for (let i = 0; i < value.length; i++) if (visit(value[i], position ?? i)) return true
    }
    return visit(value, position)
  })
}

/** Whether the path exists anywhere in the document: what a sparse index asks. */
export const pathExists = (doc: Doc, parts: string[]): boolean =>
  parts.length === 1 ? hasOwn(doc, parts[0]!) : visitPath(doc, parts, 0, undefined, (value) => value !== undefined)
