import { ConfigResourceTypes, type ITopicConfig } from 'kafkajs'
import { describe, expect, test } from 'vitest'
import { type Bench, numbered, refusalOf } from './bench.ts'

async function configsOf(bench: Bench, topic: string, names: string[]): Promise<Record<string, string>> {
  const admin = await bench.admin()
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configNames: names }],
  })
  return Object.fromEntries(resources[0]!.configEntries.map(({ configName, configValue }) => [configName, configValue]))
}

export function topicCases(bench: () => Bench): void {
  describe('topics', () => {
    test('a topic is made with its partitions and its configs, and the rest has defaults', async () => {
      const topic = await bench().topic({ partitions: 4, configs: { 'retention.ms': '3600000', 'cleanup.policy': 'compact' } })
      const admin = await bench().admin()
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
      expect(topics[0]!.partitions.map(({ partitionId }) => partitionId).sort()).toEqual([0, 1, 2, 3])
      expect(await configsOf(bench(), topic, ['retention.ms', 'cleanup.policy', 'max.message.bytes'])).toEqual({
        'retention.ms': '3600000',
        'cleanup.policy': 'compact',
        'max.message.bytes': '1048588',
      })
    })

    test('a config says whether it was set for the topic or is the default', async () => {
      const topic = await bench().topic({ configs: { 'retention.ms': '3600000' } })
      const admin = await bench().admin()
      const resource = { type: ConfigResourceTypes.TOPIC, name: topic, configNames: ['retention.ms', 'min.cleanable.dirty.ratio'] }
      const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [resource] })
      const isDefault = Object.fromEntries(resources[0]!.configEntries.map((entry) => [entry.configName, entry.isDefault]))
      expect(isDefault).toEqual({ 'retention.ms': false, 'min.cleanable.dirty.ratio': true })
    })

    test('making a topic again changes nothing and says that it exists', async () => {
      const topic = await bench().topic({ partitions: 2 })
      const admin = await bench().admin()
      expect(await admin.createTopics({ topics: [{ topic, numPartitions: 5 }] })).toBe(false)
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
      expect(topics[0]!.partitions).toHaveLength(2)
    })

    test.each<[string, Partial<ITopicConfig>, string]>([
      ['no partitions', { numPartitions: 0 }, 'INVALID_PARTITIONS'],
      ['more replicas than brokers', { replicationFactor: 99 }, 'INVALID_REPLICATION_FACTOR'],
      ['a config that does not exist', { configEntries: [{ name: 'no.such.config', value: '1' }] }, 'INVALID_CONFIG'],
      ['a config with a senseless value', { configEntries: [{ name: 'retention.ms', value: 'soon' }] }, 'INVALID_CONFIG'],
    ])('a topic with %s is refused', async (_what, settings, expected) => {
      const topic = bench().topicName()
      const admin = await bench().admin(bench().impatientKafka())
      expect(await refusalOf(admin.createTopics({ topics: [{ topic, ...settings }] }))).toBe(expected)
      expect(await admin.listTopics()).not.toContain(topic)
    })

    test.each(['with blank', 'slash/ed', '..'])('the topic name "%s" is refused', async (topic) => {
      const admin = await bench().admin(bench().impatientKafka())
      expect(await refusalOf(admin.createTopics({ topics: [{ topic }] }))).toBe('INVALID_TOPIC_EXCEPTION')
    })

    test('two topics whose names differ only by dot and underscore are refused', async () => {
      const topic = await bench().topic()
      const admin = await bench().admin(bench().impatientKafka())
      const dotted = `${topic}.a`
      await bench().make({ topic: dotted })
      expect(await refusalOf(admin.createTopics({ topics: [{ topic: `${topic}_a` }] }))).toBe('INVALID_TOPIC_EXCEPTION')
      await admin.deleteTopics({ topics: [dotted] })
    })

    test('validating a topic makes none', async () => {
      const topic = bench().topicName()
      const admin = await bench().admin()
      await admin.createTopics({ validateOnly: true, waitForLeaders: false, topics: [{ topic, numPartitions: 2 }] })
      expect(await admin.listTopics()).not.toContain(topic)
    })

    test('a topic that does not exist is refused and not made by asking or by sending', async () => {
      const topic = bench().topicName()
      const client = await bench().protocolClient()
      expect(await refusalOf(client.metadata(topic))).toBe('UNKNOWN_TOPIC_OR_PARTITION')
      const producer = await bench().producer({}, bench().impatientKafka())
      expect(await refusalOf(producer.send({ topic, messages: numbered(1) }))).toBe('UNKNOWN_TOPIC_OR_PARTITION')
      expect(await refusalOf(client.produce(topic, numbered(1)))).toBe('UNKNOWN_TOPIC_OR_PARTITION')
      expect(await refusalOf(client.fetch(topic, { offset: 0 }))).toBe('UNKNOWN_TOPIC_OR_PARTITION')
      const admin = await bench().admin()
      expect(await admin.listTopics()).not.toContain(topic)
    })

    test('metadata names one leader per partition, and the cluster its controller', async () => {
      const topic = await bench().topic({ partitions: 3 })
      const admin = await bench().admin()
      const cluster = await admin.describeCluster()
      const ids = cluster.brokers.map(({ nodeId }) => nodeId)
      expect(ids).toContain(cluster.controller)
      expect(cluster.clusterId).toMatch(/./)
      const client = await bench().protocolClient()
      // One broker may know the leaders a moment before another connection is told.
      await expect.poll(async () => (await client.metadata(topic)).map(({ leader }) => ids.includes(leader))).toEqual([true, true, true])
      for (const partition of await client.metadata(topic)) {
        expect(ids).toContain(partition.leader)
        expect(partition.replicas).toContain(partition.leader)
        expect(partition.isr).toContain(partition.leader)
      }
    })

    test('partitions can be added and not taken away', async () => {
      const topic = await bench().topic({ partitions: 2 })
      const admin = await bench().admin(bench().impatientKafka())
      await admin.createPartitions({ topicPartitions: [{ topic, count: 5 }] })
      const partitionIds = async () =>
        (await admin.fetchTopicMetadata({ topics: [topic] })).topics[0]!.partitions.map(({ partitionId }) => partitionId)
      await expect.poll(async () => (await partitionIds()).sort()).toEqual([0, 1, 2, 3, 4])
      expect(await refusalOf(admin.createPartitions({ topicPartitions: [{ topic, count: 3 }] }))).toBe('INVALID_PARTITIONS')
      expect(await refusalOf(admin.createPartitions({ topicPartitions: [{ topic, count: 5 }] }))).toBe('INVALID_PARTITIONS')
    })

    test('a consumer that runs is given the partitions that are added', async () => {
      const topic = await bench().topic()
      const admin = await bench().admin()
      const reading = await bench().read(topic, { consumer: { metadataMaxAge: 300 } })
      await admin.createPartitions({ topicPartitions: [{ topic, count: 3 }] })
      const producer = await bench().producer()
      await producer.send({ topic, messages: [0, 1, 2].map((partition) => ({ partition, value: `in ${partition}` })) })
      await reading.until((messages) => new Set(messages.map(({ partition }) => partition)).size === 3)
    })

    test('altering configs replaces all that were set', async () => {
      const topic = await bench().topic({ configs: { 'retention.ms': '3600000', 'max.message.bytes': '5000' } })
      const admin = await bench().admin(bench().impatientKafka())
      const alter = (name: string, value: string) =>
        admin.alterConfigs({
          validateOnly: false,
          resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configEntries: [{ name, value }] }],
        })
      await alter('retention.ms', '7200000')
      await expect
        .poll(() => configsOf(bench(), topic, ['retention.ms', 'max.message.bytes']))
        .toEqual({ 'retention.ms': '7200000', 'max.message.bytes': '1048588' })
      expect(await refusalOf(alter('retention.ms', 'later'))).toBe('INVALID_CONFIG')
    })

    test('the configs of an unknown topic are refused', async () => {
      const admin = await bench().admin(bench().impatientKafka())
      const resources = [{ type: ConfigResourceTypes.TOPIC, name: bench().topicName() }]
      expect(await refusalOf(admin.describeConfigs({ includeSynonyms: false, resources }))).toBe('UNKNOWN_TOPIC_OR_PARTITION')
    })

    test('a deleted topic is gone, and made anew it is empty and the groups begin it anew', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      await producer.send({ topic, messages: numbered(3) })
      const reading = await bench().read(topic)
      await reading.untilValue('2')
      await reading.consumer.disconnect()

      const admin = await bench().admin()
      await admin.deleteTopics({ topics: [topic] })
      await expect.poll(() => admin.listTopics()).not.toContain(topic)
      expect(await refusalOf((await bench().protocolClient()).produce(topic, numbered(1)))).toBe('UNKNOWN_TOPIC_OR_PARTITION')

      await bench().make({ topic, numPartitions: 1 })
      expect(await admin.fetchTopicOffsets(topic)).toMatchObject([{ low: '0', high: '0' }])
      expect(await admin.fetchOffsets({ groupId: reading.groupId, topics: [topic] })).toMatchObject([{ partitions: [{ offset: '-1' }] }])
    })

    test('deleting a topic that does not exist is refused', async () => {
      const admin = await bench().admin(bench().impatientKafka())
      expect(await refusalOf(admin.deleteTopics({ topics: [bench().topicName()] }))).toBe('UNKNOWN_TOPIC_OR_PARTITION')
    })

    test('forty partitions hold what their keys bring, and all is read', async () => {
      const topic = await bench().topic({ partitions: 40 })
      const producer = await bench().producer({ idempotent: true, maxInFlightRequests: 1 })
      const messages = numbered(400).map((message) => ({ ...message, key: message.value }))
      await producer.send({ topic, messages })
      const received = await bench().readAll(topic, 400)
      expect(new Set(received.map(({ partition }) => partition)).size).toBe(40)
      expect(new Set(received.map(({ message }) => String(message.value))).size).toBe(400)
    })
  })
}
