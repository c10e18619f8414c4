/** A copy of all databases while bookings are written, and back. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@passerelle/kit/log'
import { connectMongo } from '@passerelle/kit/mongo'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import mongoose, { type Connection } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { backUp, restore } from './backup.ts'

const log = createLog('backup', 'silent')
let servers: TestServers
let connection: Connection
let folder: string
const where = () => ({ url: servers.environment.MONGO_URL, namespace: servers.environment.NAMESPACE, folder, log })
const collection = (service: string, name: string) =>
  connection
    .getClient()
    .db(servers.environment.NAMESPACE + service)
    .collection(name)

beforeAll(async () => {
  servers = await testServers()
  connection = await connectMongo(servers.environment.MONGO_URL, `${servers.environment.NAMESPACE}booking`, log)
})
afterAll(async () => {
  await connection.close()
  await servers.stop()
})
beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'backup-')), 'copy')
  for (const [service, name] of [
    ['booking', 'bookings'],
    ['payment', 'payments'],
    ['brand', 'later'],
  ] as const)
    await collection(service, name).deleteMany({})
  return () => rmSync(folder, { recursive: true, force: true })
})

const { Long, Double, Binary } = mongoose.mongo
const odd = {
  _id: 'bk_1' as never,
  at: new Date('2026-11-22T10:00:00.123Z'),
  whole: 7,
  double: new Double(7),
  long: Long.fromString('9007199254740993'),
  list: [null, { a: '' }],
  bytes: new Binary(Buffer.from([0, 255])),
}

test('what was written since is gone after a restore, what was deleted is back, and every kind of value is as it was', async () => {
  await collection('booking', 'bookings').insertOne(odd)
  await collection('payment', 'payments').insertMany(Array.from({ length: 1200 }, (_, at) => ({ _id: `pay_${at}` as never, at })))
  const before = await collection('booking', 'bookings').findOne({}, { promoteValues: false })
  const { counts } = await backUp(where())
  expect(counts).toMatchObject({ 'booking/bookings': 1, 'payment/payments': 1200 })
  await collection('booking', 'bookings').deleteOne({ _id: 'bk_1' as never })
  await collection('booking', 'bookings').insertOne({ _id: 'bk_2' as never })
  await collection('brand', 'later').insertOne({ _id: 'new' as never })
  await restore(where(), false)
  expect(await collection('booking', 'bookings').countDocuments({ _id: 'bk_2' as never })).toBe(1)
  await restore(where(), true)
  expect(await collection('booking', 'bookings').find({}, { promoteValues: false }).toArray()).toEqual([before])
  expect(await collection('payment', 'payments').countDocuments({})).toBe(1200)
  expect(await collection('brand', 'later').countDocuments({})).toBe(0)
})

test('half a copy, a damaged one and a folder that is in use are refused before anything is changed', async () => {
  await collection('booking', 'bookings').insertOne({ _id: 'bk_1' as never, text: 'as it was' })
  await expect(restore(where(), true)).rejects.toThrow('holds no whole copy')
  await backUp(where())
  await expect(backUp(where())).rejects.toThrow('is not empty')
  truncateSync(join(folder, 'booking', 'bookings.bson'), 9)
  await expect(restore(where(), true)).rejects.toThrow('is cut off')
  writeFileSync(join(folder, 'booking', 'bookings.bson'), '')
  await expect(restore(where(), true)).rejects.toThrow('has 0 of 1 documents')
  expect(await collection('booking', 'bookings').countDocuments({ text: 'as it was' })).toBe(1)
})
