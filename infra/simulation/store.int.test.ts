/** The database in memory keeps the same promises as a server: what follows holds of both. */
import { randomBytes } from 'node:crypto'
import { createInbox, prepareInbox } from '@passerelle/kit/inbox'
import { createLease } from '@passerelle/kit/lease'
import { createLog } from '@passerelle/kit/log'
import { connectMongo, ensureIndexes, isDuplicateKey } from '@passerelle/kit/mongo'
import { compareAndSet, createOutboxModel } from '@passerelle/kit/outbox'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import type { Connection, Model } from 'mongoose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MemoryDatabases, memoryConnection } from './store.ts'

type Ride = { _id: string; version: number; seat: string | null; at: Date; tags: string[]; open: boolean; note?: { text: string } }
const RIDES = {
  collection: 'rides',
  fields: { _id: String, version: Number, seat: String, at: Date, tags: { type: [String], default: undefined }, open: Boolean, note: {} },
  indexes: [[{ seat: 1 }, { unique: true, partialFilterExpression: { seat: { $type: 'string' } } }], [{ open: 1, at: 1 }]] as never,
}
const day = (n: number) => new Date(Date.UTC(2026, 10, n))

let servers: TestServers
beforeAll(async () => {
  servers = await testServers()
})
afterAll(() => servers.stop())

const openMemory = async (): Promise<Connection> => {
  const databases = new MemoryDatabases()
  return memoryConnection('rides', { databases: () => databases, carry: async (_at, run) => run() })
}
const openServer = () => connectMongo(servers.environment.MONGO_URL, `r${randomBytes(5).toString('hex')}`, createLog('test', 'silent'))

describe.each([
  ['in memory', openMemory],
  ['of a server', openServer],
])('the database %s', (where, open) => {
  let mongo: Connection
  let rides: Model<Ride>
  beforeAll(async () => {
    mongo = await open()
    rides = createOutboxModel<Ride>(mongo, 'Ride', RIDES)
    await ensureIndexes(mongo)
    await prepareInbox(mongo)
  })
  afterAll(async () => {
    if (where === 'in memory') return
    await mongo.dropDatabase()
    await mongo.close()
  })
  const create = async (id: string, more: Partial<Ride> = {}) => {
    await rides.create({ _id: id, version: 1, seat: null, at: day(1), tags: ['new'], open: true, ...more })
    return { _id: id, version: 1 }
  }
  const read = (id: string) => rides.findOne({ _id: id }).lean<Ride>()

  test('keeps what it is given, and what is read is nobody else’s', async () => {
    await create('kept', { note: { text: 'window' } })
    const first = await read('kept')
    Object.assign(first?.note as object, { text: 'changed' })
    expect(await read('kept')).toEqual({
      _id: 'kept',
      version: 1,
      seat: null,
      at: day(1),
      tags: ['new'],
      open: true,
      note: { text: 'window' },
    })
    expect(await read('never')).toBeNull()
  })

  test('refuses a second document of an id, and of a value under a unique index, by their names', async () => {
    await create('unique-1', { seat: '12A' })
    const refusal = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error)
    const [sameId, sameSeat] = [await refusal(create('unique-1')), await refusal(create('unique-2', { seat: '12A' }))]
    expect([isDuplicateKey(sameId), isDuplicateKey(sameSeat, 'seat'), isDuplicateKey(sameSeat, 'at')]).toEqual([true, true, false])
    await expect(create('unique-3')).resolves.toBeDefined()
    await expect(rides.updateOne({ _id: 'unique-3' }, { $set: { seat: '12A' } })).rejects.toSatisfy((error) =>
      isDuplicateKey(error, 'seat'),
    )
    expect(await read('unique-3')).toMatchObject({ seat: null })
  })

  test('writes one of two changes of a version, with its events, and the other not at all', async () => {
    const known = await create('race')
    const event = { id: 'evt_1', topic: 'rides', name: 'ride.taken' } as never
    const both = await Promise.all(['a', 'b'].map((text) => compareAndSet(rides, known, { note: { text } }, [event])))
    const written = both.filter((one) => one !== null)
    expect(written).toHaveLength(1)
    expect(await read('race')).toEqual({ ...written[0], version: 2, outbox: [event], outboxPending: true })
  })

  test('claims the one that is due first, once, and says how many an update found', async () => {
    for (const n of [3, 1, 2]) await create(`due-${n}`, { at: day(n), tags: ['due'] })
    const claim = () =>
      rides
        .findOneAndUpdate(
          { open: true, tags: 'due', at: { $lte: day(2) } },
          { $set: { at: day(9) }, $inc: { version: 1 } },
          { returnDocument: 'after', sort: { at: 1 } },
        )
        .lean<Ride>()
    expect([(await claim())?._id, (await claim())?._id, await claim()]).toEqual(['due-1', 'due-2', null])
    expect(await rides.updateMany({ tags: 'due' }, { $set: { open: false } })).toMatchObject({ matchedCount: 3, modifiedCount: 3 })
    expect(await rides.updateOne({ _id: 'nobody' }, { $set: { open: false } })).toMatchObject({ matchedCount: 0, upsertedCount: 0 })
  })

  test('lists in the order and the parts that are asked for, all at once and one by one', async () => {
    for (const n of [2, 3, 1]) await create(`list-${n}`, { at: day(n), tags: ['list'] })
    const newest = await rides.find({ tags: 'list' }, { at: 1 }).sort({ at: -1 }).limit(2).lean<Ride[]>()
    expect(newest).toEqual([
      { _id: 'list-3', at: day(3) },
      { _id: 'list-2', at: day(2) },
    ])
    const seen: string[] = []
    for await (const { _id } of rides.find({ tags: 'list' }).sort({ at: 1 }).lean<Ride[]>().cursor()) seen.push(_id)
    expect(seen).toEqual(['list-1', 'list-2', 'list-3'])
    expect([await rides.exists({ _id: 'list-1' }), await rides.exists({ _id: 'list-9' })]).toEqual([{ _id: 'list-1' }, null])
    expect(await rides.deleteMany({ tags: 'list', at: { $lt: day(3) } })).toMatchObject({ deletedCount: 2 })
    expect(await rides.countDocuments({ tags: 'list' })).toBe(1)
  })

  test('takes published events out of an outbox, and its mark when none is left', async () => {
    const outbox = [{ id: 'evt_1' }, { id: 'evt_2' }]
    await create('outbox')
    await rides.updateOne({ _id: 'outbox' }, {
      $push: { outbox: { $each: outbox } },
      $set: { outboxPending: true, outboxLease: 'x' },
    } as object)
    const remove = (ids: string[]) =>
      rides.bulkWrite([
        {
          updateOne: {
            filter: { _id: 'outbox' },
            update: { $pull: { outbox: { id: { $in: ids } } }, $unset: { outboxLease: 1 } } as object,
          },
        },
        {
          updateOne: {
            filter: { _id: 'outbox', 'outbox.0': { $exists: false } },
            update: { $unset: { outboxPending: 1, outbox: 1 } } as object,
          },
        },
      ])
    await remove(['evt_1'])
    expect(await read('outbox')).toMatchObject({ outbox: [{ id: 'evt_2' }], outboxPending: true })
    await remove(['evt_2'])
    expect(Object.keys((await read('outbox')) as object).filter((name) => name.startsWith('outbox'))).toEqual([])
  })

  test('remembers events, and lets one hold a lease', async () => {
    const inbox = createInbox(mongo, 'riders')
    await Promise.all([inbox.remember('evt_1'), inbox.remember('evt_1')])
    expect([await inbox.has('evt_1'), await inbox.has('evt_2')]).toEqual([true, false])
    const [one, other] = [createLease(mongo, 'sweep', 60_000), createLease(mongo, 'sweep', 60_000)]
    expect([await one.acquire(), await other.acquire(), await one.acquire()]).toEqual([true, false, true])
  })
})
