import type { ITopicConfig } from 'kafkajs'
import { describe, expect, test } from 'vitest'
import { type Bench, numbered, refusalOf } from './bench.ts'

export function topicCases(bench: () => Bench): void {
  describe('topics', () => {
    test('a topic is made once with its partitions and configs, each led by a broker of the cluster', async () => {
      const topic = await bench().topic(4, { 'retention.ms': '3600000', 'cleanup.policy': 'compact', 'min.insync.replicas': '1' })
      const admin = await bench().admin()
      expect(await admin.createTopics({ topics: [{ topic, numPartitions: 5 }] })).toBe(false)
      const { brokers, controller } = await admin.describeCluster()
      const ids = brokers.map(({ nodeId }) => nodeId)
      expect(ids).toContain(controller)
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
      expect(topics[0]!.partitions.map(({ partitionId }) => partitionId).sort()).toEqual([0, 1, 2, 3])
      for (const { leader, replicas, isr } of topics[0]!.partitions)
        expect([ids.includes(leader), replicas.includes(leader), isr.includes(leader)]).toEqual([true, true, true])
    })

    test.each<[string, Partial<ITopicConfig>, string]>([
      ['no partitions', { numPartitions: 0 }, 'INVALID_PARTITIONS'],
      ['more replicas than brokers', { replicationFactor: 99 }, 'INVALID_REPLICATION_FACTOR'],
      ['a config that does not exist', { configEntries: [{ name: 'no.such.config', value: '1' }] }, 'INVALID_CONFIG'],
      ['a config with a senseless value', { configEntries: [{ name: 'retention.ms', value: 'soon' }] }, 'INVALID_CONFIG'],
      ['a blank in its name', { topic: 'with blank' }, 'INVALID_TOPIC_EXCEPTION'],
      ['dots for a name', { topic: '..' }, 'INVALID_TOPIC_EXCEPTION'],
    ])('a topic with %s is refused', async (_what, settings, expected) => {
      const topic = bench().topicName()
      const admin = await bench().admin(bench().impatientKafka())
      expect(await refusalOf(admin.createTopics({ topics: [{ topic, ...settings }] }))).toBe(expected)
      expect(await admin.listTopics()).not.toContain(settings.topic ?? topic)
    })

    test('validating a topic makes none, neither does asking for it, sending to it or reading from it', async () => {
      const topic = bench().topicName()
      const admin = await bench().admin()
      await admin.createTopics({ validateOnly: true, waitForLeaders: false, topics: [{ topic }] })
      const client = await bench().protocolClient()
      const attempts = [client.metadata(topic), client.produce(topic, numbered(1)), client.fetch(topic, { offset: 0 })]
      expect(await Promise.all(attempts.map(refusalOf))).toEqual(Array(3).fill('UNKNOWN_TOPIC_OR_PARTITION'))
      expect(await admin.listTopics()).not.toContain(topic)
    })
  })
}
