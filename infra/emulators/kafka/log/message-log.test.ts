import { beforeEach, describe, expect, test } from 'vitest'
import { type BatchSettings, encodeBatch } from '../conformance/batch-encoder.ts'
import { ErrorCode } from '../wire/error-code.ts'
import { parseRecordBatch } from '../wire/record-batch.ts'
import { Database } from './database.ts'
import { MessageLog } from './message-log.ts'
import type { TopicConfigs } from './topic-config.ts'
import { type Partition, Topics } from './topics.ts'

const HOUR = 3_600_000
let now: number
let database: Database
let topics: Topics
let log: MessageLog

beforeEach(() => {
  now = Date.UTC(2027, 0, 1)
  database = new Database(undefined)
  topics = new Topics(database)
  log = new MessageLog(database, topics, () => now)
})

async function partition(configs: TopicConfigs = {}): Promise<Partition> {
  await database.write(() => topics.create('t', 1, configs))
  return topics.partition('t', 0)!
}

async function batch(values: string[], producer: BatchSettings = {}) {
  const parsed = parseRecordBatch(await encodeBatch(values, { timestamp: now, ...producer }))
  if ('error' in parsed) throw new Error(`error ${parsed.error}`)
  return parsed
}

async function append(to: Partition, values: string[], producer?: BatchSettings) {
  const parsed = await batch(values, producer)
  return database.write(() => log.append(to, parsed))
}

test('every commit is on disk before it is answered', async () => {
  // In memory there is no journal; the setting that matters is the same for both.
  expect(Object.values(database.prepare('PRAGMA synchronous').get()!)).toEqual([2])
})

describe('retention', () => {
  test('by age drops whole batches from the front only', async () => {
    const p = await partition({ 'retention.ms': String(2 * HOUR) })
    await append(p, ['a', 'b'])
    now += HOUR
    await append(p, ['c'])
    now += 1.5 * HOUR
    await database.write(() => log.applyRetention())
    expect([p.startOffset, p.nextOffset]).toEqual([2, 3])
    now += 10 * HOUR
    await database.write(() => log.applyRetention())
    expect([p.startOffset, p.nextOffset]).toEqual([3, 3])
    expect(await append(p, ['d'])).toEqual({ error: ErrorCode.none, baseOffset: 3 })
  })

  test('by size keeps the newest', async () => {
    const p = await partition({ 'retention.bytes': '2500' })
    for (let n = 0; n < 5; n++) await append(p, ['x'.repeat(1_000)])
    await database.write(() => log.applyRetention())
    expect([p.startOffset, p.nextOffset]).toEqual([3, 5])
  })

  test('does not touch a topic that is only compacted, nor one that keeps everything', async () => {
    const p = await partition({ 'cleanup.policy': 'compact', 'retention.ms': '1' })
    await append(p, ['a'])
    now += HOUR
    await database.write(() => log.applyRetention())
    expect(p.startOffset).toBe(0)
    await database.write(() => topics.configure(p.topic, { 'retention.ms': '-1' }))
    now += 10_000 * HOUR
    await database.write(() => log.applyRetention())
    expect(p.startOffset).toBe(0)
  })
})

test('a producer silent for more than a day is forgotten, and may then begin anywhere', async () => {
  const p = await partition()
  await append(p, ['a'], { producerId: 7, firstSequence: 0 })
  expect((await append(p, ['b'], { producerId: 7, firstSequence: 9 })).error).toBe(ErrorCode.outOfOrderSequenceNumber)
  now += 25 * HOUR
  await database.write(() => log.forgetSilentProducers())
  expect((await append(p, ['b'], { producerId: 7, firstSequence: 9 })).error).toBe(ErrorCode.none)
})

test('the sequence of a producer goes on from zero after the largest', async () => {
  const p = await partition()
  await append(p, ['a', 'b'], { producerId: 7, firstSequence: 2 ** 31 - 2 })
  expect(await append(p, ['c'], { producerId: 7, firstSequence: 0 })).toEqual({ error: ErrorCode.none, baseOffset: 2 })
})

test('a transaction that fails leaves nothing, not even in memory', async () => {
  const p = await partition()
  await append(p, ['a'], { producerId: 7, firstSequence: 0 })
  const next = await batch(['b'], { producerId: 7, firstSequence: 1 })
  const woken = new Promise((resolve) => p.watchers.add(resolve))
  const first = database.write(() => log.append(p, next))
  const second = database.write(() => {
    throw new Error('the disk is full')
  })
  await expect(first).rejects.toThrow('the disk is full')
  await expect(second).rejects.toThrow('the disk is full')
  await woken
  const now = topics.partition('t', 0)!
  expect(now.nextOffset).toBe(1)
  expect(await append(now, ['b'], { producerId: 7, firstSequence: 1 })).toEqual({ error: ErrorCode.none, baseOffset: 1 })
})

test('the first message at a time is found inside a batch', async () => {
  const p = await partition()
  const start = now
  await append(p, ['a', 'b', 'c'])
  now += HOUR
  await append(p, ['d'])
  expect(log.findByTimestamp(p, start + 1_500)).toEqual({ offset: 2, timestamp: start + 2_000 })
  expect(log.findByTimestamp(p, start + 2_500)).toEqual({ offset: 3, timestamp: start + HOUR })
  expect(log.findByTimestamp(p, now + 1)).toBeUndefined()
})
