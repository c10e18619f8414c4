import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { CompressionTypes } from 'kafkajs'
import { describe, expect, test } from 'vitest'
import { type Bench, IDEMPOTENT, numbered, refusalOf } from './bench.ts'

const PRODUCE = 0
const values = (received: { message: { value: Buffer | null } }[]) => received.map(({ message }) => String(message.value))

/** A connection on which the answers to the next `losses` produce requests never arrive: the broker has written, the client cannot know. */
function losingAnswers(losses: { left: number }) {
  return ({ host, port, onConnect }: { host: string; port: number; onConnect: () => void }): Socket => {
    const socket = connect({ host, port }, onConnect)
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
    socket.write = ((request: Buffer, ...rest: unknown[]) => {
      if (request.readInt16BE(4) === PRODUCE && losses.left > 0) {
        losses.left--
        socket.removeAllListeners('data')
        socket.once('data', () => socket.destroy(new Error('the connection was lost')))
      }
      return write(request, ...rest)
    }) as typeof socket.write
    return socket
  }
}

export function messageCases(bench: () => Bench): void {
  describe('writing', () => {
    test('messages of one key stay in one partition and in their order', async () => {
      const topic = await bench().topic(6)
      const producer = await bench().producer(IDEMPOTENT)
      const keys = ['booking-a', 'booking-b', 'booking-c', 'booking-d', 'booking-e']
      for (let step = 0; step < 20; step++) await producer.send({ topic, messages: keys.map((key) => ({ key, value: String(step) })) })
      const received = await bench().readAll(topic, 100)
      for (const key of keys) {
        const ofKey = received.filter(({ message }) => String(message.key) === key)
        expect(new Set(ofKey.map(({ partition }) => partition)).size).toBe(1)
        expect(values(ofKey)).toEqual(numbered(20).map(({ value }) => value))
      }
    })

    test('keys, values, headers and tombstones come back byte for byte, with their offsets', async () => {
      const topic = await bench().topic(2)
      const producer = await bench().producer()
      const [key, value] = [randomBytes(64), randomBytes(10_000)]
      const headers = { raw: Buffer.from([0, 255, 1, 254]), twice: ['one', 'two'], umlaut: 'größe ✈' }
      await producer.send({ topic, messages: [{ key, value, headers, partition: 1 }] })
      const [answer] = await producer.send({
        topic,
        messages: [
          { key: 'gone', value: null, partition: 1 },
          { value: '', partition: 1 },
        ],
      })
      expect(answer).toMatchObject({ topicName: topic, partition: 1, errorCode: 0, baseOffset: '1' })
      const [first, second, third] = (await bench().readAll(topic, 3)).map(({ message }) => message)
      expect([first!.key!.equals(key), first!.value!.equals(value)]).toEqual([true, true])
      expect(first!.headers!.raw).toEqual(headers.raw)
      expect((first!.headers!.twice as Buffer[]).map(String)).toEqual(headers.twice)
      expect(String(first!.headers!.umlaut)).toBe(headers.umlaut)
      expect([second!.value, third!.key, String(third!.value)]).toEqual([null, null, ''])
    })

    test('almost one mebibyte passes; more, or more than the topic allows, is refused and the producer goes on', async () => {
      const [topic, small] = [await bench().topic(), await bench().topic(1, { 'max.message.bytes': '2000' })]
      const producer = await bench().producer({}, bench().impatientKafka())
      const value = randomBytes(1_048_000)
      await producer.send({ topic, messages: [{ value }] })
      expect(await refusalOf(producer.send({ topic, messages: [{ value: randomBytes(1_048_588) }] }))).toBe('MESSAGE_TOO_LARGE')
      expect(await refusalOf(producer.send({ topic: small, messages: [{ value: randomBytes(3_000) }] }))).toBe('MESSAGE_TOO_LARGE')
      await producer.send({ topic, messages: [{ value: 'small' }] })
      expect((await bench().readAll(topic, 2)).map(({ message }) => message.value!.length)).toEqual([value.length, 5])
    })

    test('compressed and plain batches are read from one topic, whatever acknowledgement was asked for', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      await producer.send({ topic, acks: 0, messages: numbered(50), compression: CompressionTypes.GZIP })
      await producer.send({ topic, acks: 1, messages: numbered(5, 50) })
      const received = await bench().readAll(topic, 55)
      expect(values(received)).toEqual(numbered(55).map(({ value }) => value))
      expect(received.map(({ message }) => Number(message.offset))).toEqual(received.map((_, index) => index))
    })
  })

  describe('idempotent producers', () => {
    test('a message whose answer was lost is stored once although it was sent twice', async () => {
      const topic = await bench().topic()
      const losses = { left: 0 }
      const producer = await bench().producer(IDEMPOTENT, bench().kafka({ socketFactory: losingAnswers(losses) }))
      await producer.send({ topic, messages: [{ value: 'before' }] })
      losses.left = 2
      await producer.send({ topic, messages: [{ value: 'resent' }] })
      await producer.send({ topic, messages: [{ value: 'after' }] })
      expect(losses.left).toBe(0)
      expect(values(await bench().readAll(topic, 3))).toEqual(['before', 'resent', 'after'])
    })

    test('after a send that failed for good, a new producer loses nothing', async () => {
      // kafkajs gives the sequence of a failed send to the next one. If the failed one is stored after all, the broker takes the next
      // for its repetition and drops it: with the old producer 'after' would be acknowledged and missing.
      const topic = await bench().topic()
      const kafka = bench().kafka({ socketFactory: losingAnswers({ left: 2 }), retry: { retries: 1, initialRetryTime: 20 } })
      const failing = await bench().producer(IDEMPOTENT, kafka)
      await expect(failing.send({ topic, messages: [{ value: 'unsure' }] })).rejects.toThrow('the connection was lost')
      const next = await bench().producer(IDEMPOTENT)
      await next.send({ topic, messages: [{ value: 'unsure' }] })
      await next.send({ topic, messages: [{ value: 'after' }] })
      expect(values(await bench().readAll(topic, 3))).toEqual(['unsure', 'unsure', 'after'])
    })

    test('a batch sent again is answered with the offset that it has, up to five batches back; a gap is refused', async () => {
      const topic = await bench().topic()
      const client = await bench().protocolClient()
      const id = await client.producerId()
      const send = (sequence: number) => client.produce(topic, numbered(2, sequence), { id, sequence })
      for (const sequence of [0, 2, 4, 6, 8]) expect(await send(sequence)).toBe(sequence)
      for (const sequence of [8, 0, 4]) expect(await send(sequence)).toBe(sequence)
      expect(await refusalOf(send(20))).toBe('OUT_OF_ORDER_SEQUENCE_NUMBER')
      expect(await send(10)).toBe(10)
      expect((await client.fetch(topic, { offset: 0 })).highWatermark).toBe(12)
    })

    test('an older epoch is refused, a newer one begins again at zero', async () => {
      const topic = await bench().topic()
      const client = await bench().protocolClient()
      const id = await client.producerId()
      const send = (epoch: number, sequence: number) => client.produce(topic, numbered(1), { id, epoch, sequence })
      await send(3, 0)
      expect(await refusalOf(send(2, 1))).toBe('INVALID_PRODUCER_EPOCH')
      expect(await refusalOf(send(4, 7))).toBe('OUT_OF_ORDER_SEQUENCE_NUMBER')
      expect(await send(4, 0)).toBe(1)
    })
  })

  describe('reading', () => {
    test('a waiting fetch is answered by the first message, or when it has its least number of bytes, or when its time is over', async () => {
      const topic = await bench().topic()
      const [client, patient, producer] = [await bench().protocolClient(), await bench().protocolClient(), await bench().producer()]
      expect(await client.fetch(topic, { offset: 0, maxWaitTime: 100 })).toEqual({ values: [], highWatermark: 0 })
      // The wait is longer than the test may take: only messages can end it.
      const first = client.fetch(topic, { offset: 0, maxWaitTime: 60_000 })
      const enough = patient.fetch(topic, { offset: 0, maxWaitTime: 60_000, minBytes: 10_000 })
      await producer.send({ topic, messages: [{ value: 'small' }] })
      expect((await first).values).toEqual(['small'])
      await producer.send({ topic, messages: [{ value: 'x'.repeat(12_000) }] })
      expect((await enough).values).toHaveLength(2)
    })

    test('a fetch keeps to its most bytes, but always brings one batch', async () => {
      const topic = await bench().topic()
      const client = await bench().protocolClient()
      for (let n = 0; n < 6; n++) await client.produce(topic, [{ value: `${n}${'x'.repeat(1_000)}` }])
      const fetched = async (limits: object) => (await client.fetch(topic, { offset: 2, ...limits })).values.map((value) => value[0])
      expect((await fetched({ maxBytesPerPartition: 3_500 })).length).toBeLessThanOrEqual(3)
      expect((await fetched({ maxBytes: 3_500 })).length).toBeLessThanOrEqual(3)
      expect(await fetched({ maxBytes: 10, maxBytesPerPartition: 10 })).toEqual(['2'])
      expect(await fetched({})).toEqual(['2', '3', '4', '5'])
    })

    test('an offset beyond the end is refused, and a consumer starts over at its default', async () => {
      const topic = await bench().topic()
      const client = await bench().protocolClient()
      await client.produce(topic, numbered(2))
      expect(await refusalOf(client.fetch(topic, { offset: 99 }))).toBe('OFFSET_OUT_OF_RANGE')
      const groupId = bench().groupId()
      await client.commit(groupId, -1, '', topic, 99)
      const reading = await bench().read(topic, groupId)
      await expect.poll(reading.values).toEqual(['0', '1'])
    })

    test('from the beginning everything comes, from the end only what is new, from inside a batch the rest of it', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      await producer.send({ topic, messages: numbered(3) })
      const [fromEnd, fromStart, inside] = [
        await bench().read(topic, undefined, { fromBeginning: false }),
        await bench().read(topic),
        await bench().read(topic, undefined, { fromBeginning: false }),
      ]
      inside.consumer.seek({ topic, partition: 0, offset: '1' })
      await producer.send({ topic, messages: numbered(2, 3) })
      await expect.poll(fromEnd.values).toEqual(['3', '4'])
      await expect.poll(fromStart.values).toEqual(['0', '1', '2', '3', '4'])
      await expect.poll(inside.values).toEqual(['1', '2', '3', '4'])
      expect(await (await bench().admin()).fetchTopicOffsets(topic)).toMatchObject([{ partition: 0, low: '0', high: '5' }])
    })
  })
}
