import { badValue, CommandError, notImplemented } from '../errors.ts'
import { type Doc, isDoc, toPlain } from '../values/bson.ts'
import { compareValues } from '../values/compare.ts'
import { isNumberValue } from '../values/numbers.ts'
import { valueText } from '../values/text.ts'
import { keyTuples } from './keys.ts'

/** A missing or empty sort is none. */
export const hasSort = (spec: unknown): spec is Doc => isDoc(spec) && Object.keys(spec).length > 0

type SortField = { parts: string[]; direction: 1 | -1 }

function sortFields(spec: Doc): SortField[] {
  return Object.keys(spec).map((path) => {
    const direction = toPlain(spec[path], false)
    if (isDoc(direction)) throw notImplemented('sorting by $meta')
    if (!isNumberValue(direction)) throw new CommandError(15974, `Illegal key in $sort specification: ${path}: ${valueText(direction)}`)
    if (Number(direction) !== 1 && Number(direction) !== -1) {
      throw new CommandError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)')
    }
    return { parts: path.split('.'), direction: Number(direction) === 1 ? 1 : -1 }
  })
}

type Order = (a: unknown[], b: unknown[]) => number

const orderOf =
  (fields: SortField[]): Order =>
  (a, b) => {
    for (let i = 0; i < fields.length; i++) {
      const order = compareValues(a[i], b[i])
      if (order !== 0) return order * fields[i]!.direction
    }
    return 0
  }

/** Of the keys that an array gives a document, the one that comes first in this order. */
function sortKey(doc: Doc, paths: string[][], order: Order): unknown[] {
  try {
    return keyTuples(doc, paths).reduce((first, tuple) => (order(tuple, first) < 0 ? tuple : first))
  } catch (error) {
    if (error instanceof CommandError)
      throw badValue('Executor error during find command :: caused by :: cannot sort with keys that are parallel arrays')
    throw error
  }
}

/** Sorts by plain documents, keeping the order of equal ones. `docOf` finds the document in an item. */
export function sortItems<T>(items: T[], spec: Doc, docOf: (item: T) => Doc): T[] {
  const fields = sortFields(spec)
  const paths = fields.map(({ parts }) => parts)
  const order = orderOf(fields)
  const keyed = items.map((item) => ({ item, key: sortKey(docOf(item), paths, order) }))
  keyed.sort((a, b) => order(a.key, b.key))
  return keyed.map(({ item }) => item)
}
