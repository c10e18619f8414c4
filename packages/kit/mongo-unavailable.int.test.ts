/** A store that is killed in the middle of calls of every kind: each of them fails as "not available right now", none as a fault of ours. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerProcess, spawnServer } from '@passerelle/emulators/server-process.fixture'
import { freePort, isListening } from '@passerelle/servers/ports'
import mongoose, { type Connection, type Model, Schema } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toAppError } from './failures.ts'
import { createLog } from './log.ts'
import { connectMongo } from './mongo.ts'
import { delay } from './runtime.ts'

const KILLS = 4
type Row = { _id: string; n: number; at: Date }

let folder: string
let store: { url: string; restart(): Promise<void>; stop(): Promise<void> }
let connection: Connection
let rows: Model<Row>

/** With TEST_SERVERS=real a mongod of this machine, else the emulator; each as a process that can be killed. */
async function startStore(): Promise<typeof store> {
  if (process.env.TEST_SERVERS === 'real') return startMongod()
  let server: ServerProcess = await spawnServer('mongo', await freePort(), folder)
  return {
    url: `mongodb://127.0.0.1:${server.port}`,
    async restart() {
      await server.kill('SIGKILL')
      server = await spawnServer('mongo', server.port, folder)
    },
    stop: () => server.kill('SIGKILL'),
  }
}

async function startMongod(): Promise<typeof store> {
  const port = await freePort()
  const data = join(folder, 'data')
  mkdirSync(data)
  let server: ChildProcess
  const begin = async () => {
    server = spawn('mongod', ['--dbpath', data, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', 'rs0'], { stdio: 'ignore' })
    while (!(await isListening(port))) await delay(50)
  }
  const kill = async () => {
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  await begin()
  const admin = await mongoose.createConnection(`mongodb://127.0.0.1:${port}/admin?directConnection=true`).asPromise()
  await admin.db?.command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: `127.0.0.1:${port}` }] } })
  await admin.close()
  return {
    url: `mongodb://127.0.0.1:${port}/?replicaSet=rs0`,
    async restart() {
      await kill()
      await begin()
    },
    stop: kill,
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mongo-away-'))
  store = await startStore()
  connection = await connectMongo(store.url, 'away', createLog('test', 'silent'))
  const schema = new Schema<Row>({ _id: String, n: Number, at: Date }, { versionKey: false, collection: 'rows' })
  rows = connection.model('Row', schema) as unknown as Model<Row>
  await rows.insertMany(Array.from({ length: 400 }, (_, n) => ({ _id: `seed-${n}`, n, at: new Date() })))
}, 60_000)
afterAll(async () => {
  await connection.close()
  await store.stop()
  rmSync(folder, { recursive: true, force: true })
})

let fresh = 0
const row = (): Row => ({ _id: `row-${++fresh}`, n: fresh, at: new Date() })
const any = () => ({ _id: `seed-${fresh++ % 400}` })

const calls: Record<string, () => Promise<unknown>> = {
  find: () => rows.find({ n: { $gt: 10 } }).lean(),
  'find in batches': async () => {
    for await (const one of rows.find({}).batchSize(5).lean().cursor()) void one
  },
  findOne: () => rows.findOne(any()).lean(),
  exists: () => rows.exists(any()),
  countDocuments: () => rows.countDocuments({ n: { $gt: 10 } }),
  create: () => rows.create(row()),
  insertMany: () => rows.insertMany([row(), row()]),
  updateOne: () => rows.updateOne(any(), { $inc: { n: 1 } }),
  updateMany: () => rows.updateMany({ n: { $lt: 5 } }, { $set: { at: new Date() } }),
  findOneAndUpdate: () => rows.findOneAndUpdate(any(), { $inc: { n: 1 } }, { returnDocument: 'after' }).lean(),
  'findOneAndUpdate with upsert': () => rows.findOneAndUpdate({ _id: `row-${++fresh}` }, { $inc: { n: 1 } }, { upsert: true }).lean(),
  findOneAndDelete: () => rows.findOneAndDelete({ _id: `row-${fresh}` }).lean(),
  deleteOne: () => rows.deleteOne({ _id: `row-${fresh}` }),
  deleteMany: () => rows.deleteMany({ n: -1 }),
  bulkWrite: () =>
    rows.bulkWrite([
      { updateOne: { filter: any(), update: { $inc: { n: 1 } } } },
      { updateOne: { filter: any(), update: { $inc: { n: 1 } } } },
    ]),
  'the driver’s own insertOne': () => connection.collection<Row>('rows').insertOne(row()),
}

/** What the answer may say of an error that was taken for a fault of ours. */
const shape = (error: unknown): string => {
  const { name, message, code, cause } = error as Error & { code?: unknown }
  return `${name} ${String(code)}: ${message}${cause ? ` <- ${shape(cause)}` : ''}`
}

test('C27: calls of every kind that a killed store cuts off answer 503 with Retry-After, and go on when it is back', async () => {
  const faults: string[] = []
  let failed = 0
  let done = false
  const keepCalling = async (name: string, call: () => Promise<unknown>) => {
    while (!done) {
      try {
        await call()
      } catch (thrown) {
        failed++
        const error = toAppError(thrown)
        if (error.status !== 503 || error.code !== 'UPSTREAM_UNAVAILABLE' || error.retryAfter === undefined)
          faults.push(`${name}: ${shape(thrown)}`)
      }
    }
  }
  const callers = Object.entries(calls).flatMap(([name, call]) => [keepCalling(name, call), keepCalling(name, call)])
  for (let kill = 0; kill < KILLS; kill++) {
    const before = fresh
    await expect.poll(() => fresh - before, { timeout: 30_000 }).toBeGreaterThan(500)
    await store.restart()
  }
  const after = fresh
  await expect.poll(() => fresh - after, { timeout: 30_000 }).toBeGreaterThan(500)
  done = true
  await Promise.all(callers)
  expect(failed).toBeGreaterThan(0)
  expect([...new Set(faults)]).toEqual([])
  for (const call of Object.values(calls)) await call()
}, 180_000)
