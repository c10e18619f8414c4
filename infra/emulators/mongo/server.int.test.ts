// What is special about the emulator itself: its refusals, and the corners of the wire protocol that drivers seldom use.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { deserialize, serialize } from 'bson'
import mongoose from 'mongoose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { errorOf } from './conformance.fixture.ts'
import { type MongoEmulator, startMongoEmulator } from './server.ts'

const { MongoClient } = mongoose.mongo
let emulator: MongoEmulator

beforeAll(async () => {
  emulator = await startMongoEmulator()
})
afterAll(() => emulator?.stop())

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
  const socket = connect(emulator.port, '127.0.0.1')
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
    socket.write(message(3, 2013, int32(0), bodySection({ count: 'raw', $db: 'wire' })))
    expect(await reply(socket)).toMatchObject({ to: 3, document: { n: 3 } })
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
    const client = await new MongoClient(emulator.url).connect()
    expect(await client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 })
    await client.close()
  })
})

describe('a disk that refuses', () => {
  it('is told to every waiting client, and memory goes back to what is on disk', async () => {
    const client = await new MongoClient(emulator.url).connect()
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
    await client.close()
  })
})

describe('refusals', () => {
  it('does not run in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    await expect(startMongoEmulator()).rejects.toThrow('NODE_ENV=production')
    vi.unstubAllEnvs()
  })

  it('a taken port is an error', async () => {
    await expect(startMongoEmulator({ port: emulator.port })).rejects.toThrow('EADDRINUSE')
  })

  it('transactions are refused and change nothing', async () => {
    const client = await new MongoClient(emulator.url).connect()
    const rows = client.db('limits').collection('rows')
    const session = client.startSession()
    session.startTransaction()
    const error = await errorOf(rows.insertOne({ n: 1 }, { session }))
    expect(error.message).toContain('a transaction is not supported by the development server')
    await session.abortTransaction()
    expect(await rows.countDocuments()).toBe(0)
    await client.close()
  })

  it('what would behave differently is refused rather than ignored', async () => {
    const client = await new MongoClient(emulator.url).connect()
    const db = client.db('limits')
    const refused = { code: 238, codeName: 'NotImplemented' }
    expect(await errorOf(db.collection('rows').findOne({}, { collation: { locale: 'en', strength: 2 } }))).toMatchObject(refused)
    expect(await errorOf(db.collection('rows').find({ $where: 'true' }).toArray())).toMatchObject(refused)
    expect(
      await errorOf(
        db
          .collection('rows')
          .aggregate([{ $merge: 'x' }])
          .toArray(),
      ),
    ).toMatchObject(refused)
    expect(await errorOf(db.collection('rows').createIndex({ text: 'text' }))).toMatchObject(refused)
    expect(await errorOf(db.createCollection('capped', { capped: true, size: 1000 }))).toMatchObject(refused)
    await client.close()
  })

  it('a stopped server lets go of its port', async () => {
    const one = await startMongoEmulator()
    await one.stop()
    const other = await startMongoEmulator({ port: one.port })
    expect(other.url).toBe(one.url)
    await other.stop()
  })
})
