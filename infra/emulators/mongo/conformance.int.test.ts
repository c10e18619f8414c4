import mongoose, { Schema, Types } from 'mongoose'
import { beforeAll, describe, expect, it } from 'vitest'
import { conformanceBench, errorOf } from './conformance.fixture.ts'

const bench = conformanceBench()

const loose = () => new Schema({}, { strict: false, versionKey: false })

describe('filters', () => {
  const day = (n: number) => new Date(Date.UTC(2026, 0, n))
  const id = (n: number) => new Types.ObjectId(`65a0000000000000000000${String(n).padStart(2, '0')}`)
  const flights = [
    {
      _id: 1,
      from: 'LHR',
      to: 'JFK',
      price: 300,
      at: day(1),
      agent: id(1),
      stops: [],
      seats: [{ row: 1, free: true }],
      fare: { cabin: 'economy' },
    },
    {
      _id: 2,
      from: 'LHR',
      to: 'CDG',
      price: 80.5,
      at: day(2),
      agent: id(2),
      stops: ['AMS'],
      seats: [
        { row: 1, free: false },
        { row: 2, free: true },
      ],
      fare: { cabin: 'business', bags: 2 },
    },
    {
      _id: 3,
      from: 'MAD',
      to: 'JFK',
      price: 420,
      at: day(3),
      agent: id(1),
      stops: ['LIS', 'BOS'],
      seats: [{ row: 2, free: false }],
      fare: null,
    },
    { _id: 4, from: 'mad', to: null, price: '420', at: null, stops: 'AMS', note: 'a.b' },
    { _id: 5 },
  ]
  let ids: (filter: Record<string, unknown>) => Promise<unknown[]>

  beforeAll(async () => {
    const collection = await bench.collectionNamed('filters', flights)
    ids = async (filter) => (await collection.find(filter).sort({ _id: 1 }).toArray()).map(({ _id }) => _id)
  })

  it.each<[string, Record<string, unknown>, number[]]>([
    ['equality finds strings by case and numbers by value', { from: 'LHR', price: 300 }, [1]],
    ['a regular expression with its flag finds both cases', { from: /^mad$/i }, [3, 4]],
    ['$regex with $options is the same', { from: { $regex: '^MAD', $options: 'i' } }, [3, 4]],
    ['$in takes values and regular expressions', { to: { $in: ['CDG', /^J/] } }, [1, 2, 3]],
    ['$nin excludes also what is missing from the list only', { from: { $nin: ['LHR', 'MAD'] } }, [4, 5]],
    ['a range compares numbers with numbers only', { price: { $gte: 80.5, $lt: 420 } }, [1, 2]],
    ['dates are compared as instants', { at: { $gt: day(1), $lte: day(3) } }, [2, 3]],
    ['ObjectIds are equal by value', { agent: id(1) }, [1, 3]],
    ['null matches null and missing fields', { to: null }, [4, 5]],
    ['$ne null needs a value', { to: { $ne: null } }, [1, 2, 3]],
    ['$exists tells null from missing', { to: { $exists: true } }, [1, 2, 3, 4]],
    ['a scalar matches inside an array', { stops: 'AMS' }, [2, 4]],
    ['an array matches as a whole', { stops: ['LIS', 'BOS'] }, [3]],
    ['$size counts elements', { stops: { $size: 0 } }, [1]],
    ['$all wants every value', { stops: { $all: ['BOS', 'LIS'] } }, [3]],
    ['dotted paths pass through arrays', { 'seats.row': 2 }, [2, 3]],
    ['dotted paths with conditions may be met by different elements', { 'seats.row': 1, 'seats.free': true }, [1, 2]],
    ['$elemMatch wants one element to meet all', { seats: { $elemMatch: { row: 1, free: true } } }, [1]],
    ['numeric path components are array positions', { 'stops.1': 'BOS' }, [3]],
    ['nested documents are equal with fields in order', { fare: { cabin: 'business', bags: 2 } }, [2]],
    ['a nested missing path matches null', { 'fare.bags': null }, [1, 3, 4, 5]],
    ['$type tells a string from a number', { price: { $type: 'string' } }, [4]],
    ['$not turns a condition round, also for missing fields', { price: { $not: { $gt: 100 } } }, [2, 4, 5]],
    ['$or and $and nest', { $or: [{ from: 'MAD' }, { $and: [{ from: 'LHR' }, { to: 'CDG' }] }] }, [2, 3]],
    ['$nor excludes all branches', { $nor: [{ from: 'LHR' }, { price: '420' }] }, [3, 5]],
    ['$mod computes remainders', { price: { $mod: [100, 20] } }, [3]],
    ['$expr compares fields with each other', { $expr: { $gt: ['$price', { $multiply: [2, 160] }] } }, [3, 4]],
  ])('%s', async (_, filter, expected) => {
    expect(await ids(filter)).toEqual(expected)
  })

  it('an unknown operator is refused with BadValue', async () => {
    const error = await errorOf(ids({ price: { $above: 1 } }))
    expect(error).toMatchObject({ code: 2, codeName: 'BadValue', message: 'unknown operator: $above' })
  })
})

describe('sorting and projections', () => {
  beforeAll(async () => {
    await bench.collectionNamed('sorted', [
      {
        _id: 1,
        a: 2,
        list: [5, 1],
        docs: [
          { k: 1, v: 'x' },
          { k: 2, v: 'y' },
        ],
      },
      { _id: 2, a: 'text', list: [3] },
      { _id: 3, list: [] },
      { _id: 4, a: null, list: [9, 0], docs: [{ k: 2, v: 'z' }] },
      { _id: 5, a: 2, list: 4 },
      { _id: 6, a: new Date(0) },
    ])
  })
  const order = async (sort: Record<string, 1 | -1>) =>
    (await bench.connection.collection('sorted').find().sort(sort).toArray()).map(({ _id }) => Number(_id))
  const first = async (projection: Record<string, unknown>, filter: Record<string, unknown> = { _id: 1 }) =>
    await bench.connection.collection('sorted').findOne(filter as never, { projection })

  it('kinds of values have one order: nothing, numbers, strings, dates', async () => {
    expect(await order({ a: 1, _id: 1 })).toEqual([3, 4, 1, 5, 2, 6])
    expect(await order({ a: -1, _id: -1 })).toEqual([6, 2, 5, 1, 4, 3])
  })

  it('an array sorts by its least element upwards and by its greatest downwards', async () => {
    expect(await order({ list: 1, _id: 1 })).toEqual([3, 6, 4, 1, 2, 5])
    expect(await order({ list: -1, _id: 1 })).toEqual([4, 1, 5, 2, 6, 3])
  })

  it('skip and limit cut the sorted list', async () => {
    const found = await bench.connection.collection('sorted').find().sort({ _id: -1 }).skip(1).limit(2).toArray()
    expect(found.map(({ _id }) => Number(_id))).toEqual([5, 4])
  })

  it('inclusion keeps _id unless it is excluded', async () => {
    expect(await first({ a: 1 })).toEqual({ _id: 1, a: 2 })
    expect(await first({ a: 1, _id: 0 })).toEqual({ a: 2 })
  })

  it('exclusion and nested inclusion reach into arrays of documents', async () => {
    expect(await first({ list: 0, a: 0 })).toEqual({
      _id: 1,
      docs: [
        { k: 1, v: 'x' },
        { k: 2, v: 'y' },
      ],
    })
    expect(await first({ 'docs.v': 1 })).toEqual({ _id: 1, docs: [{ v: 'x' }, { v: 'y' }] })
  })

  it('$slice, $elemMatch and the positional operator pick array elements', async () => {
    expect(await first({ list: { $slice: -1 }, docs: 0 })).toEqual({ _id: 1, a: 2, list: [1] })
    expect(await first({ docs: { $elemMatch: { k: 2 } } })).toEqual({ _id: 1, docs: [{ k: 2, v: 'y' }] })
    expect(await first({ 'docs.$': 1 }, { _id: 1, 'docs.v': 'y' })).toEqual({ _id: 1, docs: [{ k: 2, v: 'y' }] })
  })

  it('mixing inclusion and exclusion is refused', async () => {
    expect(await errorOf(first({ a: 1, list: 0 }))).toMatchObject({ code: 31254 })
  })
})

describe('cursors', () => {
  it('a result longer than the first batch of 101 arrives complete and in order', async () => {
    const Long = bench.connection.model('Long', loose())
    await Long.insertMany(Array.from({ length: 350 }, (_, n) => ({ n })))
    const seen: number[] = []
    for await (const row of Long.find().sort({ n: 1 }).cursor()) seen.push(row.get('n'))
    expect(seen).toEqual(Array.from({ length: 350 }, (_, n) => n))
  })

  it('batchSize decides how many travel at once, and a closed cursor answers no more', async () => {
    const cursor = bench.connection.collection('longs').find().batchSize(10)
    await cursor.next()
    expect(cursor.bufferedCount()).toBe(9)
    await cursor.close()
    expect(await cursor.next().catch(() => null)).toBeNull()
  })

  it('a result larger than one 16 MB batch arrives complete', async () => {
    const body = 'x'.repeat(1024 * 1024)
    const collection = await bench.collectionNamed('heavy', [])
    for (let n = 0; n < 40; n += 10) await collection.insertMany(Array.from({ length: 10 }, (_, i) => ({ _id: n + i, n: n + i, body })))
    const found = await collection.find().sort({ n: 1 }).toArray()
    expect(found.map(({ n }) => n)).toEqual(Array.from({ length: 40 }, (_, n) => n))
    expect(found.every((row) => row.body === body)).toBe(true)
  })

  it('an unknown cursor is refused with CursorNotFound', async () => {
    const error = await errorOf(bench.connection.db!.command({ getMore: new mongoose.mongo.Long(12345), collection: 'heavy' }))
    expect(error).toMatchObject({ code: 43, codeName: 'CursorNotFound' })
  })

  it('a document beyond 16 MB is refused', async () => {
    const error = await errorOf(
      bench.connection.collection('heavy').updateOne({ n: 0 }, { $set: { more: 'y'.repeat(16 * 1024 * 1024 - 100) } }),
    )
    expect(error.name).toMatch(/^Mongo/)
    expect(await bench.connection.collection('heavy').countDocuments({ more: { $exists: true } })).toBe(0)
  })
})
