import { beforeEach, describe, expect, test } from 'vitest'
import { DataFile } from '../../data-file.ts'
import { type Doc, encode } from '../values.ts'
import { Catalog, SCHEMA } from './catalog.ts'
import type { Collection } from './collection.ts'
import { readIndexSpec } from './index.ts'

let file: DataFile
let plain: Collection
let indexed: Collection

const both = (change: (collection: Collection) => void) =>
  file.write(() => {
    change(plain)
    change(indexed)
  })
const ids = (collection: Collection, filter: Doc) => collection.matching(filter).map(({ doc }) => doc._id)

const KEYS: Doc[] = [
  { key: { user: 1, at: -1 }, name: 'user' },
  { key: { 'list.k': 1 }, name: 'list' },
  { key: { tags: 1 }, name: 'tags' },
  { key: { open: 1, at: 1 }, name: 'open', partialFilterExpression: { open: true } },
  { key: { at: 1 }, name: 'due', partialFilterExpression: { at: { $gt: new Date(0) } } },
]

beforeEach(async () => {
  file = new DataFile(undefined, 'test', SCHEMA)
  const catalog = new Catalog(file)
  await file.write(() => {
    plain = catalog.findOrCreate('db', 'plain')
    indexed = catalog.findOrCreate('db', 'indexed')
    for (const key of KEYS) indexed.createIndex(readIndexSpec(key))
  })
})

/** The same in every run: a plain linear congruential generator. */
function generator(seed: number) {
  return <T>(values: readonly T[]): T => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return values[(seed >> 8) % values.length]!
  }
}

test('an index answers what a scan answers, through inserts, updates and removals', async () => {
  const pick = generator(7)
  const users = ['a', 'b', null, undefined, 5, ['a', 'b'], []]
  const dates = [new Date(0), new Date(1000), new Date(2000), null, undefined]
  const lists = [undefined, [], [{ k: 1 }, { k: 2 }], { k: 1 }, [{}], 'x']
  const document = (_id: number): Doc => ({
    _id,
    user: pick(users),
    at: pick(dates),
    list: pick(lists),
    tags: pick([['x', 'y'], 'x', null]),
    open: pick([true, false, undefined]),
  })
  for (let _id = 0; _id < 200; _id++) {
    const raw = encode(document(_id))
    await both((collection) => collection.insert(raw))
  }
  for (let round = 0; round < 150; round++) {
    const _id = pick(Array.from({ length: 200 }, (_, n) => n))
    const change = document(_id)
    await both((collection) => {
      const [entry] = collection.matching({ _id })
      if (entry && round % 3 === 0) collection.remove(entry)
      else if (entry) collection.replace(entry, { ...change })
    })
  }
  const filters: Doc[] = [
    ...['a', null, 5, 'none', { $in: ['a', null] }, { $eq: 'b' }, ['a', 'b'], { $ne: 'a' }].map((user) => ({ user })),
    ...[1, null, { $in: [2, 1] }].map((k) => ({ 'list.k': k })),
    { tags: 'x', user: 'a' },
    { open: true, at: { $lte: new Date(1000) } },
    { open: true, $or: [{ at: null }, { at: { $lt: new Date(1000) } }] },
    { $and: [{ open: true }, { user: 'a' }] },
    { at: { $lte: new Date(1000), $gt: new Date(0) } },
    { at: { $lte: new Date(1000) } },
    { _id: { $in: [3, 7, 7, 900] } },
    {},
  ]
  for (const filter of filters) expect(ids(indexed, filter), JSON.stringify(filter)).toEqual(ids(plain, filter))
})

describe('what an index need not look at', () => {
  const candidates = (name: string, filter: Doc) => indexed.indexes.get(name)!.candidates(filter)?.size

  beforeEach(() =>
    both((collection) => {
      for (let _id = 0; _id < 100; _id++)
        collection.insert(encode({ _id, user: `u${_id % 50}`, open: _id % 10 === 0, at: _id % 4 ? null : new Date(_id + 1) }))
    }),
  )

  test('an equality sees its own documents alone', () => {
    expect(candidates('user', { user: 'u7' })).toBe(2)
    expect(candidates('user', { user: { $in: ['u7', 'u8'] }, open: true })).toBe(4)
    expect(candidates('user', { user: { $gt: 'u7' } })).toBeUndefined()
  })

  test('a partial index sees the documents that it covers, if the filter is as narrow', () => {
    expect(candidates('open', { open: true, at: { $lte: new Date() } })).toBe(10)
    expect(candidates('open', { open: { $ne: false } })).toBeUndefined()
    expect(candidates('due', { at: { $lte: new Date(5), $gt: new Date(0) } })).toBe(25)
    expect(candidates('due', { at: { $lte: new Date(5) } })).toBeUndefined()
  })
})
