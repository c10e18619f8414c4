/** Lists in pages: opaque cursors, limits from 1 to 200, no total count. */
import { collectProblems } from './errors.ts'
import type { Fields } from './fields.ts'

export type PageRequest = { limit: number; after?: string; before?: string }

/** @throws ApiError 422 for a limit outside 1 to 200, or for both cursors at once. */
export const readPageRequest = (query: Fields): PageRequest => {
  const problems = collectProblems()
  const limit = query.limit === undefined ? 50 : /^\d{1,4}$/.test(String(query.limit)) ? Number(query.limit) : Number.NaN
  if (!(limit >= 1 && limit <= 200)) problems.add('validation_inclusion', '/limit', "Field 'limit' must be from 1 to 200")
  const cursor = (name: 'after' | 'before') => {
    const value = query[name]
    if (value === undefined) return undefined
    if (typeof value !== 'string' || value === '') problems.add('validation_format', `/${name}`, `Field '${name}' is not a cursor`)
    return value as string
  }
  const after = cursor('after')
  const before = cursor('before')
  if (after !== undefined && before !== undefined)
    problems.add('validation_inclusion', '/before', "Only one of 'after' and 'before' may be given")
  problems.refuse()
  return { limit, after, before }
}

const mask = 0x9e

const masked = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ mask))

/** Cursors name an element and the list it belongs to; a cursor of another list is refused. */
const seal = (list: string, key: string): string => masked(Buffer.from(`${list}\n${key}`)).toString('base64')

const unseal = (list: string, cursor: string): string | undefined => {
  const [sealedList, key] = masked(Buffer.from(cursor, 'base64')).toString().split('\n')
  return sealedList === list ? key : undefined
}

export type Page<Item> = { items: Item[]; meta: { limit: number; before: string | null; after: string | null } }

/**
 * @param list names the list with its filters and order.
 * @param keyOf a key that no other element has and that does not change.
 * @throws ApiError 422 for a cursor that this list never gave.
 */
export const pageOf = <Item>(list: string, items: Item[], keyOf: (item: Item) => string, request: PageRequest): Page<Item> => {
  const position = (name: 'after' | 'before', cursor: string): number => {
    const key = unseal(list, cursor)
    const at = key === undefined ? -1 : items.findIndex((item) => keyOf(item) === key)
    if (at < 0) {
      const problems = collectProblems()
      problems.add('validation_format', `/${name}`, `Field '${name}' is not a cursor of this list`)
      problems.refuse()
    }
    return at
  }
  let from = 0
  if (request.after !== undefined) from = position('after', request.after) + 1
  if (request.before !== undefined) from = Math.max(0, position('before', request.before) - request.limit)
  const to = request.before !== undefined ? position('before', request.before) : Math.min(items.length, from + request.limit)
  const page = items.slice(from, to)
  return {
    items: page,
    meta: {
      limit: request.limit,
      before: from > 0 && page.length > 0 ? seal(list, keyOf(page[0]!)) : null,
      after: to < items.length && page.length > 0 ? seal(list, keyOf(page.at(-1)!)) : null,
    },
  }
}
