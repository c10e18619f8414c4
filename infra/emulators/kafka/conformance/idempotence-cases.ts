import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Bench, numbered, refusalOf } from './bench.ts'

const PRODUCE = 0

/** A connection on which the answers to the first `losses` produce requests never arrive: the broker has written, the client cannot know. */
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

export function idempotenceCases(bench: () => Bench): void {
  describe('idempotent producers', () => {
    test('each has an id of its own', async () => {
      const client = await bench().protocolClient()
      const ids = [await client.producerId(), await client.producerId(), await client.producerId()]
      expect(new Set(ids).size).toBe(3)
    })

    test('a message whose answer was lost is stored once although it was sent twice', async () => {
      const topic = await bench().topic()
      const losses = { left: 0 }
      const kafka = bench().kafka({ socketFactory: losingAnswers(losses) })
      const producer = await bench().producer({ idempotent: true, maxInFlightRequests: 1 }, kafka)
      await producer.send({ topic, messages: [{ value: 'before' }] })
      losses.left = 2
      await producer.send({ topic, messages: [{ value: 'resent' }] })
      await producer.send({ topic, messages: [{ value: 'after' }] })
      expect(losses.left).toBe(0)
      const received = await bench().readAll(topic, 3)
      expect(received.map(({ message }) => String(message.value))).toEqual(['before', 'resent', 'after'])
    })

    test('the same loss with a plain producer stores the message twice', async () => {
      const topic = await bench().topic()
      const losses = { left: 0 }
      const producer = await bench().producer({}, bench().kafka({ socketFactory: losingAnswers(losses) }))
      await producer.send({ topic, messages: [{ value: 'before' }] })
      losses.left = 1
      await producer.send({ topic, messages: [{ value: 'resent' }] })
      const received = await bench().readAll(topic, 3)
      expect(received.map(({ message }) => String(message.value))).toEqual(['before', 'resent', 'resent'])
    })

    test('after a send that failed for good, a new producer loses nothing', async () => {
      // kafkajs gives the sequence of a failed send to the next one. If the failed one is stored after all, the broker takes the next
      // for its repetition and drops it: with the old producer 'after' would be acknowledged and missing.
      const topic = await bench().topic()
      const losses = { left: 2 }
      const kafka = bench().kafka({ socketFactory: losingAnswers(losses), retry: { retries: 1, initialRetryTime: 20 } })
      const failing = await bench().producer({ idempotent: true, maxInFlightRequests: 1 }, kafka)
      await expect(failing.send({ topic, messages: [{ value: 'unsure' }] })).rejects.toThrow('the connection was lost')
      const next = await bench().producer({ idempotent: true, maxInFlightRequests: 1 })
      await next.send({ topic, messages: [{ value: 'unsure' }] })
      await next.send({ topic, messages: [{ value: 'after' }] })
      const received = await bench().readAll(topic, 3)
      expect(received.map(({ message }) => String(message.value))).toEqual(['unsure', 'unsure', 'after'])
    })

    test('a batch sent again is answered with the offset that it has, up to five batches back', async () => {
      const topic = await bench().topic()
      const client = await bench().protocolClient()
      const id = await client.producerId()
      const offsets: number[] = []
      for (let sequence = 0; sequence < 10; sequence += 2)
        offsets.push(await client.produce(topic, numbered(2, sequence), { id, sequence }))
      expect(offsets).toEqual([0, 2, 4, 6, 8])
      for (const sequence of [8, 0, 4]) expect(await client.produce(topic, numbered(2, sequence), { id, sequence })).toBe(sequence)
      expect((await client.fetch(topic, { offset: 0 })).highWatermark).toBe(10)
    })

    test('a gap in the sequence is refused, and the next in order is taken', async () => {
      const topic = await bench().topic()
      const client = await bench().protocolClient()
      const id = await client.producerId()
      await client.produce(topic, numbered(1), { id, sequence: 0 })
      expect(await refusalOf(client.produce(topic, numbered(1), { id, sequence: 5 }))).toBe('OUT_OF_ORDER_SEQUENCE_NUMBER')
      expect(await client.produce(topic, numbered(1, 1), { id, sequence: 1 })).toBe(1)
    })

    test('an older epoch is refused, a newer one begins again at zero', async () => {
      const topic = await bench().topic()
      const client = await bench().protocolClient()
      const id = await client.producerId()
      await client.produce(topic, numbered(1), { id, epoch: 3, sequence: 0 })
      expect(await refusalOf(client.produce(topic, numbered(1), { id, epoch: 2, sequence: 1 }))).toBe('INVALID_PRODUCER_EPOCH')
      expect(await refusalOf(client.produce(topic, numbered(1), { id, epoch: 4, sequence: 7 }))).toBe('OUT_OF_ORDER_SEQUENCE_NUMBER')
      expect(await client.produce(topic, numbered(1), { id, epoch: 4, sequence: 0 })).toBe(1)
    })

    test('the sequences of two partitions do not disturb each other', async () => {
      const topic = await bench().topic({ partitions: 2 })
      const producer = await bench().producer({ idempotent: true, maxInFlightRequests: 1 })
      for (let n = 0; n < 10; n++) await producer.send({ topic, messages: [{ value: String(n), partition: n % 2 }] })
      const received = await bench().readAll(topic, 10)
      expect(received.filter(({ partition }) => partition === 0).map(({ message }) => String(message.value))).toEqual([
        '0',
        '2',
        '4',
        '6',
        '8',
      ])
      expect(received.filter(({ partition }) => partition === 1).map(({ message }) => String(message.value))).toEqual([
        '1',
        '3',
        '5',
        '7',
        '9',
      ])
    })
  })
}
