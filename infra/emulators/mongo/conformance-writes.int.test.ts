import { Schema } from 'mongoose'
import { describe, expect, it } from 'vitest'
import { conformanceBench, errorOf } from './conformance.fixture.ts'

const bench = conformanceBench()

describe('update operators', () => {
  /** The one document after one update. */
  async function after(before: Record<string, unknown>, update: object, options = {}, filter: Record<string, unknown> = {}) {
    const collection = await bench.collectionOf([{ _id: 1, ...before }])
    await collection.updateOne({ _id: 1, ...filter } as never, update as never, options)
    const { _id, ...fields } = (await collection.findOne())!
    return fields
  }

  it('$set makes the documents on the way, $unset removes', async () => {
    expect(await after({ a: { b: 1 }, gone: 1 }, { $set: { 'a.c.d': 2 }, $unset: { gone: 1, never: 1 } })).toEqual({
      a: { b: 1, c: { d: 2 } },
    })
  })

  it('$inc, $mul, $min and $max compute, on missing fields too', async () => {
    const update = { $inc: { n: -2, fresh: 4 }, $mul: { m: 3, none: 3 }, $min: { low: 1 }, $max: { high: 1 } }
    expect(await after({ n: 5, m: 2, low: 4, high: 4 }, update)).toEqual({ n: 3, fresh: 4, m: 6, none: 0, low: 1, high: 4 })
  })

  it('$rename moves, $currentDate stamps', async () => {
    const result = await after({ old: 1 }, { $rename: { old: 'fresh' }, $currentDate: { at: true } })
    expect(result).toEqual({ fresh: 1, at: expect.any(Date) })
  })

  it('$push takes $each, $position, $sort and $slice', async () => {
    expect(await after({ l: [1] }, { $push: { l: 2, other: 'x' } })).toEqual({ l: [1, 2], other: ['x'] })
    expect(await after({ l: [1, 4] }, { $push: { l: { $each: [2, 3], $position: 1 } } })).toEqual({ l: [1, 2, 3, 4] })
    expect(await after({ l: [5, 1] }, { $push: { l: { $each: [3], $sort: -1, $slice: 2 } } })).toEqual({ l: [5, 3] })
    expect(await after({ l: [{ k: 2 }] }, { $push: { l: { $each: [{ k: 1 }], $sort: { k: 1 } } } })).toEqual({ l: [{ k: 1 }, { k: 2 }] })
    expect(await after({ l: [1, 2, 3] }, { $push: { l: { $each: [4], $slice: -2 } } })).toEqual({ l: [3, 4] })
  })

  it('$addToSet adds what is not there yet', async () => {
    expect(await after({ l: [1, { a: 1 }] }, { $addToSet: { l: { $each: [1, 2, 2, { a: 1 }] } } })).toEqual({ l: [1, { a: 1 }, 2] })
  })

  it('$pull takes values, conditions and document filters, $pullAll a list, $pop an end', async () => {
    expect(await after({ l: [1, 2, 3, 2] }, { $pull: { l: 2 } })).toEqual({ l: [1, 3] })
    expect(await after({ l: [1, 2, 3] }, { $pull: { l: { $gte: 2 } } })).toEqual({ l: [1] })
    expect(
      await after(
        {
          l: [
            { k: 1, v: 1 },
            { k: 1, v: 2 },
          ],
        },
        { $pull: { l: { k: 1, v: { $gt: 1 } } } },
      ),
    ).toEqual({ l: [{ k: 1, v: 1 }] })
    expect(await after({ l: [1, 2, 3] }, { $pullAll: { l: [1, 3] } })).toEqual({ l: [2] })
    expect(await after({ l: [1, 2, 3] }, { $pop: { l: -1 } })).toEqual({ l: [2, 3] })
  })

  it('the positional $ changes the element that matched', async () => {
    const seats = [
      { n: '1A', by: null },
      { n: '1B', by: null },
    ]
    expect(await after({ seats }, { $set: { 'seats.$.by': 'Ann' } }, {}, { 'seats.n': '1B' })).toEqual({
      seats: [
        { n: '1A', by: null },
        { n: '1B', by: 'Ann' },
      ],
    })
    expect(await after({ seats }, { $set: { 'seats.$.by': 'Ann' } }, {}, { seats: { $elemMatch: { n: '1B', by: null } } })).toEqual({
      seats: [
        { n: '1A', by: null },
        { n: '1B', by: 'Ann' },
      ],
    })
  })

  it('$[] changes all elements and arrayFilters some', async () => {
    const l = [{ k: 1 }, { k: 2 }, { k: 3 }]
    expect(await after({ l }, { $inc: { 'l.$[].k': 10 } })).toEqual({ l: [{ k: 11 }, { k: 12 }, { k: 13 }] })
    expect(await after({ l }, { $set: { 'l.$[x].big': true } }, { arrayFilters: [{ 'x.k': { $gte: 2 } }] })).toEqual({
      l: [{ k: 1 }, { k: 2, big: true }, { k: 3, big: true }],
    })
  })

  it('a pipeline computes from the document', async () => {
    expect(await after({ a: 1, l: [1, 2] }, [{ $set: { sum: { $add: ['$a', { $size: '$l' }] } } }, { $unset: 'a' }])).toEqual({
      l: [1, 2],
      sum: 3,
    })
  })

  it('a replacement keeps _id and nothing else', async () => {
    const collection = await bench.collectionOf([{ _id: 1, a: 1, b: 2 }])
    await collection.replaceOne({ _id: 1 }, { c: 3 })
    expect(await collection.findOne()).toEqual({ _id: 1, c: 3 })
  })

  it.each<[string, Record<string, unknown>, object, number, string]>([
    ['$inc on a string is a type mismatch', { s: 'x' }, { $inc: { s: 1 } }, 14, 'TypeMismatch'],
    ['$push to a number is refused', { n: 1 }, { $push: { n: 1 } }, 2, 'BadValue'],
    ['a path through a scalar is not viable', { n: 1 }, { $set: { 'n.x': 1 } }, 28, 'PathNotViable'],
    ['two operators on one path conflict', {}, { $set: { a: 1 }, $inc: { a: 1 } }, 40, 'ConflictingUpdateOperators'],
    ['an unknown operator is refused', {}, { $nonsense: { a: 1 } }, 9, 'FailedToParse'],
    ['_id cannot change', {}, { $set: { _id: 2 } }, 66, 'ImmutableField'],
    ['the positional $ without an array in the filter is refused', { l: [1] }, { $set: { 'l.$': 2 } }, 2, 'BadValue'],
  ])('%s', async (_, before, update, code) => {
    const collection = await bench.collectionOf([{ _id: 1, ...before }])
    expect(await errorOf(collection.updateOne({ _id: 1 }, update as never))).toMatchObject({ code })
    expect(await collection.findOne()).toEqual({ _id: 1, ...before })
  })

  it('findOneAndUpdate names the refusal', async () => {
    const collection = await bench.collectionOf([{ _id: 1, s: 'x' }])
    const error = await errorOf(collection.findOneAndUpdate({ _id: 1 }, { $inc: { s: 1 } } as never))
    expect(error).toMatchObject({ code: 14, codeName: 'TypeMismatch' })
  })

  it('matched and modified are counted apart, over many documents', async () => {
    const collection = await bench.collectionOf([
      { _id: 1, s: 'a' },
      { _id: 2, s: 'b' },
      { _id: 3, s: 'b' },
    ])
    expect(await collection.updateMany({}, { $set: { s: 'b' } })).toMatchObject({ matchedCount: 3, modifiedCount: 1 })
    expect(await collection.deleteMany({ s: 'b' })).toMatchObject({ deletedCount: 3 })
  })
})

describe('upserts', () => {
  it('insert what the filter, $set and $setOnInsert say, once', async () => {
    const collection = await bench.collectionOf([])
    const upsert = () =>
      collection.updateOne(
        { _id: 7, 'at.place': 'LHR', n: { $gte: 1 } },
        { $set: { seen: true }, $setOnInsert: { first: 1 } },
        { upsert: true },
      )
    await collection.updateOne({ _id: 7 }, { $set: { n: 3 } })
    expect(await upsert()).toMatchObject({ matchedCount: 0, upsertedCount: 1, upsertedId: 7 })
    expect(await collection.findOne()).toEqual({ _id: 7, at: { place: 'LHR' }, seen: true, first: 1 })
    await collection.updateOne({ _id: 7 }, { $set: { n: 1, first: 2 } })
    expect(await upsert()).toMatchObject({ matchedCount: 1, upsertedCount: 0 })
    expect((await collection.findOne())!.first).toBe(2)
  })

  it('findOneAndUpdate answers the new document, or the old one', async () => {
    const Counter = bench.connection.model('Counter', new Schema({ name: String, n: Number }))
    const next = () => Counter.findOneAndUpdate({ name: 'x' }, { $inc: { n: 1 } }, { upsert: true, returnDocument: 'after' }).orFail()
    expect((await next()).n).toBe(1)
    expect((await next()).n).toBe(2)
    expect((await Counter.findOneAndUpdate({ name: 'x' }, { $inc: { n: 1 } }).orFail()).n).toBe(2)
    expect((await Counter.findOneAndDelete({ name: 'x' }).orFail()).n).toBe(3)
    expect(await Counter.findOneAndUpdate({ name: 'x' }, { n: 1 })).toBeNull()
  })

  it('a sort and a projection decide which document findOneAndUpdate takes and shows', async () => {
    const collection = await bench.collectionOf([
      { _id: 1, s: 'new', n: 5 },
      { _id: 2, s: 'new', n: 3 },
    ])
    const taken = await collection.findOneAndUpdate(
      { s: 'new' },
      { $set: { s: 'taken' } },
      { sort: { n: 1 }, projection: { n: 1 }, returnDocument: 'after' },
    )
    expect(taken).toEqual({ _id: 2, n: 3 })
  })
})

describe('races', () => {
  it('of twenty claims of one document exactly one wins', async () => {
    const Job = bench.connection.model('Job', new Schema({ state: String, by: Number }))
    for (let round = 0; round < 5; round++) {
      const { _id } = await Job.create({ state: 'free' })
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, by) =>
          Job.findOneAndUpdate({ _id, state: 'free' }, { state: 'taken', by }, { returnDocument: 'after' }),
        ),
      )
      const winners = claims.filter((claim) => claim !== null)
      expect(winners).toHaveLength(1)
      expect((await Job.findById(_id).orFail()).by).toBe(winners[0]!.by)
    }
  })

  it('twenty workers share out twenty documents without a double', async () => {
    const collection = await bench.collectionOf(Array.from({ length: 20 }, (_, n) => ({ _id: n, state: 'free' })))
    const claims = await Promise.all(
      Array.from({ length: 20 }, () => collection.findOneAndUpdate({ state: 'free' }, { $set: { state: 'taken' } })),
    )
    expect(new Set(claims.map((claim) => claim?._id)).size).toBe(20)
  })

  it('compare-and-set by version lets one of many writers through at a time', async () => {
    const collection = await bench.collectionOf([{ _id: 1, version: 0, log: [] }])
    const raise = async (by: number): Promise<void> => {
      for (;;) {
        const { version } = (await collection.findOne({ _id: 1 }))!
        const set = await collection.updateOne({ _id: 1, version }, { $set: { version: Number(version) + 1 }, $push: { log: by } } as never)
        if (set.modifiedCount === 1) return
      }
    }
    await Promise.all(Array.from({ length: 10 }, (_, by) => raise(by)))
    const row = (await collection.findOne())!
    expect(row.version).toBe(10)
    expect((row.log as number[]).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('parallel $inc loses nothing', async () => {
    const collection = await bench.collectionOf([{ _id: 1, n: 0 }])
    await Promise.all(Array.from({ length: 100 }, () => collection.updateOne({ _id: 1 }, { $inc: { n: 1 } } as never)))
    expect((await collection.findOne())!.n).toBe(100)
  })

  it('of many upserts of one unique key one inserts', async () => {
    const collection = await bench.collectionOf([])
    await collection.createIndex({ key: 1 }, { unique: true })
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => collection.updateOne({ key: 'k' } as never, { $inc: { n: 1 } } as never, { upsert: true })),
    )
    const done = results.filter(({ status }) => status === 'fulfilled').length
    expect(await collection.countDocuments()).toBe(1)
    expect((await collection.findOne())!.n).toBe(done)
  })

  it('an outbox travels with the state: pushed in one update, pulled by id', async () => {
    const Booking = bench.connection.model(
      'Booking',
      new Schema({ state: String, version: Number, outbox: [{ eventId: String, name: String, _id: false }] }),
    )
    const { _id } = await Booking.create({ state: 'ordered', version: 1 })
    const changed = await Booking.updateOne(
      { _id, state: 'ordered', version: 1 },
      {
        $set: { state: 'confirmed' },
        $inc: { version: 1 },
        $push: {
          outbox: {
            $each: [
              { eventId: 'e1', name: 'confirmed' },
              { eventId: 'e2', name: 'mailed' },
            ],
          },
        },
      },
    )
    expect(changed.modifiedCount).toBe(1)
    expect(await Booking.countDocuments({ 'outbox.0': { $exists: true } })).toBe(1)
    await Booking.updateOne({ _id }, { $pull: { outbox: { eventId: 'e1' } } })
    await Booking.updateOne({ _id }, { $pull: { outbox: { eventId: { $in: ['e2'] } } } })
    const row = await Booking.findById(_id).lean().orFail()
    expect(row).toMatchObject({ state: 'confirmed', version: 2, outbox: [] })
    expect(await Booking.countDocuments({ outbox: { $ne: [] } })).toBe(0)
  })

  it('optimistic concurrency throws VersionError for the later of two savers', async () => {
    const Page = bench.connection.model('Page', new Schema({ title: String, list: [String] }, { optimisticConcurrency: true }))
    const { _id } = await Page.create({ title: 'a' })
    const [one, other] = [await Page.findById(_id).orFail(), await Page.findById(_id).orFail()]
    one.title = 'b'
    await one.save()
    other.title = 'c'
    expect((await errorOf(other.save())).name).toBe('VersionError')
    expect((await Page.findById(_id).orFail()).title).toBe('b')
  })
})

describe('bulk writes', () => {
  it('bulkWrite mixes operations and counts them', async () => {
    const Item = bench.connection.model('Item', new Schema({ k: Number, n: Number }))
    await Item.insertMany([
      { k: 1, n: 1 },
      { k: 2, n: 1 },
      { k: 3, n: 1 },
    ])
    const result = await Item.bulkWrite([
      { insertOne: { document: { k: 4, n: 1 } } },
      { updateOne: { filter: { k: 1 }, update: { $inc: { n: 1 } } } },
      { updateMany: { filter: { k: { $gt: 1 } }, update: { $set: { n: 9 } } } },
      { updateOne: { filter: { k: 5 }, update: { $set: { n: 5 } }, upsert: true } },
      { replaceOne: { filter: { k: 2 }, replacement: { k: 2, n: 0 } } },
      { deleteOne: { filter: { k: 3 } } },
    ])
    expect(result).toMatchObject({ insertedCount: 1, matchedCount: 5, modifiedCount: 5, upsertedCount: 1, deletedCount: 1 })
    const rows = await Item.find().sort({ k: 1 }).lean()
    expect(rows.map(({ k, n }) => [k, n])).toEqual([
      [1, 2],
      [2, 0],
      [4, 9],
      [5, 5],
    ])
  })

  it('an ordered insert stops at the first failure, an unordered one goes on', async () => {
    const ordered = await bench.collectionOf([])
    const documents = [{ _id: 1 }, { _id: 1 }, { _id: 2 }]
    const error = await errorOf(ordered.insertMany(documents))
    expect(error).toMatchObject({ code: 11000, insertedCount: 1 })
    expect(await ordered.countDocuments()).toBe(1)

    const unordered = await bench.collectionOf([])
    const second = await errorOf(unordered.insertMany([...documents, { _id: 2 }, { _id: 3 }], { ordered: false }))
    const failures = second.writeErrors as { index: number; code: number }[]
    expect(failures.map(({ index, code }) => [index, code])).toEqual([
      [1, 11000],
      [3, 11000],
    ])
    expect(await unordered.countDocuments()).toBe(3)
  })

  it('thousands of documents go in at once', async () => {
    const collection = await bench.collectionOf(Array.from({ length: 3000 }, (_, n) => ({ _id: n })))
    expect(await collection.countDocuments()).toBe(3000)
  })
})
