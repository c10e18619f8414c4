/** MongoDB, Kafka and Redis from their official images, for a test run; testcontainers removes them afterwards. */
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import mongoose from 'mongoose'
import { freePort } from '../ports.ts'

export type ContainerServers = { MONGO_URL: string; KAFKA_BROKERS: string; REDIS_URL: string; versions: string; stop(): Promise<void> }

const IMAGES = { mongo: 'mongo:8.0', kafka: 'apache/kafka:4.3.1', redis: 'redis:8.0' }
const SOCKET = '/var/run/docker.sock'

/** Null when an engine answers, else why none does. */
export function dockerProblem(): Promise<string | null> {
  const socket = (process.env.DOCKER_HOST ?? `unix://${SOCKET}`).replace(/^unix:\/\//, '')
  if (socket.startsWith('tcp')) return Promise.resolve(null)
  if (!existsSync(socket)) return Promise.resolve(`no Docker engine: ${socket} is not there`)
  return new Promise((resolve) => {
    const probe = connect(socket)
    probe.once('connect', () => {
      probe.destroy()
      resolve(null)
    })
    probe.once('error', (error) => resolve(`no Docker engine answers at ${socket}: ${error.message}`))
  })
}

export async function startContainers(): Promise<ContainerServers> {
  // Where the tests themselves run in something that looks like a container, its published ports are still on this machine.
  if (existsSync('/.dockerenv')) process.env.TESTCONTAINERS_HOST_OVERRIDE ??= 'localhost'
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  const { GenericContainer, Wait } = await import('testcontainers')
  const kafkaPort = await freePort()
  const [mongo, kafka, redis] = await Promise.all([
    new GenericContainer(IMAGES.mongo)
      .withCommand(['mongod', '--replSet', 'rs0', '--bind_ip_all', '--wiredTigerCacheSizeGB', '0.5'])
      .withExposedPorts(27017)
      .withWaitStrategy(Wait.forLogMessage(/Waiting for connections/))
      .start(),
    new GenericContainer(IMAGES.kafka)
      .withExposedPorts({ container: 9092, host: kafkaPort })
      .withEnvironment({
        KAFKA_NODE_ID: '1',
        KAFKA_PROCESS_ROLES: 'broker,controller',
        KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
        KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
        // The broker must name the port that clients outside the container see.
        KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://localhost:${kafkaPort}`,
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
        KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
        KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
        KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '10',
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
        KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '200',
        KAFKA_HEAP_OPTS: '-Xmx512m',
      })
      .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
      .start(),
    new GenericContainer(IMAGES.redis)
      .withExposedPorts(6379)
      .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
      .start(),
  ])
  const MONGO_URL = `mongodb://localhost:${mongo.getMappedPort(27017)}/?directConnection=true&w=majority&journal=true`
  const mongoVersion = await initiate(MONGO_URL)
  return {
    MONGO_URL,
    KAFKA_BROKERS: `localhost:${kafkaPort}`,
    REDIS_URL: `redis://localhost:${redis.getMappedPort(6379)}`,
    versions: `${IMAGES.mongo} (server ${mongoVersion}), ${IMAGES.kafka}, ${IMAGES.redis}`,
    stop: async () => void (await Promise.allSettled([mongo.stop(), kafka.stop(), redis.stop()])),
  }
}

/** A replica set of one, known by the name that the server has for itself; clients connect directly. */
async function initiate(url: string): Promise<string> {
  const connection = await mongoose.createConnection(url).asPromise()
  try {
    await connection.db?.admin().command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: 'localhost:27017' }] } })
    while ((await connection.db?.command({ hello: 1 }))?.isWritablePrimary !== true) await new Promise((done) => setTimeout(done, 100))
    return String((await connection.db?.admin().command({ buildInfo: 1 }))?.version)
  } finally {
    await connection.close()
  }
}
