/** MongoDB, Kafka and Redis for integration tests: the addresses in the environment, else emulators in memory. */
import { randomBytes } from 'node:crypto'
import { prepareTopics, startBackbone } from './backbone.ts'

export type TestServers = {
  /** For `start(service, { ...environment })`: addresses, and names of this test file's own on shared servers. */
  environment: { MONGO_URL: string; KAFKA_BROKERS: string; REDIS_URL: string; NAMESPACE: string }
  stop(): Promise<void>
}

export async function testServers(): Promise<TestServers> {
  const NAMESPACE = `t${randomBytes(4).toString('hex')}-`
  const { MONGO_URL, KAFKA_BROKERS, REDIS_URL, stop } = await startBackbone({ environment: process.env })
  await prepareTopics(KAFKA_BROKERS, { NAMESPACE })
  return { environment: { MONGO_URL, KAFKA_BROKERS, REDIS_URL, NAMESPACE }, stop }
}
