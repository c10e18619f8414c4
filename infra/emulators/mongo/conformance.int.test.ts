/** What the product needs of MongoDB, through the unmodified driver. Runs on the emulator, or on a real server when MONGO_URL is set. */
import { randomBytes } from 'node:crypto'
import mongoose, { type Connection, Schema, Types } from 'mongoose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MongoEmulator, startMongoEmulator } from './server.ts'

type Row = Record<string, unknown> & { _id: string | number }

let emulator: MongoEmulator | undefined
let connection: Connection
let collections = 0

beforeAll(async () => {
  if (!process.env.MONGO_URL) emulator = await startMongoEmulator()
  const url = process.env.MONGO_URL ?? emulator!.url
  console.log(`MongoDB conformance on ${emulator ? 'the emulator' : 'the real server'} ${url}`)
  const dbName = `conformance_${randomBytes(6).toString('hex')}`
  connection = await mongoose.createConnection(url, { dbName, serverSelectionTimeoutMS: 5000 }).asPromise()
})
afterAll(async () => {
  await connection.dropDatabase()
  await connection.close()
  await emulator?.stop()
})

/** A fresh collection holding these documents. */
async function collectionOf(documents: Row[]) {
  const collection = connection.collection<Row>(`rows${++collections}`)
  if (documents.length > 0) await collection.insertMany(documents)
  return collection
}

describe('filters', () => {
  const day = (n: number) => new Date(Date.UTC(2026, 0, n))
  const id = (n: number) => new Types.ObjectId(`65a0000000000000000000${String(n).padStart(2, '0')}`)
  const rows = [
    { _id: 1, from: 'LHR', to: 'JFK', price: 300, at: day(1), agent: id(1), stops: [], seats: [{ row: 1 }], fare: { cabin: 'eco' } },
    { _id: 2, from: 'LHR', to: 'CDG', price: 80.5, at: day(2), agent: id(2), stops: ['AMS'], seats: [{ row: 1 }, { row: 2 }] },
    { _id: 3, from: 'MAD', to: 'JFK', price: 420, at: day(3), agent: id(1), stops: ['LIS', 'BOS'], seats: [{ row: 2 }], fare: null },
    { _id: 4, from: 'mad', to: null, price: '420', at: null, stops: 'AMS', note: 'a.b' },
    { _id: 5 },
  ]
  let ids: (filter: object) => Promise<unknown[]>
  beforeAll(async () => {
    const collection = await collectionOf(rows)
    ids = async (filter) => (await collection.find(filter).sort({ _id: 1 }).toArray()).map(({ _id }) => _id)
  })

  it.each<[string, object, number[]]>([
    ['equality finds strings by case and numbers by value', { from: 'LHR', price: 300 }, [1]],
    ['$eq is equality', { from: { $eq: 'LHR' }, price: { $eq: 300.0 } }, [1]],
    ['a regular expression with its flag finds both cases', { from: /^mad$/i }, [3, 4]],
    ['$regex with $options is the same', { from: { $regex: '^MAD', $options: 'i' } }, [3, 4]],
    ['$in takes values and regular expressions', { to: { $in: ['CDG', /^J/] } }, [1, 2, 3]],
    ['$in with null finds missing fields', { to: { $in: ['CDG', null] } }, [2, 4, 5]],
    ['$in finds ObjectIds and dates by value', { agent: { $in: [id(1)] }, at: { $in: [day(3)] } }, [3]],
    ['$nin excludes also elements of lists', { stops: { $nin: ['AMS', 'BOS'] } }, [1, 5]],
    ['a range compares numbers with numbers only', { price: { $gte: 80.5, $lt: 420 } }, [1, 2]],
    ['a range over strings leaves out what is no string', { price: { $gt: '' } }, [4]],
    ['dates are compared as instants, and neither null nor nothing is a date', { at: { $lte: day(2) } }, [1, 2]],
    ['both ends of a range of dates count', { at: { $gt: day(1), $lte: day(3) } }, [2, 3]],
    ['ObjectIds are equal by value', { agent: id(1) }, [1, 3]],
    ['ObjectIds have an order', { agent: { $gt: id(1) } }, [2]],
    ['null matches null and missing fields', { to: null }, [4, 5]],
    ['$ne null needs a value', { to: { $ne: null } }, [1, 2, 3]],
    ['$ne also finds missing fields', { from: { $ne: 'LHR' } }, [3, 4, 5]],
    ['$exists distinguishes null from missing', { to: { $exists: true } }, [1, 2, 3, 4]],
    ['$exists false finds missing fields', { to: { $exists: false } }, [5]],
    ['a scalar matches inside an array', { stops: 'AMS' }, [2, 4]],
    ['an array matches as a whole', { stops: ['LIS', 'BOS'] }, [3]],
    ['an empty array is a value', { stops: [] }, [1]],
    ['dotted paths pass through arrays', { 'seats.row': 2 }, [2, 3]],
    ['numeric parts of a path are positions', { 'stops.1': 'BOS' }, [3]],
    ['a position that is not there does not exist', { 'stops.0': { $exists: false } }, [1, 4, 5]],
    ['a missing nested path matches null', { 'fare.cabin': null }, [2, 3, 4, 5]],
    ['a nested document is equal as a whole', { fare: { cabin: 'eco' } }, [1]],
    ['$type distinguishes a string from a number', { price: { $type: 'string' } }, [4]],
    ['$or and $and nest', { $or: [{ from: 'MAD' }, { $and: [{ from: 'LHR' }, { to: 'CDG' }] }] }, [2, 3]],
    ['an empty filter finds all', {}, [1, 2, 3, 4, 5]],
  ])('%s', async (_, filter, expected) => {
    expect(await ids(filter)).toEqual(expected)
  })

  it.each([{ a: { $in: 'x' } }, { $or: [] }, { a: { $regex: '(' } }, { a: { $above: 1 } }])('%o is refused', async (filter) => {
    await expect(ids(filter)).rejects.toThrow(mongoose.mongo.MongoServerError)
  })
})

describe('results', () => {
  const first = async (projection: object) => {
    const collection = await collectionOf([{ _id: 1, a: 2, list: [5], docs: [{ k: 1, v: 'x' }, { k: 2 }], deep: { b: 1, c: 2 } }])
    return collection.findOne({}, { projection })
  }

  it.each([
    [{ a: 1 }, { _id: 1, a: 2 }],
    [{ a: true, _id: 0 }, { a: 2 }],
    [
      { list: 0, docs: 0, deep: 0 },
      { _id: 1, a: 2 },
    ],
    [{ 'docs.v': 1 }, { _id: 1, docs: [{ v: 'x' }, {}] }],
    [
      { 'deep.b': 0, list: 0, docs: 0 },
      { _id: 1, a: 2, deep: { c: 2 } },
    ],
  ])('a projection %o shows %o', async (projection, expected) => {
    expect(await first(projection)).toEqual(expected)
  })

  it('a projection that includes and excludes is refused', async () => {
    await expect(first({ a: 1, list: 0 })).rejects.toThrow(mongoose.mongo.MongoServerError)
  })

  it('a sort has nothing before everything, goes on by the next field, and skip and limit cut it', async () => {
    const collection = await collectionOf([{ _id: 1, at: new Date(2) }, { _id: 2, at: new Date(1) }, { _id: 3 }, { _id: 4, at: null }])
    const order = async (sort: Record<string, 1 | -1>, skip = 0, limit = 0) =>
      (await collection.find().sort(sort).skip(skip).limit(limit).toArray()).map(({ _id }) => _id)
    expect(await order({ at: 1, _id: -1 })).toEqual([4, 3, 2, 1])
    expect(await order({ at: -1, _id: 1 })).toEqual([1, 2, 3, 4])
    expect(await order({ at: -1, _id: 1 }, 1, 2)).toEqual([2, 3])
  })

  it('longer than a first batch arrive complete and in order, and a closed cursor is gone', async () => {
    const collection = await collectionOf(Array.from({ length: 350 }, (_, n) => ({ _id: n })))
    const all = await collection.find().sort({ _id: 1 }).toArray()
    expect(all.map(({ _id }) => _id)).toEqual(Array.from({ length: 350 }, (_, n) => n))
    const cursor = collection.find().batchSize(10)
    await cursor.next()
    expect(cursor.bufferedCount()).toBe(9)
    const { id } = cursor
    await cursor.close()
    const more = connection.db!.command({ getMore: id, collection: collection.collectionName })
    await expect(more).rejects.toMatchObject({ code: 43, codeName: 'CursorNotFound' })
  })

  it('larger than one batch of 16 MB arrive complete', async () => {
    const body = 'x'.repeat(1024 * 1024)
    const collection = await collectionOf([])
    for (let n = 0; n < 20; n += 10) await collection.insertMany(Array.from({ length: 10 }, (_, i) => ({ _id: n + i, body })))
    const found = await collection.find().sort({ _id: 1 }).toArray()
    expect(found.map(({ _id }) => _id)).toEqual(Array.from({ length: 20 }, (_, n) => n))
    expect(found.every((row) => row.body === body)).toBe(true)
  })

  it('are counted by filter', async () => {
    const collection = await collectionOf([{ _id: 1, k: 'a' }, { _id: 2, k: 'a' }, { _id: 3 }])
    for (const [filter, count] of [
      [{ k: 'a' }, 2],
      [{}, 3],
      [{ k: 'z' }, 0],
    ] as const)
      expect(await collection.countDocuments(filter)).toBe(count)
  })
})

describe('values', () => {
  it('come back as they were, also after an update of another field', async () => {
    const { Binary, Decimal128, Long } = mongoose.mongo
    const values = {
      bytes: new Binary(randomBytes(300)),
      owner: new Types.ObjectId(),
      at: new Date(1234567890123),
      price: Decimal128.fromString('1234567890.123456789'),
      big: Long.fromString('9007199254740993'),
      large: 4_294_967_296,
      real: 2.5,
      no: false,
      nothing: null,
      lists: [[1, 2.5], []],
      text: 'größe ✈',
    }
    const collection = await collectionOf([{ _id: 1, ...values }])
    const read = async () => (await collection.findOne({ _id: 1 }, { promoteLongs: false, promoteBuffers: false }))!
    const before = await read()
    expect(String(before.big)).toBe('9007199254740993')
    expect(before).toMatchObject({ bytes: values.bytes, owner: values.owner, at: values.at, price: values.price, lists: values.lists })
    await collection.updateOne({ _id: 1 }, { $set: { other: 1 } })
    expect(await read()).toEqual({ ...before, other: 1 })
  })

  it('_id is made when it is missing, and may be a string, a number, an ObjectId or a document', async () => {
    const collection = connection.collection<{ _id: unknown }>('ids')
    const id = new Types.ObjectId()
    await collection.insertMany([{ _id: id }, { _id: { a: 1 } }, { _id: 'x' }, { _id: 7 }, {}] as never)
    for (const again of [new Types.ObjectId(id.toHexString()), { a: 1 }, 'x', 7])
      await expect(collection.insertOne({ _id: again } as never)).rejects.toMatchObject({ code: 11000, keyPattern: { _id: 1 } })
    expect(await collection.countDocuments({ _id: { $in: [id, 'x', 7, 'y'] } as never })).toBe(3)
    expect(await collection.countDocuments()).toBe(5)
  })

  it('a document beyond 16 MB is refused', async () => {
    const collection = await collectionOf([{ _id: 1, body: 'x'.repeat(1024 * 1024) }])
    const grown = collection.updateOne({ _id: 1 }, { $set: { more: 'y'.repeat(15 * 1024 * 1024) } })
    await expect(grown).rejects.toThrow(mongoose.mongo.MongoError)
    expect(await collection.countDocuments({ more: { $exists: true } })).toBe(0)
  })
})

describe('updates', () => {
  it.each<[string, object, object, object]>([
    ['$set makes the documents on the way', { a: { b: 1 } }, { $set: { 'a.c.d': 2, x: [1] } }, { a: { b: 1, c: { d: 2 } }, x: [1] }],
    ['$set reaches a position of a list', { l: [{ k: 1 }] }, { $set: { 'l.0.k': 2 } }, { l: [{ k: 2 }] }],
    ['$unset removes', { a: { b: 1, c: 2 }, n: 1, gone: 1 }, { $unset: { gone: 1, never: 1, 'a.b': 1, 'n.x': 1 } }, { a: { c: 2 }, n: 1 }],
    ['$inc adds, to a missing field too', { n: 5 }, { $inc: { n: -2, fresh: 4, 'deep.n': 0.5 } }, { n: 3, fresh: 4, deep: { n: 0.5 } }],
    [
      '$min and $max keep the smaller and the larger',
      { low: 4, high: 4, same: 1 },
      { $min: { low: 1, same: 2, a: 1 }, $max: { high: 9, b: 1 } },
      { low: 1, high: 9, same: 1, a: 1, b: 1 },
    ],
    [
      '$push appends one or several, and makes the list',
      { l: [1] },
      { $push: { l: { $each: [2, 3] }, other: 'x' } },
      { l: [1, 2, 3], other: ['x'] },
    ],
    [
      '$addToSet adds what is not there yet',
      { l: [1, { a: 1 }] },
      { $addToSet: { l: { $each: [1, 2, 2, { a: 1 }] }, other: 'x' } },
      { l: [1, { a: 1 }, 2], other: ['x'] },
    ],
    ['$pull takes a value', { l: [1, 2, 3, 2] }, { $pull: { l: 2, none: 1 } }, { l: [1, 3] }],
    ['$pull takes a condition', { l: [1, 2, 3] }, { $pull: { l: { $gte: 2 } } }, { l: [1] }],
    [
      '$pull takes a filter of documents',
      { l: [{ id: 'a', v: 1 }, { id: 'b' }, { id: 'c' }] },
      { $pull: { l: { id: { $in: ['a', 'c'] } } } },
      { l: [{ id: 'b' }] },
    ],
    [
      '$[] changes every element',
      { l: [{ k: 1, m: 'x' }, { k: 2 }] },
      { $set: { 'l.$[].m': '', 'l.$[].o': '' }, $inc: { 'l.$[].k': 10 } },
      { l: [11, 12].map((k) => ({ k, m: '', o: '' })) },
    ],
    ['$setOnInsert leaves a document alone that is there', { a: 1 }, { $setOnInsert: { b: 1 }, $set: { c: 1 } }, { a: 1, c: 1 }],
  ])('%s', async (_, before, update, expected) => {
    const collection = await collectionOf([{ _id: 1, ...before }])
    await collection.updateOne({ _id: 1 }, update)
    expect(await collection.findOne()).toEqual({ _id: 1, ...expected })
  })

  it.each<[string, object, object, number]>([
    ['$inc of a string', { s: 'x' }, { $inc: { s: 1 } }, 14],
    ['$inc of null', { s: null }, { $inc: { s: 1 } }, 14],
    ['$inc by a string', { n: 1 }, { $inc: { n: 'x' } }, 14],
    ['$push to a number', { n: 1 }, { $push: { n: 1 } }, 2],
    ['$addToSet to null', { n: null }, { $addToSet: { n: 1 } }, 2],
    ['$pull from a string', { n: 'x' }, { $pull: { n: 1 } }, 2],
    ['$[] of what is no list', { n: 1 }, { $set: { 'n.$[].x': 1 } }, 2],
    ['$[] of what is not there', {}, { $set: { 'n.$[].x': 1 } }, 2],
    ['a path through a number', { n: 1 }, { $set: { 'n.x': 1 } }, 28],
    ['a path through null', { n: null }, { $set: { 'n.x': 1 } }, 28],
    ['a name in a list', { l: [{ k: 1 }] }, { $set: { 'l.k': 2 } }, 28],
    ['two operators on one path', {}, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
    ['two operators on a path and a part of it', {}, { $set: { 'a.b': 1 }, $setOnInsert: { a: 1 } }, 40],
    ['an unknown operator', {}, { $nonsense: { a: 1 } }, 9],
  ])('%s is refused and changes nothing', async (_, before, update, code) => {
    const collection = await collectionOf([{ _id: 1, ...before }])
    await expect(collection.updateOne({ _id: 1 }, update)).rejects.toMatchObject({ code })
    expect(await collection.findOne()).toEqual({ _id: 1, ...before })
  })

  it('matched and modified are counted apart, over many documents, and deletes take one or all', async () => {
    const collection = await collectionOf([1, 2, 3].map((n) => ({ _id: n, s: n === 1 ? 'a' : 'b' })))
    expect(await collection.updateMany({}, { $set: { s: 'b' } })).toMatchObject({ matchedCount: 3, modifiedCount: 1 })
    expect(await collection.deleteOne({ s: 'b' })).toMatchObject({ deletedCount: 1 })
    expect(await collection.deleteMany({ s: 'b' })).toMatchObject({ deletedCount: 2 })
    expect(await collection.updateOne({ s: 'b' }, { $set: { s: 'c' } })).toMatchObject({ matchedCount: 0 })
  })

  it('an upsert inserts what the filter, $set and $setOnInsert say, once', async () => {
    const collection = await collectionOf([])
    const upsert = () =>
      collection.updateOne(
        { _id: 7, 'at.place': 'LHR', n: { $gte: 1 } },
        { $set: { seen: true }, $setOnInsert: { first: 1 } },
        { upsert: true },
      )
    expect(await upsert()).toMatchObject({ matchedCount: 0, upsertedCount: 1, upsertedId: 7 })
    expect(await collection.findOne()).toEqual({ _id: 7, at: { place: 'LHR' }, seen: true, first: 1 })
    await collection.updateOne({ _id: 7 }, { $set: { n: 1, first: 2 } })
    expect(await upsert()).toMatchObject({ matchedCount: 1, upsertedCount: 0 })
    expect((await collection.findOne())!.first).toBe(2)
  })

  it('findOneAndUpdate answers the new document or the old one, findOneAndDelete the last', async () => {
    const Counter = connection.model('Counter', new Schema({ name: String, n: Number }))
    const next = () => Counter.findOneAndUpdate({ name: 'x' }, { $inc: { n: 1 } }, { upsert: true, returnDocument: 'after' }).orFail()
    expect([(await next()).n, (await next()).n]).toEqual([1, 2])
    expect((await Counter.findOneAndUpdate({ name: 'x' }, { $inc: { n: 1 } }).orFail()).n).toBe(2)
    expect((await Counter.findOneAndDelete({ name: 'x' }).orFail()).n).toBe(3)
    expect(await Counter.findOneAndUpdate({ name: 'x' }, { n: 1 })).toBeNull()
    expect(await Counter.findOneAndUpdate({ name: 'x' }, { n: 1 }, { upsert: true, returnDocument: 'before' })).toBeNull()
  })

  it('a sort and a projection decide which document findOneAndUpdate takes and shows', async () => {
    const collection = await collectionOf([
      { _id: 1, s: 'new', n: 5 },
      { _id: 2, s: 'new', n: 3 },
    ])
    const options = { sort: { n: 1 }, projection: { n: 1 }, returnDocument: 'after' } as const
    expect(await collection.findOneAndUpdate({ s: 'new' }, { $set: { s: 'taken' } }, options)).toEqual({ _id: 2, n: 3 })
  })
})

describe('races', () => {
  it('twenty workers share out twenty documents without a double', async () => {
    const collection = await collectionOf(Array.from({ length: 20 }, (_, n) => ({ _id: n, state: 'free' })))
    const claim = () => collection.findOneAndUpdate({ state: 'free' }, { $set: { state: 'taken' } }, { sort: { _id: 1 } })
    const claims = await Promise.all(Array.from({ length: 20 }, claim))
    expect(new Set(claims.map((one) => one?._id)).size).toBe(20)
  })

  it('of many upserts of one unique key one inserts, and no increment is lost', async () => {
    const collection = await collectionOf([])
    await collection.createIndex({ key: 1 }, { unique: true })
    const upsert = () => collection.updateOne({ key: 'k' }, { $inc: { n: 1 } } as never, { upsert: true })
    const results = await Promise.allSettled(Array.from({ length: 20 }, upsert))
    expect(await collection.countDocuments()).toBe(1)
    expect((await collection.findOne())!.n).toBe(results.filter(({ status }) => status === 'fulfilled').length)
  })
})

describe('bulk writes', () => {
  it('several updates of one command are counted together, in order', async () => {
    const collection = await collectionOf([1, 2, 3].map((k) => ({ _id: k, n: 1 })))
    const result = await collection.bulkWrite([
      { updateOne: { filter: { _id: 1 }, update: { $inc: { n: 1 } } } as never },
      { updateOne: { filter: { _id: 1, n: 2 }, update: { $set: { seen: true } } } },
      { updateMany: { filter: { _id: { $gt: 1 } }, update: { $set: { n: 9 } } } },
      { updateOne: { filter: { _id: 5 }, update: { $set: { n: 5 } }, upsert: true } },
    ])
    expect(result).toMatchObject({ matchedCount: 4, modifiedCount: 4, upsertedCount: 1, upsertedIds: { 3: 5 } })
    const rows = await collection.find().sort({ _id: 1 }).toArray()
    expect(rows.map(({ n }) => n)).toEqual([2, 9, 9, 5])
    expect(rows[0]!.seen).toBe(true)
  })

  it('an ordered insert stops at the first failure, an unordered one goes on', async () => {
    const documents = [{ _id: 1 }, { _id: 1 }, { _id: 2 }]
    const ordered = await collectionOf([])
    await expect(ordered.insertMany(documents)).rejects.toMatchObject({ code: 11000, insertedCount: 1 })
    expect(await ordered.countDocuments()).toBe(1)
    const unordered = await collectionOf([])
    const failures = [1, 3].map((index) => expect.objectContaining({ index, code: 11000 }))
    const going = unordered.insertMany([...documents, { _id: 2 }, { _id: 3 }], { ordered: false })
    await expect(going).rejects.toMatchObject({ writeErrors: failures })
    expect(await unordered.countDocuments()).toBe(3)
  })
})

describe('unique indexes', () => {
  it('a duplicate is refused with 11000, keyPattern, keyValue and message', async () => {
    const Account = connection.model('Account', new Schema({ email: { type: String, unique: true } }))
    await Account.init()
    await Account.create({ email: 'ann@example.com' })
    await expect(Account.create({ email: 'ann@example.com' })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { email: 1 },
      keyValue: { email: 'ann@example.com' },
      message: expect.stringContaining(
        `E11000 duplicate key error collection: ${connection.name}.accounts index: email_1 dup key: { email: "ann@example.com" }`,
      ),
    })
    const upsert = Account.findOneAndUpdate({ email: 'bob@example.com' }, { $set: { email: 'ann@example.com' } }, { upsert: true })
    await expect(upsert).rejects.toMatchObject({ code: 11000, codeName: 'DuplicateKey', keyValue: { email: 'ann@example.com' } })
    expect(await Account.countDocuments()).toBe(1)
  })

  it('a compound index minds all its fields', async () => {
    const collection = await collectionOf([])
    await collection.createIndex({ brand: 1, slug: -1 }, { unique: true })
    await collection.insertMany([
      { _id: 1, brand: 'a', slug: 'x' },
      { _id: 2, brand: 'b', slug: 'x' },
      { _id: 3, brand: 'a', slug: 'y' },
    ])
    const errorResponse = { keyPattern: { brand: 1, slug: -1 }, keyValue: { brand: 'a', slug: 'x' } }
    await expect(collection.updateOne({ _id: 2 }, { $set: { brand: 'a' } })).rejects.toMatchObject({ code: 11000, errorResponse })
    expect((await collection.findOne({ _id: 2 }))!.brand).toBe('b')
  })

  it('nothing is there only once, and every element of a list is a key', async () => {
    const collection = await collectionOf([{ _id: 1 }, { _id: 2, keys: ['a', 'b'] }])
    await collection.createIndex({ keys: 1 }, { unique: true })
    await expect(collection.insertOne({ _id: 3, keys: null })).rejects.toMatchObject({ code: 11000, keyValue: { keys: null } })
    await expect(collection.insertOne({ _id: 3, keys: ['c', 'b'] })).rejects.toMatchObject({ code: 11000, keyValue: { keys: 'b' } })
    expect(await collection.updateOne({ _id: 2 }, { $set: { keys: ['b', 'a', 'b'] } })).toMatchObject({ modifiedCount: 1 })
  })

  it('a partial index minds only the documents that it covers, as they come and go', async () => {
    const collection = await collectionOf([])
    await collection.createIndex({ seat: 1 }, { unique: true, partialFilterExpression: { state: 'held' } })
    await collection.insertMany([
      { _id: 1, seat: '1A', state: 'held' },
      { _id: 2, seat: '1A', state: 'free' },
    ])
    await expect(collection.updateOne({ _id: 2 }, { $set: { state: 'held' } })).rejects.toMatchObject({ code: 11000 })
    await collection.updateOne({ _id: 1 }, { $set: { state: 'free' } })
    expect(await collection.updateOne({ _id: 2 }, { $set: { state: 'held' } })).toMatchObject({ modifiedCount: 1 })
    expect(await collection.countDocuments({ seat: '1A' })).toBe(2)
  })

  it('an index over duplicates is not made', async () => {
    const collection = await collectionOf([
      { _id: 1, k: 1 },
      { _id: 2, k: 1 },
    ])
    await expect(collection.createIndex({ k: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000, codeName: 'DuplicateKey' })
    expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_'])
  })
})

describe('collections and indexes', () => {
  it('indexes of a schema are made and listed, and making them again changes nothing', async () => {
    const schema = new Schema({ a: { type: Number, index: true }, b: String, at: Date })
    schema.index({ b: 1, a: -1 }, { unique: true, partialFilterExpression: { b: { $type: 'string' } } })
    schema.index({ at: 1 }, { expireAfterSeconds: 3600 })
    const Indexed = connection.model('Indexed', schema)
    for (let time = 0; time < 2; time++) {
      await Indexed.createIndexes()
      expect(await Indexed.listIndexes()).toMatchObject([
        { name: '_id_' },
        { name: 'a_1', key: { a: 1 } },
        { name: 'b_1_a_-1', key: { b: 1, a: -1 }, unique: true, partialFilterExpression: { b: { $type: 'string' } } },
        { name: 'at_1', expireAfterSeconds: 3600 },
      ])
    }
  })

  it('an index that contradicts another is refused', async () => {
    const collection = await collectionOf([{ _id: 1 }])
    await collection.createIndex({ a: 1 })
    await expect(collection.createIndex({ a: 1 }, { name: 'other' })).rejects.toMatchObject({ code: 85 })
    await expect(collection.createIndex({ b: 1 }, { name: 'a_1' })).rejects.toMatchObject({ code: 86 })
    expect(await collection.indexes()).toHaveLength(2)
  })

  it('collections are made, listed and dropped, alone and with their database', async () => {
    const other = connection.useDb(`${connection.name}_dropped`)
    const names = async () => (await other.db!.listCollections().toArray()).map(({ name }) => name).sort()
    await other.createCollection('made')
    await other.collection('filled').insertOne({ n: 1 })
    expect(await names()).toEqual(['filled', 'made'])
    expect(await other.db!.listCollections({ name: 'made' }, { nameOnly: true }).toArray()).toMatchObject([{ name: 'made' }])
    await expect(other.db!.command({ create: 'made' })).rejects.toMatchObject({ code: 48, codeName: 'NamespaceExists' })
    await other.dropCollection('made')
    await expect(other.db!.collection('made').indexes()).rejects.toMatchObject({ code: 26, codeName: 'NamespaceNotFound' })
    await other.dropDatabase()
    expect(await names()).toEqual([])
  })

  it('a TTL index takes away what is over', async () => {
    const collection = await collectionOf([
      { _id: 1, at: new Date(Date.now() - 1000) },
      { _id: 2, at: new Date(Date.now() + 3_600_000) },
      { _id: 3 },
    ])
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 0 })
    // The real server looks once a minute, which is not worth waiting for here.
    if (!emulator) return
    await expect.poll(() => collection.countDocuments({ _id: 1 }), { timeout: 10_000 }).toBe(0)
    expect(await collection.countDocuments()).toBe(2)
  })
})
