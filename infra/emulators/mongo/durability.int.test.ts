/** What is on disk: nothing that was acknowledged is lost when the process is killed, and a restart finds everything again. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mongoose, { Schema } from 'mongoose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ServerProcess, spawnServer } from '../server-process.fixture.ts'

const { MongoClient } = mongoose.mongo
let dataDir: string
let server: ServerProcess
const url = () => `mongodb://127.0.0.1:${server.port}`

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'passerelle-mongo-'))
  server = await spawnServer('mongo', 0, dataDir)
})
afterEach(async () => {
  await server.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

async function restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  await server.kill(signal)
  server = await spawnServer('mongo', server.port, dataDir)
}

const WRITERS = 8
const KILLS = 4
const ACKNOWLEDGED_PER_ROUND = 500

describe('kill -9', () => {
  it('loses no acknowledged write of eight writers over four kills', async () => {
    const client = new MongoClient(url(), { maxPoolSize: WRITERS, serverSelectionTimeoutMS: 20_000 })
    const rows = client.db('durability').collection<{ _id: string; writer: number }>('rows')
    const counters = client.db('durability').collection<{ _id: number; n: number }>('counters')
    await rows.createIndex({ writer: 1 })

    const acknowledged = new Set<string>()
    const increments = Array.from({ length: WRITERS }, () => ({ acknowledged: 0, unknown: 0 }))
    let stopping = false
    let reached = { at: ACKNOWLEDGED_PER_ROUND, resolve: () => {} }
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; !stopping; n++) {
        const _id = `${writer}-${n}`
        // A write that fails with its connection may or may not have happened: it is neither counted nor repeated.
        const inserted = await rows.insertOne({ _id, writer }).catch(() => null)
        if (inserted) acknowledged.add(_id)
        const updated = await counters.updateOne({ _id: writer }, { $inc: { n: 1 } }, { upsert: true }).catch(() => null)
        if (updated) increments[writer]!.acknowledged += 1
        else increments[writer]!.unknown += 1
        if (acknowledged.size >= reached.at) reached.resolve()
      }
    }
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
    for (let kill = 0; kill < KILLS; kill++) {
      await new Promise<void>((resolve) => {
        reached = { at: acknowledged.size + ACKNOWLEDGED_PER_ROUND, resolve }
      })
      await restart('SIGKILL')
    }
    stopping = true
    await Promise.all(writers)
    await restart('SIGKILL')

    const stored = new Set((await rows.find().toArray()).map(({ _id }) => _id))
    const lost = [...acknowledged].filter((_id) => !stored.has(_id))
    const sums = new Map((await counters.find().toArray()).map(({ _id, n }) => [_id, n]))
    const total = increments.reduce((sum, one) => sum + one.acknowledged, 0)
    console.log(`inserts: ${acknowledged.size} acknowledged, ${stored.size} stored, ${lost.length} lost; increments: ${total} acknowledged`)
    expect(lost).toEqual([])
    for (const [writer, { acknowledged: least, unknown }] of increments.entries()) {
      expect(sums.get(writer)).toBeGreaterThanOrEqual(least)
      expect(sums.get(writer)).toBeLessThanOrEqual(least + unknown)
    }
    expect(await rows.countDocuments({ writer: 3 })).toBe([...stored].filter((_id) => _id.startsWith('3-')).length)
    await client.close()
  })
})

describe('a restart', () => {
  it('keeps documents, types, indexes and databases, and the same connection goes on', async () => {
    const connection = await mongoose.createConnection(url(), { dbName: 'first' }).asPromise()
    const schema = new Schema({ email: { type: String, unique: true }, at: { type: Date, expires: 3600 }, bytes: Buffer, big: BigInt })
    const Account = connection.model('Account', schema)
    await Account.init()
    const { _id } = await Account.create({ email: 'ann@example.com', at: new Date(), bytes: Buffer.from([0, 255]), big: 2n ** 60n })
    await connection.useDb('second').collection('other').insertOne({ n: 1 })
    const indexes = await Account.listIndexes()

    await restart('SIGTERM')
    const found = await Account.findById(_id).orFail()
    expect(found).toMatchObject({ email: 'ann@example.com', big: 2n ** 60n })
    expect([...found.bytes!]).toEqual([0, 255])
    expect(await Account.listIndexes()).toEqual(indexes)
    await expect(Account.create({ email: 'ann@example.com' })).rejects.toMatchObject({
      code: 11000,
      keyValue: { email: 'ann@example.com' },
    })
    expect(await connection.useDb('second').collection('other').countDocuments()).toBe(1)
    await connection.close()
  })

  it('finds what was deleted and dropped still gone', async () => {
    const client = await new MongoClient(url()).connect()
    const db = client.db('drops')
    await db.collection('kept').insertMany([{ n: 1 }, { n: 2 }])
    await db.collection('gone').insertOne({ n: 1 })
    await db.collection('kept').deleteOne({ n: 1 })
    await db.dropCollection('gone')
    await restart('SIGKILL')
    expect(await db.collection('kept').find().project({ _id: 0 }).toArray()).toEqual([{ n: 2 }])
    expect((await db.listCollections().toArray()).map(({ name }) => name)).toEqual(['kept'])
    await client.close()
  })
})
