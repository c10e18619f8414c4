/** What is the emulator's own: what it refuses, and the corners of the wire protocol that drivers seldom use. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { deserialize, serialize } from 'bson'
import mongoose from 'mongoose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sendDamaged } from '../damage.fixture.ts'
import { type MongoEmulator, startMongoEmulator } from './server.ts'

const { MongoClient, Binary, Decimal128 } = mongoose.mongo
let emulator: MongoEmulator
let client: InstanceType<typeof MongoClient>

beforeAll(async () => {
  emulator = await startMongoEmulator()
  client = await new MongoClient(emulator.url).connect()
})
afterAll(async () => {
  await client.close()
  await emulator.stop()
})

const int32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32LE(value)
  return buffer
}
const message = (requestId: number, opCode: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([int32(16 + body.length), int32(requestId), int32(0), int32(opCode), body])
}
const bodySection = (command: object): Buffer => Buffer.concat([Buffer.of(0), serialize(command)])
const sequence = (name: string, documents: object[]): Buffer => {
  const content = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map((document) => serialize(document))])
  return Buffer.concat([Buffer.of(1), int32(4 + content.length), content])
}

async function open(): Promise<Socket> {
  const socket = connect({ port: emulator.port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return socket
}

/** The next whole reply: which request it answers, its operation code, its document. */
async function reply(socket: Socket): Promise<{ to: number; opCode: number; document: Record<string, unknown> }> {
  let bytes = Buffer.alloc(0)
  while (bytes.length < 16 || bytes.length < bytes.readInt32LE(0)) bytes = Buffer.concat([bytes, (await once(socket, 'data'))[0]])
  const opCode = bytes.readInt32LE(12)
  return { to: bytes.readInt32LE(8), opCode, document: deserialize(bytes.subarray(opCode === 1 ? 36 : 21)) }
}

describe('the wire', () => {
  it('a greeting by OP_QUERY is answered by OP_REPLY', async () => {
    const socket = await open()
    socket.write(message(7, 2004, int32(0), Buffer.from('admin.$cmd\0'), int32(0), int32(-1), serialize({ isMaster: 1, helloOk: true })))
    expect(await reply(socket)).toMatchObject({ to: 7, opCode: 1, document: { ismaster: true, helloOk: true, maxWireVersion: 17, ok: 1 } })
    socket.destroy()
  })

  it('document sequences, a checksum, bytes in pieces and unanswered messages are understood', async () => {
    const socket = await open()
    const insert = bodySection({ insert: 'raw', $db: 'wire' })
    // MORE_TO_COME: the client does not want an answer.
    socket.write(message(1, 2013, int32(2), insert, sequence('documents', [{ _id: 1 }, { _id: 2 }])))
    const withChecksum = message(2, 2013, int32(1), insert, sequence('documents', [{ _id: 3 }]), int32(0x1234))
    for (const byte of withChecksum) socket.write(Buffer.of(byte))
    expect(await reply(socket)).toMatchObject({ to: 2, document: { n: 1, ok: 1 } })
    socket.write(message(3, 2013, int32(0), bodySection({ find: 'raw', $db: 'wire' })))
    expect(await reply(socket)).toMatchObject({ to: 3, document: { cursor: { firstBatch: [{ _id: 1 }, { _id: 2 }, { _id: 3 }] } } })
    socket.destroy()
  })

  it.each([
    ['an impossible length', Buffer.concat([int32(5), Buffer.alloc(20)])],
    ['an unknown operation code', message(1, 999, Buffer.alloc(8))],
    ['a section longer than its message', message(1, 2013, int32(0), Buffer.concat([Buffer.of(0), int32(9999), Buffer.alloc(20)]))],
  ])('%s ends the connection and nothing else', async (_, bytes) => {
    const socket = await open()
    socket.write(bytes)
    await once(socket, 'close')
    expect(await client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 })
  })

  it('two thousand damaged commands do not bring it down', async () => {
    const samples = [
      { find: 'x', filter: { a: { $in: [1, 'x', null] }, $or: [{ b: 1 }] }, sort: { a: 1 }, projection: { a: 1 }, limit: 5 },
      { update: 'x', updates: [{ q: { _id: 1 }, u: { $set: { 'a.b': 1 }, $inc: { n: 1 }, $pull: { l: { k: 1 } } }, upsert: true }] },
      { findAndModify: 'x', query: { _id: 1 }, update: { $push: { l: { $each: [1] } } }, new: true, upsert: true },
      { insert: 'x', documents: [{ _id: 2, at: new Date(), l: [{ k: 1 }] }], ordered: false },
      { createIndexes: 'x', indexes: [{ key: { a: 1 }, name: 'a', unique: true, partialFilterExpression: { a: { $gt: 1 } } }] },
      { aggregate: 'x', pipeline: [{ $match: { a: 1 } }, { $group: { _id: 1, n: { $sum: 1 } } }], cursor: {} },
      { delete: 'x', deletes: [{ q: { a: 1 }, limit: 1 }] },
      { getMore: 5, collection: 'x' },
    ].map((command) => message(1, 2013, int32(0), bodySection({ ...command, $db: 'fuzz' })))
    await sendDamaged(emulator.port, samples, 16)
    expect(await client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 })
  })
})

describe('a disk that refuses', () => {
  it('is reported to every waiting client, and memory goes back to what is on disk', async () => {
    const rows = client.db('disk').collection<{ _id: number; n: number }>('rows')
    await rows.insertOne({ _id: 1, n: 1 })
    const exec = DatabaseSync.prototype.exec
    const failing = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql: string) {
      if (sql === 'COMMIT') throw new Error('database or disk is full')
      exec.call(this, sql)
    })
    const refused = await Promise.allSettled([
      rows.insertOne({ _id: 2, n: 2 }),
      rows.updateOne({ _id: 1 }, { $set: { n: 9 } }),
      client.db('disk').collection('fresh').insertOne({ n: 1 }),
    ])
    failing.mockRestore()
    for (const one of refused)
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 1, message: expect.stringContaining('disk is full') } })
    expect(await rows.find().toArray()).toEqual([{ _id: 1, n: 1 }])
    await rows.insertOne({ _id: 2, n: 3 })
    expect(await rows.countDocuments()).toBe(2)
    expect((await client.db('disk').listCollections().toArray()).map(({ name }) => name)).toEqual(['rows'])
  })
})

describe('refusals', () => {
  const rows = () => client.db('limits').collection('rows')
  const update = (change: object, options = {}) => rows().updateOne({ _id: 1 as never }, change, options)

  it.each<[string, number, () => Promise<unknown>]>([
    ['the command dropIndexes', 59, () => rows().dropIndex('x')],
    ['the command distinct', 59, () => rows().distinct('x')],
    ['find with collation', 9, () => rows().findOne({}, { collation: { locale: 'en' } })],
    ['the query operator $where', 9, () => rows().findOne({ $where: 'true' })],
    ['the query operator $elemMatch', 9, () => rows().findOne({ a: { $elemMatch: { b: 1 } } })],
    ['a filter with a value of type Binary', 9, () => rows().findOne({ a: new Binary(Buffer.of(1)) })],
    ['the projection of a', 9, () => rows().findOne({}, { projection: { a: { $slice: 1 } } })],
    ['a sort by', 9, () => rows().findOne({}, { sort: { a: { $meta: 'textScore' } } })],
    [
      'aggregate, except to count: $match, $lookup',
      9,
      () =>
        rows()
          .aggregate([{ $match: {} }, { $lookup: {} }])
          .toArray(),
    ],
    ['an update with a pipeline', 9, () => update([{ $set: { a: 1 } }])],
    ['a replacement document', 9, () => rows().replaceOne({}, { a: 1 })],
    ['the update operator $rename', 9, () => update({ $rename: { a: 'b' } })],
    ['the positional operator $', 9, () => update({ $set: { 'a.$': 1 } })],
    ['$slice in $push', 9, () => update({ $push: { a: { $each: [1], $slice: 1 } } })],
    ['update with arrayFilters', 9, () => update({ $set: { 'a.$[].b': 1 } }, { arrayFilters: [{ x: 1 }] })],
    ['an update of _id', 9, () => update({ $set: { _id: 2 } })],
    ['an update with a value of type Decimal128', 9, () => update({ $set: { a: { b: Decimal128.fromString('1') } } })],
    ['an index with sparse', 9, () => rows().createIndex({ a: 1 }, { sparse: true })],
    ['an index on', 9, () => rows().createIndex({ a: 'text' })],
    ['create with capped', 9, () => client.db('limits').createCollection('capped', { capped: true, size: 1000 })],
    ['insert with', 9, () => client.withSession((session) => session.withTransaction(() => rows().insertOne({ a: 1 }, { session })))],
  ])('%s is not implemented here', async (what, code, attempt) => {
    const message = expect.stringMatching(/^not implemented here: .*`make servers`/)
    await expect(attempt()).rejects.toMatchObject({ code, message })
    await expect(attempt()).rejects.toThrow(what)
  })
})
