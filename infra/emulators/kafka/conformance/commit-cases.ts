import type { Admin, ConsumerConfig } from 'kafkajs'
import { describe, expect, test } from 'vitest'
import { type Bench, numbered, refusalOf } from './bench.ts'

export function commitCases(bench: () => Bench): void {
  const committed = async (groupId: string, topic: string) => (await (await bench().protocolClient()).committed(groupId, topic)).offset

  /** A consumer of a topic with so many messages, subscribed and not yet running. */
  const begin = async (messages: number, config: Partial<ConsumerConfig> = {}) => {
    const topic = await bench().topic()
    const groupId = bench().groupId()
    const producer = await bench().producer()
    await producer.send({ topic, messages: numbered(messages) })
    const consumer = await bench().consumer({ groupId, ...config })
    await consumer.subscribe({ topic, fromBeginning: true })
    return { topic, groupId, producer, consumer }
  }

  describe('committed offsets', () => {
    test('a group goes on after what it has committed', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      await producer.send({ topic, messages: numbered(5) })
      const first = await bench().read(topic)
      await first.untilValue('4')
      await first.consumer.disconnect()
      await producer.send({ topic, messages: numbered(3, 5) })
      const second = await bench().read(topic, { groupId: first.groupId })
      await second.untilValue('7')
      expect(second.values()).toEqual(['5', '6', '7'])
    })

    test('without automatic commits only what was committed by hand is not read again', async () => {
      const { topic, groupId, consumer } = await begin(6)
      await new Promise<void>((resolve) =>
        consumer.run({
          autoCommit: false,
          eachMessage: async ({ message, partition }) => {
            if (message.offset === '2') await consumer.commitOffsets([{ topic, partition, offset: '3', metadata: 'by hand' }])
            if (message.offset === '5') resolve()
          },
        }),
      )
      await consumer.disconnect()
      const admin = await bench().admin()
      expect(await admin.fetchOffsets({ groupId, topics: [topic] })).toEqual([
        { topic, partitions: [{ partition: 0, offset: '3', metadata: 'by hand' }] },
      ])
      const reading = await bench().read(topic, { groupId })
      await reading.untilValue('5')
      expect(reading.values()).toEqual(['3', '4', '5'])
    })

    test('autoCommitThreshold commits in the middle of a batch', async () => {
      const { topic, groupId, consumer } = await begin(10)
      const seen = await new Promise<string>((resolve) =>
        consumer.run({
          autoCommitThreshold: 3,
          eachMessage: async ({ message }) => {
            if (message.offset === '8') resolve(await committed(groupId, topic))
          },
        }),
      )
      expect(seen).toBe('6')
    })

    test('a handler that throws gets the same message again, and nothing after it before', async () => {
      const { consumer } = await begin(5, { retry: { initialRetryTime: 50, retries: 5 } })
      const handled: string[] = []
      await new Promise<void>((resolve) =>
        consumer.run({
          eachMessage: async ({ message }) => {
            handled.push(String(message.value))
            if (handled.filter((value) => value === '2').length < 3 && String(message.value) === '2') throw new Error('not now')
            if (String(message.value) === '4') resolve()
          },
        }),
      )
      expect(handled).toEqual(['0', '1', '2', '2', '2', '3', '4'])
    })

    test('a batch handler commits what it has resolved, and gets the rest again', async () => {
      const { topic, groupId, producer, consumer } = await begin(10)
      await new Promise<void>((resolve) =>
        consumer.run({
          eachBatchAutoResolve: false,
          eachBatch: async ({ batch, resolveOffset, heartbeat, commitOffsetsIfNecessary, uncommittedOffsets }) => {
            for (const message of batch.messages.slice(0, 4)) {
              resolveOffset(message.offset)
              await heartbeat()
            }
            await commitOffsetsIfNecessary(uncommittedOffsets())
            resolve()
          },
        }),
      )
      await consumer.disconnect()
      // The handler may have been called again before the consumer was told to stop: four more each time, never a gap.
      const next = Number(await committed(groupId, topic))
      expect([4, 8, 10]).toContain(next)
      const reading = await bench().read(topic, { groupId })
      await producer.send({ topic, messages: numbered(1, 10) })
      await reading.untilValue('10')
      expect(reading.values()[0]).toBe(String(next))
    })

    test('nothing committed is told as -1, and a commit to an unknown topic is refused', async () => {
      const topic = await bench().topic()
      const groupId = bench().groupId()
      const client = await bench().protocolClient()
      expect((await client.committed(groupId, topic)).offset).toBe('-1')
      const unknown = bench().topicName()
      const commit = client.commit(groupId, -1, '', [{ topic: unknown, partitions: [{ partition: 0, offset: '1' }] }])
      expect(await refusalOf(commit)).toBe('UNKNOWN_TOPIC_OR_PARTITION')
    })

    test('commit metadata over 4096 bytes is refused', async () => {
      const topic = await bench().topic()
      const groupId = bench().groupId()
      const client = await bench().protocolClient()
      const commit = (metadata: string) =>
        client.commit(groupId, -1, '', [{ topic, partitions: [{ partition: 0, offset: '1', metadata }] }])
      await commit('x'.repeat(4_096))
      expect(await refusalOf(commit('x'.repeat(4_097)))).toBe('OFFSET_METADATA_TOO_LARGE')
    })

    test('an administrator sets and resets the offsets of a group', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      await producer.send({ topic, messages: numbered(5) })
      const [set, reset] = [bench().groupId(), bench().groupId()]
      const client = await bench().protocolClient()
      for (const groupId of [set, reset]) await client.commit(groupId, -1, '', [{ topic, partitions: [{ partition: 0, offset: '4' }] }])
      // Each takes kafkajs one idle fetch of five seconds.
      const change = async (work: (admin: Admin) => Promise<unknown>) => work(await bench().admin())
      await Promise.all([
        change((admin) => admin.setOffsets({ groupId: set, topic, partitions: [{ partition: 0, offset: '2' }] })),
        change((admin) => admin.resetOffsets({ groupId: reset, topic, earliest: true })),
      ])
      expect(await committed(set, topic)).toBe('2')
      const readings = [await bench().read(topic, { groupId: set }), await bench().read(topic, { groupId: reset })] as const
      for (const reading of readings) await reading.untilValue('4')
      expect(readings.map((reading) => reading.values()[0])).toEqual(['2', '0'])
    })

    test('all offsets of a group are told when no topic is named', async () => {
      const topics = [await bench().topic(), await bench().topic()]
      const groupId = bench().groupId()
      const client = await bench().protocolClient()
      for (const [index, topic] of topics.entries())
        await client.commit(groupId, -1, '', [{ topic, partitions: [{ partition: 0, offset: `${index + 1}` }] }])
      const offsets = await (await bench().admin()).fetchOffsets({ groupId })
      expect(Object.fromEntries(offsets.map(({ topic, partitions }) => [topic, partitions[0]!.offset]))).toEqual({
        [topics[0]!]: '1',
        [topics[1]!]: '2',
      })
    })
  })
}
