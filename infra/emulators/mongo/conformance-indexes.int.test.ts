// Indexes and collections, driven through mongoose. The same file runs against a real server: set MONGO_URL.
import { setTimeout as pause } from 'node:timers/promises'
import mongoose, { Schema, Types } from 'mongoose'
import { describe, expect, it } from 'vitest'
import { conformanceBench, errorOf } from './conformance.fixture.ts'

const bench = conformanceBench()

describe('unique indexes', () => {
  it('a duplicate is refused with 11000, keyPattern, keyValue and message', async () => {
    const Account = bench.connection.model('Account', new Schema({ email: { type: String, unique: true } }))
    await Account.init()
    await Account.create({ email: 'ann@example.com' })
    const error = await errorOf(Account.create({ email: 'ann@example.com' }))
    expect(error).toMatchObject({ code: 11000, keyPattern: { email: 1 }, keyValue: { email: 'ann@example.com' } })
    expect(error.message).toContain(
      `E11000 duplicate key error collection: ${bench.connection.name}.accounts index: email_1 dup key: { email: "ann@example.com" }`,
    )
    const viaUpdate = await errorOf(
      Account.findOneAndUpdate({ email: 'bob@example.com' }, { $set: { email: 'ann@example.com' } }, { upsert: true }),
    )
    expect(viaUpdate).toMatchObject({ code: 11000, codeName: 'DuplicateKey', keyValue: { email: 'ann@example.com' } })
    expect(await Account.countDocuments()).toBe(1)
  })

  it('a compound index minds all its fields', async () => {
    const collection = await bench.collectionOf([])
    await collection.createIndex({ brand: 1, slug: -1 }, { unique: true })
    await collection.insertMany([
      { _id: 1, brand: 'a', slug: 'x' },
      { _id: 2, brand: 'b', slug: 'x' },
    ])
    const error = await errorOf(collection.updateOne({ _id: 2 }, { $set: { brand: 'a' } }))
    expect(error).toMatchObject({ code: 11000, errorResponse: { keyPattern: { brand: 1, slug: -1 }, keyValue: { brand: 'a', slug: 'x' } } })
    expect((await collection.findOne({ _id: 2 }))!.brand).toBe('b')
  })

  it('a sparse index lets the field be missing, a plain one only once', async () => {
    const sparse = await bench.collectionOf([])
    await sparse.createIndex({ ref: 1 }, { unique: true, sparse: true })
    await sparse.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3, ref: 'a' }])
    expect(await errorOf(sparse.insertOne({ _id: 4, ref: 'a' }))).toMatchObject({ code: 11000 })
    const plain = await bench.collectionOf([{ _id: 1 }])
    await plain.createIndex({ ref: 1 }, { unique: true })
    expect(await errorOf(plain.insertOne({ _id: 2 }))).toMatchObject({ code: 11000, keyValue: { ref: null } })
  })

  it('a partial index minds only the documents it covers, as they come and go', async () => {
    const collection = await bench.collectionOf([])
    await collection.createIndex({ seat: 1 }, { unique: true, partialFilterExpression: { state: 'held' } })
    await collection.insertMany([
      { _id: 1, seat: '1A', state: 'held' },
      { _id: 2, seat: '1A', state: 'free' },
    ])
    expect(await errorOf(collection.updateOne({ _id: 2 }, { $set: { state: 'held' } }))).toMatchObject({ code: 11000 })
    await collection.updateOne({ _id: 1 }, { $set: { state: 'free' } })
    expect(await collection.updateOne({ _id: 2 }, { $set: { state: 'held' } })).toMatchObject({ modifiedCount: 1 })
    expect(await collection.countDocuments({ seat: '1A' })).toBe(2)
  })

  it('elements of an array are keys, and numbers are equal across their types', async () => {
    const collection = await bench.collectionOf([{ _id: 1, keys: ['a', 'b'], n: 1 }])
    await collection.createIndex({ keys: 1 }, { unique: true })
    await collection.createIndex({ n: 1 }, { unique: true })
    expect(await errorOf(collection.insertOne({ _id: 2, keys: ['c', 'b'], n: 2 }))).toMatchObject({ code: 11000, keyValue: { keys: 'b' } })
    expect(await errorOf(collection.insertOne({ _id: 3, keys: [], n: mongoose.mongo.Decimal128.fromString('1.0') }))).toMatchObject({
      code: 11000,
    })
  })

  it('_id is unique over numbers, ObjectIds and documents', async () => {
    const id = new Types.ObjectId()
    const collection = bench.connection.collection<{ _id: unknown }>('mixedIds')
    await collection.insertMany([{ _id: id }, { _id: { a: 1, b: 2 } }, { _id: 'x' }] as never)
    for (const again of [new Types.ObjectId(id.toHexString()), { a: 1, b: 2 }, 'x']) {
      expect(await errorOf(collection.insertOne({ _id: again } as never))).toMatchObject({ code: 11000, keyPattern: { _id: 1 } })
    }
    expect(await collection.countDocuments({ _id: { $in: [id, 'x'] } as never })).toBe(2)
  })

  it('an index over duplicates is not made', async () => {
    const collection = await bench.collectionOf([
      { _id: 1, k: 1 },
      { _id: 2, k: 1 },
    ])
    expect(await errorOf(collection.createIndex({ k: 1 }, { unique: true }))).toMatchObject({ code: 11000, codeName: 'DuplicateKey' })
    expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_'])
  })
})

describe('collections and indexes', () => {
  it('indexes of a schema are made, listed and synchronised', async () => {
    const schema = new Schema({ a: { type: Number, index: true }, b: String, at: Date })
    schema.index({ b: 1, a: -1 }, { unique: true, partialFilterExpression: { b: { $type: 'string' } } })
    schema.index({ at: 1 }, { expireAfterSeconds: 3600 })
    const Indexed = bench.connection.model('Indexed', schema)
    await Indexed.init()
    expect(await Indexed.listIndexes()).toMatchObject([
      { name: '_id_' },
      { name: 'a_1', key: { a: 1 } },
      { name: 'b_1_a_-1', key: { b: 1, a: -1 }, unique: true, partialFilterExpression: { b: { $type: 'string' } } },
      { name: 'at_1', expireAfterSeconds: 3600 },
    ])
    await bench.connection.collection('indexeds').createIndex({ extra: 1 })
    expect(await Indexed.syncIndexes()).toEqual(['extra_1'])
    await Indexed.createIndexes()
    expect(await Indexed.listIndexes()).toHaveLength(4)
  })

  it('an index that contradicts another is refused', async () => {
    const collection = await bench.collectionOf([{ _id: 1 }])
    await collection.createIndex({ a: 1 })
    expect(await errorOf(collection.createIndex({ a: 1 }, { name: 'other' }))).toMatchObject({ code: 85 })
    expect(await errorOf(collection.createIndex({ b: 1 }, { name: 'a_1' }))).toMatchObject({ code: 86 })
    expect(await errorOf(collection.dropIndex('none'))).toMatchObject({ code: 27 })
    await collection.dropIndex('a_1')
    expect(await collection.indexes()).toHaveLength(1)
  })

  it('collections are made, listed and dropped', async () => {
    await bench.connection.createCollection('made')
    const names = async () => (await bench.connection.db!.listCollections().toArray()).map(({ name }) => name)
    expect(await names()).toContain('made')
    expect(await errorOf(bench.connection.db!.command({ create: 'made' }))).toMatchObject({ code: 48 })
    await bench.connection.dropCollection('made')
    expect(await names()).not.toContain('made')
    expect(await errorOf(bench.connection.db!.collection('made').indexes())).toMatchObject({ code: 26, codeName: 'NamespaceNotFound' })
  })

  it('a TTL index keeps its span, and what is over goes', async () => {
    const Offer = bench.connection.model('Offer', new Schema({ name: String, expiresAt: { type: Date, expires: 0 } }))
    await Offer.init()
    expect(await Offer.listIndexes()).toMatchObject([{ name: '_id_' }, { name: 'expiresAt_1', expireAfterSeconds: 0 }])
    await Offer.create(
      [
        { name: 'over', expiresAt: new Date(Date.now() - 1000) },
        { name: 'open', expiresAt: new Date(Date.now() + 3_600_000) },
        { name: 'endless' },
      ],
      { ordered: true },
    )
    // The real server looks once a minute, which is not worth waiting for here: there the specification is all that is checked.
    if (!bench.isEmulator) return
    while ((await Offer.countDocuments({ name: 'over' })) > 0) await pause(50)
    expect((await Offer.find().sort({ name: 1 })).map(({ name }) => name)).toEqual(['endless', 'open'])
  })

  it('deleting by filter takes one or all', async () => {
    const collection = await bench.collectionOf([
      { _id: 1, k: 1 },
      { _id: 2, k: 1 },
      { _id: 3, k: 1 },
    ])
    expect(await collection.deleteOne({ k: 1 })).toMatchObject({ deletedCount: 1 })
    expect(await collection.deleteMany({ k: 1 })).toMatchObject({ deletedCount: 2 })
    expect(await collection.deleteMany({})).toMatchObject({ deletedCount: 0 })
  })
})
