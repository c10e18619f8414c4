import { randomBytes } from 'node:crypto'
import { CompressionTypes } from 'kafkajs'
import { describe, expect, test } from 'vitest'
import { type Bench, numbered, refusalOf } from './bench.ts'

export function messageCases(bench: () => Bench): void {
  describe('messages', () => {
    test('messages of one key stay in one partition and in their order', async () => {
      const topic = await bench().topic({ partitions: 6 })
      const producer = await bench().producer({ idempotent: true, maxInFlightRequests: 1 })
      const keys = ['booking-a', 'booking-b', 'booking-c', 'booking-d', 'booking-e']
      for (let step = 0; step < 20; step++) await producer.send({ topic, messages: keys.map((key) => ({ key, value: String(step) })) })
      const received = await bench().readAll(topic, 100)
      for (const key of keys) {
        const ofKey = received.filter(({ message }) => String(message.key) === key)
        expect(new Set(ofKey.map(({ partition }) => partition)).size).toBe(1)
        expect(ofKey.map(({ message }) => Number(message.value))).toEqual(numbered(20).map(({ value }) => Number(value)))
      }
    })

    test('sending answers with the partition and the offset of the first message', async () => {
      const topic = await bench().topic({ partitions: 2 })
      const producer = await bench().producer()
      await producer.send({ topic, messages: numbered(3).map((message) => ({ ...message, partition: 1 })) })
      const [answer] = await producer.send({ topic, messages: numbered(2, 3).map((message) => ({ ...message, partition: 1 })) })
      expect(answer).toMatchObject({ topicName: topic, partition: 1, errorCode: 0, baseOffset: '3' })
    })

    test('headers come back with their bytes, also repeated ones', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      const raw = Buffer.from([0, 255, 1, 254])
      await producer.send({
        topic,
        messages: [{ value: 'x', headers: { 'event-id': '42', raw, twice: ['one', 'two'], umlaut: 'größe ✈' } }],
      })
      const [{ message }] = (await bench().readAll(topic, 1)) as [Awaited<ReturnType<Bench['readAll']>>[0]]
      expect(String(message.headers!['event-id'])).toBe('42')
      expect(message.headers!.raw).toEqual(raw)
      expect((message.headers!.twice as Buffer[]).map(String)).toEqual(['one', 'two'])
      expect(String(message.headers!.umlaut)).toBe('größe ✈')
    })

    test('a message without key and one without value (a tombstone) keep their nulls', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      await producer.send({ topic, messages: [{ value: 'no key' }, { key: 'gone', value: null }, { key: '', value: '' }] })
      const received = await bench().readAll(topic, 3)
      expect(received.map(({ message }) => [message.key && String(message.key), message.value && String(message.value)])).toEqual([
        [null, 'no key'],
        ['gone', null],
        ['', ''],
      ])
    })

    test('binary keys and values come back byte for byte', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      const key = randomBytes(64)
      const value = randomBytes(10_000)
      await producer.send({ topic, messages: [{ key, value }] })
      const [received] = await bench().readAll(topic, 1)
      expect(received!.message.key!.equals(key)).toBe(true)
      expect(received!.message.value!.equals(value)).toBe(true)
    })

    test('timestamps are kept as the producer set them', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      const timestamp = String(Date.now() - 60_000)
      await producer.send({ topic, messages: [{ value: 'a', timestamp }] })
      const [received] = await bench().readAll(topic, 1)
      expect(received!.message.timestamp).toBe(timestamp)
    })

    test('a timestamp far in the future is refused', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer({}, bench().impatientKafka())
      const timestamp = String(Date.now() + 2 * 86_400_000)
      expect(await refusalOf(producer.send({ topic, messages: [{ value: 'a', timestamp }] }))).toBe('INVALID_TIMESTAMP')
    })

    test('messages of almost one mebibyte pass', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer({ idempotent: true, maxInFlightRequests: 1 })
      const values = [randomBytes(1_048_000), randomBytes(1_048_000), randomBytes(1_048_000)]
      for (const value of values) await producer.send({ topic, messages: [{ value }] })
      const received = await bench().readAll(topic, 3)
      expect(received.map(({ message }) => values.findIndex((value) => value.equals(message.value!)))).toEqual([0, 1, 2])
    })

    test('a message over the limit is refused, and the producer goes on', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer({}, bench().impatientKafka())
      expect(await refusalOf(producer.send({ topic, messages: [{ value: randomBytes(1_048_588) }] }))).toBe('MESSAGE_TOO_LARGE')
      await producer.send({ topic, messages: [{ value: 'small' }] })
      expect((await bench().readAll(topic, 1)).map(({ message }) => String(message.value))).toEqual(['small'])
    })

    test("a topic's own limit on messages holds", async () => {
      const topic = await bench().topic({ configs: { 'max.message.bytes': '2000' } })
      const producer = await bench().producer({}, bench().impatientKafka())
      await producer.send({ topic, messages: [{ value: randomBytes(1_000) }] })
      expect(await refusalOf(producer.send({ topic, messages: [{ value: randomBytes(3_000) }] }))).toBe('MESSAGE_TOO_LARGE')
    })

    test('compressed and plain batches are read from one topic', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      await producer.send({ topic, messages: numbered(50), compression: CompressionTypes.GZIP })
      await producer.send({ topic, messages: numbered(5, 50) })
      await producer.send({ topic, messages: numbered(50, 55), compression: CompressionTypes.GZIP })
      const received = await bench().readAll(topic, 105)
      expect(received.map(({ message }) => Number(message.value))).toEqual(numbered(105).map(({ value }) => Number(value)))
      expect(received.map(({ message }) => Number(message.offset))).toEqual(received.map((_, index) => index))
    })

    test('one request may carry several topics', async () => {
      const topics = [await bench().topic(), await bench().topic({ partitions: 2 })]
      const producer = await bench().producer()
      const answers = await producer.sendBatch({
        topicMessages: topics.map((topic) => ({ topic, messages: [{ value: topic, partition: 0 }] })),
      })
      expect(answers.map(({ errorCode }) => errorCode)).toEqual([0, 0])
      for (const topic of topics) expect(String((await bench().readAll(topic, 1))[0]!.message.value)).toBe(topic)
    })

    test.each([0, 1, -1])('acks %i: the messages arrive', async (acks) => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      await producer.send({ topic, acks, messages: numbered(3) })
      await producer.send({ topic, acks, messages: numbered(3, 3) })
      const received = await bench().readAll(topic, 6)
      expect(received.map(({ message }) => String(message.value))).toEqual(numbered(6).map(({ value }) => value))
    })

    test('ten producers at once: every message once, offsets without gaps', async () => {
      const topic = await bench().topic({ partitions: 3 })
      const producers = await Promise.all(Array.from({ length: 10 }, () => bench().producer({ idempotent: true, maxInFlightRequests: 1 })))
      await Promise.all(
        producers.map(async (producer, who) => {
          for (let n = 0; n < 30; n++) await producer.send({ topic, messages: [{ key: `p${who}`, value: `${who}:${n}` }] })
        }),
      )
      const received = await bench().readAll(topic, 300)
      expect(new Set(received.map(({ message }) => String(message.value))).size).toBe(300)
      for (const partition of [0, 1, 2]) {
        const offsets = received.filter((each) => each.partition === partition).map(({ message }) => Number(message.offset))
        expect(offsets).toEqual(offsets.map((_, index) => index))
      }
    })
  })
}
