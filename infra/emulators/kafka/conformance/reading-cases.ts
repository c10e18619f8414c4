import { describe, expect, test } from 'vitest'
import { type Bench, numbered, refusalOf } from './bench.ts'

export function readingCases(bench: () => Bench): void {
  describe('reading', () => {
    test('from the beginning everything comes, from the end only what is new', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      await producer.send({ topic, messages: numbered(3) })
      const fromEnd = await bench().read(topic, { fromBeginning: false })
      const fromStart = await bench().read(topic)
      await producer.send({ topic, messages: numbered(2, 3) })
      await Promise.all([fromEnd.untilValue('4'), fromStart.untilValue('4')])
      expect(fromStart.values()).toEqual(['0', '1', '2', '3', '4'])
      expect(fromEnd.values()).toEqual(['3', '4'])
    })

    test('a waiting fetch is answered by the first message that comes', async () => {
      const topic = await bench().topic()
      const client = await bench().protocolClient()
      const producer = await bench().producer()
      // The wait is longer than the test may take: only the message can end it.
      const waiting = client.fetch(topic, { offset: 0, maxWaitTime: 60_000 })
      await producer.send({ topic, messages: numbered(1) })
      const sent = performance.now()
      expect((await waiting).values).toEqual(['0'])
      console.log(`a waiting fetch was answered ${(performance.now() - sent).toFixed(1)} ms after the send`)
    })

    test('an empty fetch comes back empty when its time is over', async () => {
      const topic = await bench().topic()
      const client = await bench().protocolClient()
      expect(await client.fetch(topic, { offset: 0, maxWaitTime: 100 })).toEqual({ values: [], highWatermark: 0 })
    })

    test('a fetch waits until its least number of bytes is there', async () => {
      const topic = await bench().topic()
      const client = await bench().protocolClient()
      const producer = await bench().producer()
      const waiting = client.fetch(topic, { offset: 0, maxWaitTime: 60_000, minBytes: 10_000 })
      await producer.send({ topic, messages: [{ value: 'small' }] })
      await producer.send({ topic, messages: [{ value: 'x'.repeat(12_000) }] })
      expect((await waiting).values).toHaveLength(2)
    })

    test('a fetch keeps to its most bytes, but always brings one batch', async () => {
      const topic = await bench().topic()
      const client = await bench().protocolClient()
      for (let n = 0; n < 6; n++) await client.produce(topic, [{ value: `${n}${'x'.repeat(1_000)}` }])
      expect((await client.fetch(topic, { offset: 0, maxBytesPerPartition: 3_500 })).values.length).toBeLessThanOrEqual(3)
      expect((await client.fetch(topic, { offset: 0, maxBytes: 3_500 })).values.length).toBeLessThanOrEqual(3)
      expect((await client.fetch(topic, { offset: 2, maxBytes: 10, maxBytesPerPartition: 10 })).values.map((value) => value[0])).toEqual([
        '2',
      ])
      expect((await client.fetch(topic, { offset: 0 })).values).toHaveLength(6)
    })

    test('a consumer with a tiny limit still reads everything', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      for (let n = 0; n < 10; n++) await producer.send({ topic, messages: [{ value: String(n) }] })
      const reading = await bench().read(topic, { consumer: { maxBytesPerPartition: 1 } })
      await reading.untilValue('9')
      expect(reading.values()).toEqual(numbered(10).map(({ value }) => value))
    })

    test('reading inside a batch brings the messages from there on', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      await producer.send({ topic, messages: numbered(10) })
      const reading = await bench().read(topic, { fromBeginning: false })
      reading.consumer.seek({ topic, partition: 0, offset: '7' })
      await reading.untilValue('9')
      expect(reading.values()).toEqual(['7', '8', '9'])
    })

    test('an offset beyond the end is refused, and a consumer starts over at its default', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      await producer.send({ topic, messages: numbered(2) })
      const client = await bench().protocolClient()
      expect(await refusalOf(client.fetch(topic, { offset: 99 }))).toBe('OFFSET_OUT_OF_RANGE')
      const groupId = bench().groupId()
      await client.commit(groupId, -1, '', [{ topic, partitions: [{ partition: 0, offset: '99' }] }])
      const reading = await bench().read(topic, { groupId })
      await reading.untilValue('1')
      expect(reading.values()).toEqual(['0', '1'])
    })

    test('the first and next offsets of a topic are told', async () => {
      const topic = await bench().topic({ partitions: 2 })
      const producer = await bench().producer()
      await producer.send({ topic, messages: numbered(3).map((message) => ({ ...message, partition: 1 })) })
      const admin = await bench().admin()
      const offsets = (await admin.fetchTopicOffsets(topic)).sort((a, b) => a.partition - b.partition)
      expect(offsets).toMatchObject([
        { partition: 0, low: '0', high: '0' },
        { partition: 1, low: '0', high: '3' },
      ])
    })

    test('the first message at a time is found, inside a batch too', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      const start = Date.now() - 100_000
      const at = (seconds: number) => start + seconds * 1_000
      await producer.send({ topic, messages: [10, 20, 30].map((seconds) => ({ value: 'a', timestamp: String(at(seconds)) })) })
      await producer.send({ topic, messages: [40, 50].map((seconds) => ({ value: 'b', timestamp: String(at(seconds)) })), compression: 1 })
      const admin = await bench().admin()
      const offsetAt = async (seconds: number) => (await admin.fetchTopicOffsetsByTimestamp(topic, at(seconds)))[0]!.offset
      expect(await offsetAt(0)).toBe('0')
      expect(await offsetAt(15)).toBe('1')
      expect(await offsetAt(30)).toBe('2')
      expect(await offsetAt(45)).toBe('4')
      expect(await offsetAt(60)).toBe('5')
    })

    test('deleted records cannot be read, and reading starts after them', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      await producer.send({ topic, messages: numbered(4) })
      await producer.send({ topic, messages: numbered(4, 4) })
      const admin = await bench().admin(bench().impatientKafka())
      // kafkajs deletes only in topics that it has asked about before.
      await admin.fetchTopicOffsets(topic)
      await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '5' }] })
      expect(await admin.fetchTopicOffsets(topic)).toMatchObject([{ low: '5', high: '8' }])
      const client = await bench().protocolClient()
      expect(await refusalOf(client.fetch(topic, { offset: 2 }))).toBe('OFFSET_OUT_OF_RANGE')
      expect((await bench().readAll(topic, 3)).map(({ message }) => String(message.value))).toEqual(['5', '6', '7'])
      await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '-1' }] })
      expect(await admin.fetchTopicOffsets(topic)).toMatchObject([{ low: '8', high: '8' }])
      await producer.send({ topic, messages: numbered(1, 8) })
      expect((await bench().readAll(topic, 1)).map(({ message }) => message.offset)).toEqual(['8'])
    })

    test('a paused consumer receives nothing until it goes on', async () => {
      const topics = [await bench().topic(), await bench().topic()] as const
      const consumer = await bench().consumer({ groupId: bench().groupId() })
      await consumer.subscribe({ topics: [...topics], fromBeginning: true })
      const received: string[] = []
      let look = () => {}
      await consumer.run({
        eachMessage: async ({ message }) => {
          received.push(String(message.value))
          look()
        },
      })
      const until = (value: string) =>
        new Promise<void>((resolve) => {
          look = () => received.includes(value) && resolve()
          look()
        })
      const producer = await bench().producer()
      consumer.pause([{ topic: topics[0] }])
      await producer.send({ topic: topics[0], messages: [{ value: 'paused' }] })
      await producer.send({ topic: topics[1], messages: [{ value: 'running' }] })
      await until('running')
      expect(received).toEqual(['running'])
      consumer.resume([{ topic: topics[0] }])
      await until('paused')
    })
  })
}
