// Values, models, aggregation and the server itself, driven through mongoose. The same file runs against a real server: set MONGO_URL.
import { randomBytes } from 'node:crypto'
import mongoose, { Schema, Types } from 'mongoose'
import { beforeAll, describe, expect, it } from 'vitest'
import { conformanceBench, errorOf } from './conformance.fixture.ts'

const bench = conformanceBench()

const loose = () => new Schema({}, { strict: false, versionKey: false })

describe('values keep their types', () => {
  it('buffers, ObjectIds, dates, decimals, booleans and nested lists come back as they were', async () => {
    const Typed = bench.connection.model(
      'Typed',
      new Schema({
        bytes: Buffer,
        owner: Schema.Types.ObjectId,
        at: Date,
        price: Schema.Types.Decimal128,
        ok: Boolean,
        matrix: [[Number]],
        any: Schema.Types.Mixed,
      }),
    )
    const owner = new Types.ObjectId()
    const bytes = randomBytes(300)
    const created = await Typed.create({
      bytes,
      owner,
      at: new Date(1234567890123),
      price: '1234567890.123456789',
      ok: false,
      matrix: [[1, 2.5], []],
      any: { k: [null, 'v'] },
    })
    const found = await Typed.findById(created._id).orFail()
    expect(Buffer.compare(found.bytes!, bytes)).toBe(0)
    expect(found.owner!.equals(owner)).toBe(true)
    expect(found.at!.getTime()).toBe(1234567890123)
    expect(found.price!.toString()).toBe('1234567890.123456789')
    expect(found.ok).toBe(false)
    expect(found.toObject().matrix).toEqual([[1, 2.5], []])
    expect(found.any).toEqual({ k: [null, 'v'] })
    expect(await Typed.countDocuments({ bytes })).toBe(1)
  })

  it('64-bit integers beyond 2^53 stay exact, and add exactly', async () => {
    const { Long } = mongoose.mongo
    const collection = await bench.collectionNamed('integers', [{ _id: 1, n: Long.fromString('9007199254740993') }])
    await collection.updateOne({ _id: 1 }, { $inc: { n: Long.fromString('2') } } as never)
    const raw = await collection.findOne({}, { promoteLongs: false })
    expect(String(raw!.n)).toBe('9007199254740995')
    expect(await collection.countDocuments({ n: Long.fromString('9007199254740995') })).toBe(1)
    expect(await collection.countDocuments({ n: { $gt: Long.fromString('9007199254740995') } })).toBe(0)
  })

  it('BigInt fields of a schema travel as 64-bit integers', async () => {
    const Big = bench.connection.model('Big', new Schema({ n: BigInt }))
    const { _id } = await Big.create({ n: 2n ** 60n + 1n })
    expect((await Big.findById(_id).orFail()).n).toBe(2n ** 60n + 1n)
  })

  it('decimals are compared and added as decimals', async () => {
    const decimal = mongoose.mongo.Decimal128.fromString
    const collection = await bench.collectionNamed('decimals', [
      { _id: 1, d: decimal('0.10') },
      { _id: 2, d: decimal('9.5') },
      { _id: 3, d: decimal('10') },
    ])
    await collection.updateOne({ _id: 1 }, { $inc: { d: decimal('0.20') } } as never)
    expect(String((await collection.findOne({ _id: 1 }))!.d)).toBe('0.30')
    const sorted = await collection
      .find({ d: { $gt: 9 } })
      .sort({ d: -1 })
      .toArray()
    expect(sorted.map(({ _id }) => Number(_id))).toEqual([3, 2])
    const [sum] = await collection.aggregate([{ $group: { _id: null, total: { $sum: '$d' } } }]).toArray()
    expect(String(sum!.total)).toBe('19.80')
  })

  it('the numeric type of a stored value survives an update of another field', async () => {
    const { Double, Int32 } = mongoose.mongo
    const collection = await bench.collectionNamed('numerics', [{ _id: 1, double: new Double(5), int: new Int32(5) }])
    await collection.updateOne({ _id: 1 }, { $set: { other: 1 }, $inc: { double: 1 } } as never)
    const raw = await collection.findOne({}, { promoteValues: false })
    expect(raw!.double).toBeInstanceOf(Double)
    expect(raw!.int).toBeInstanceOf(Int32)
    expect(Number(raw!.double)).toBe(6)
  })
})

describe('models', () => {
  it('timestamps, defaults and lean reads work', async () => {
    const Stamped = bench.connection.model(
      'Stamped',
      new Schema({ name: String, level: { type: Number, default: 3 } }, { timestamps: true }),
    )
    const created = await Stamped.create({ name: 'Ann' })
    await Stamped.updateOne({ _id: created._id }, { name: 'Anna' })
    const found = await Stamped.findOne({ name: 'Anna' }).lean().orFail()
    expect(found.level).toBe(3)
    expect(found.createdAt.getTime()).toBe(created.createdAt.getTime())
    expect(found.updatedAt.getTime()).toBeGreaterThanOrEqual(created.updatedAt.getTime())
  })

  it('populate joins by reference, in lists too', async () => {
    const Traveller = bench.connection.model('Traveller', new Schema({ name: String }))
    const Trip = bench.connection.model(
      'Trip',
      new Schema({ lead: { type: Schema.Types.ObjectId, ref: 'Traveller' }, party: [{ type: Schema.Types.ObjectId, ref: 'Traveller' }] }),
    )
    const [ann, bob] = await Traveller.create([{ name: 'Ann' }, { name: 'Bob' }], { ordered: true })
    await Trip.create({ lead: ann!._id, party: [bob!._id, ann!._id] })
    const trip = await Trip.findOne().populate<{ lead: { name: string }; party: { name: string }[] }>(['lead', 'party']).orFail()
    expect(trip.lead.name).toBe('Ann')
    expect(trip.party.map(({ name }) => name)).toEqual(['Bob', 'Ann'])
  })

  it('counting and distinct agree with the documents', async () => {
    const Tag = bench.connection.model('Tag', loose())
    await Tag.insertMany([{ t: ['a', 'b'] }, { t: ['b'] }, { t: 'c' }, {}])
    expect(await Tag.countDocuments({ t: 'b' })).toBe(2)
    expect(await Tag.estimatedDocumentCount()).toBe(4)
    expect((await Tag.distinct('t')).sort()).toEqual(['a', 'b', 'c'])
    expect(await Tag.exists({ t: 'zz' })).toBeNull()
  })
})

describe('aggregation', () => {
  beforeAll(async () => {
    await bench.collectionNamed('sales', [
      {
        _id: 1,
        agency: 'a',
        amount: 100,
        at: new Date('2026-01-05'),
        lines: [
          { sku: 'seat', n: 2 },
          { sku: 'bag', n: 1 },
        ],
      },
      { _id: 2, agency: 'b', amount: 50, at: new Date('2026-01-20'), lines: [{ sku: 'seat', n: 1 }] },
      { _id: 3, agency: 'a', amount: 25, at: new Date('2026-02-01'), lines: [] },
    ])
    await bench.collectionNamed('agencies', [
      { _id: 'a', name: 'Atlas' },
      { _id: 'b', name: 'Aurora' },
    ])
  })
  const run = (pipeline: Record<string, unknown>[]) => bench.connection.collection('sales').aggregate(pipeline).toArray()

  it('$group sums, averages and collects', async () => {
    const rows = await run([
      { $match: { amount: { $gt: 0 } } },
      {
        $group: {
          _id: '$agency',
          n: { $sum: 1 },
          total: { $sum: '$amount' },
          mean: { $avg: '$amount' },
          least: { $min: '$amount' },
          ids: { $push: '$_id' },
        },
      },
      { $sort: { _id: 1 } },
    ])
    expect(rows).toEqual([
      { _id: 'a', n: 2, total: 125, mean: 62.5, least: 25, ids: [1, 3] },
      { _id: 'b', n: 1, total: 50, mean: 50, least: 50, ids: [2] },
    ])
  })

  it('$unwind, $group by a nested field and $project shape rows', async () => {
    const rows = await run([
      { $unwind: '$lines' },
      { $group: { _id: '$lines.sku', n: { $sum: '$lines.n' } } },
      { $sort: { n: -1 } },
      { $project: { _id: 0, sku: '$_id', n: 1, many: { $gte: ['$n', 2] } } },
    ])
    expect(rows).toEqual([
      { n: 3, sku: 'seat', many: true },
      { n: 1, sku: 'bag', many: false },
    ])
  })

  it('$lookup joins by equality and by pipeline', async () => {
    const rows = await run([
      { $sort: { _id: 1 } },
      { $lookup: { from: 'agencies', localField: 'agency', foreignField: '_id', as: 'of' } },
      {
        $lookup: {
          from: 'agencies',
          let: { mine: '$agency' },
          pipeline: [{ $match: { $expr: { $ne: ['$_id', '$$mine'] } } }, { $project: { name: 1, _id: 0 } }],
          as: 'others',
        },
      },
      { $project: { name: { $arrayElemAt: ['$of.name', 0] }, others: 1 } },
    ])
    expect(rows[0]).toEqual({ _id: 1, name: 'Atlas', others: [{ name: 'Aurora' }] })
    expect(rows.map(({ name }) => name)).toEqual(['Atlas', 'Aurora', 'Atlas'])
  })

  it('$facet answers several questions at once, $count on nothing answers nothing', async () => {
    const [row] = await run([
      {
        $facet: {
          page: [{ $sort: { amount: -1 } }, { $limit: 1 }, { $project: { amount: 1 } }],
          total: [{ $count: 'n' }],
          none: [{ $match: { agency: 'z' } }, { $count: 'n' }],
        },
      },
    ])
    expect(row).toEqual({ page: [{ _id: 1, amount: 100 }], total: [{ n: 3 }], none: [] })
  })

  it('dates group by month', async () => {
    const rows = await run([
      { $group: { _id: { $dateToString: { date: '$at', format: '%Y-%m' } }, n: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ])
    expect(rows).toEqual([
      { _id: '2026-01', n: 2 },
      { _id: '2026-02', n: 1 },
    ])
  })

  it('an unknown stage is refused', async () => {
    expect(await errorOf(run([{ $nonsense: {} }]))).toMatchObject({ code: 40324 })
  })
})

describe('the server', () => {
  it('an unknown command is refused with CommandNotFound', async () => {
    expect(await errorOf(bench.connection.db!.command({ nonsense: 1 }))).toMatchObject({ code: 59, codeName: 'CommandNotFound' })
  })

  it('databases are apart from each other', async () => {
    const name = `${bench.connection.name}_other`
    const other = bench.connection.useDb(name)
    await bench.collectionNamed('shared', [{ _id: 1, here: true }])
    await other.collection('shared').insertOne({ _id: 1 as never, here: false })
    expect((await bench.connection.collection('shared').findOne())!.here).toBe(true)
    expect((await other.collection('shared').findOne())!.here).toBe(false)
    const { databases } = await bench.connection.db!.admin().listDatabases({ nameOnly: true })
    expect(databases.map((one) => one.name)).toEqual(expect.arrayContaining([bench.connection.name, name]))
    await other.dropDatabase()
    expect(await other.collection('shared').countDocuments()).toBe(0)
  })

  it('forty connections at once are served, each with its own answers', async () => {
    const client = new mongoose.mongo.MongoClient(bench.url, { minPoolSize: 40, maxPoolSize: 40 })
    await client.connect()
    const numbers = client.db(bench.connection.name).collection<{ _id: number }>('numbers')
    await Promise.all(Array.from({ length: 400 }, (_, n) => numbers.insertOne({ _id: n })))
    const found = await Promise.all(Array.from({ length: 400 }, (_, n) => numbers.findOne({ _id: n })))
    expect(found.map((row) => row?._id)).toEqual(Array.from({ length: 400 }, (_, n) => n))
    await client.close()
  })

  it('an indexed equality looks at the matching document only', async () => {
    const collection = await bench.collectionNamed(
      'planned',
      Array.from({ length: 300 }, (_, n) => ({ _id: n, email: `${n}@example.com`, n })),
    )
    await collection.createIndex({ email: 1 })
    const examined = async (filter: Record<string, unknown>) =>
      (await collection.find(filter).explain('executionStats')).executionStats.totalDocsExamined as number
    expect(await examined({ email: '7@example.com' })).toBe(1)
    expect(await examined({ _id: 7 })).toBe(1)
    expect(await examined({ n: 7 })).toBe(300)
  })
})
