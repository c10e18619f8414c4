/** MongoDB, Kafka and Redis for integration tests: the addresses in the environment, else emulators in memory. */
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { allTopics } from '@passerelle/contracts/events/topics'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { startBackbone } from '../backbone.ts'

export type TestServers = {
  /** For `start(service, { ...environment })`: addresses, and names of this test file's own on shared servers. */
  environment: { MONGO_URL: string; KAFKA_BROKERS: string; REDIS_URL: string; REDIS_COMMAND_MS: string; NAMESPACE: string }
  stop(): Promise<void>
}

/** A machine that is busy with other tests does not make a miss of what is in the cache. */
export const PATIENT_CACHE = { REDIS_COMMAND_MS: '2000' }

export async function testServers(): Promise<TestServers> {
  const NAMESPACE = `t${randomBytes(4).toString('hex')}-`
  const { MONGO_URL, KAFKA_BROKERS, REDIS_URL, stop } = await startBackbone({ environment: process.env })
  const admin = new Kafka({ brokers: KAFKA_BROKERS.split(','), logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  const topics = allTopics.map(({ name, partitions }) => ({ topic: NAMESPACE + name, numPartitions: partitions }))
  // For a moment a broker says that it does not host a new topic; kafkajs takes that as final in its own `waitForLeaders`.
  await admin.createTopics({ topics, waitForLeaders: false })
  for (let tries = 100; !(await areLed(admin, topics)); tries--) {
    if (tries === 0) throw new Error(`no leaders for ${topics.map(({ topic }) => topic).join(', ')}`)
    await setTimeout(100)
  }
  await admin.disconnect()
  return { environment: { MONGO_URL, KAFKA_BROKERS, REDIS_URL, NAMESPACE, ...PATIENT_CACHE }, stop }
}

async function areLed(admin: Admin, wanted: { topic: string }[]): Promise<boolean> {
  const found = await admin.fetchTopicMetadata({ topics: wanted.map(({ topic }) => topic) }).catch(() => null)
  return (
    found !== null &&
    found.topics.length === wanted.length &&
    found.topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0))
  )
}
