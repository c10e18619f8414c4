import { beforeEach, describe, expect, test } from 'vitest'
import { DataFile } from '../data-file.ts'
import { type BatchSettings, encodeBatch } from './conformance/bytes.ts'
import { LOG_SCHEMA, Log, type Partition, type TopicConfigs } from './log.ts'
import { ErrorCode } from './wire/error-code.ts'
import { parseRecordBatch } from './wire/record-batch.ts'

const HOUR = 3_600_000
let now: number
let file: DataFile
let log: Log

beforeEach(() => {
  now = Date.UTC(2027, 0, 1)
  file = new DataFile(undefined, 'log', LOG_SCHEMA)
  log = new Log(file, () => now)
})

async function partition(configs: TopicConfigs = {}): Promise<Partition> {
  await file.write(() => log.create('t', 1, configs))
  return log.partition('t', 0)!
}

async function batch(values: string[], producer: BatchSettings = {}) {
  const parsed = parseRecordBatch(await encodeBatch(values, { timestamp: now, ...producer }))
  if ('error' in parsed) throw new Error(`error ${parsed.error}`)
  return parsed
}

async function append(to: Partition, values: string[], producer?: BatchSettings) {
  const parsed = await batch(values, producer)
  return file.write(() => log.append(to, parsed))
}

describe('retention', () => {
  test('by age drops whole batches from the front only', async () => {
    const p = await partition({ 'retention.ms': String(2 * HOUR) })
    await append(p, ['a', 'b'], { producerId: 7, firstSequence: 0 })
    now += HOUR
    await append(p, ['c'])
    now += 1.5 * HOUR
    await file.write(() => log.applyRetention())
    expect([p.startOffset, p.nextOffset]).toEqual([2, 3])
    // With its messages a producer is forgotten, and may then begin anywhere.
    expect(await append(p, ['d'], { producerId: 7, firstSequence: 9 })).toEqual({ error: ErrorCode.none, baseOffset: 3 })
    now += 10 * HOUR
    await file.write(() => log.applyRetention())
    expect([p.startOffset, p.nextOffset]).toEqual([4, 4])
    expect(await append(p, ['e'])).toEqual({ error: ErrorCode.none, baseOffset: 4 })
  })

  test.each<TopicConfigs>([{ 'cleanup.policy': 'compact', 'retention.ms': '1' }, { 'retention.ms': '-1' }])(
    'does not touch a topic with %o',
    async (configs) => {
      const p = await partition(configs)
      await append(p, ['a'])
      now += 10_000 * HOUR
      await file.write(() => log.applyRetention())
      expect(p.startOffset).toBe(0)
    },
  )
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
  const woken = new Promise<void>((resolve) => p.watchers.add(resolve))
  const first = file.write(() => log.append(p, next))
  const second = file.write(() => {
    throw new Error('the disk is full')
  })
  await expect(first).rejects.toThrow('the disk is full')
  await expect(second).rejects.toThrow('the disk is full')
  await woken
  const again = log.partition('t', 0)!
  expect(again.nextOffset).toBe(1)
  expect(await append(again, ['b'], { producerId: 7, firstSequence: 1 })).toEqual({ error: ErrorCode.none, baseOffset: 1 })
})
