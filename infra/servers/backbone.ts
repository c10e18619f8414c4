/**
 * MongoDB, Kafka and Redis, each on its own: the address in the environment; the real servers of this machine with SERVERS=real;
 * the emulator otherwise. Nothing else in the product knows which one it is.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startKafkaEmulator } from '@passerelle/emulators/kafka/server'
import { startMongoEmulator } from '@passerelle/emulators/mongo/server'
import { startRedisEmulator } from '@passerelle/emulators/redis/server'
import { type RealServers, realServers } from './real-servers.ts'

type Environment = Record<string, string | undefined>

export type Backbone = {
  MONGO_URL: string
  KAFKA_BROKERS: string
  REDIS_URL: string
  /** One line for people, per server. */
  behind: { mongo: string; kafka: string; redis: string }
  stop(): Promise<void>
}

type Part = { address: string; behind: string; stop(): Promise<void> }

function withoutPassword(address: string): string {
  return address.replace(/\/\/[^@/]*@/, '//')
}

export async function startBackbone({ environment, dataDir }: { environment: Environment; dataDir?: string }): Promise<Backbone> {
  const real = environment.SERVERS === 'real' ? await realServers(dataDir ?? '.data') : undefined
  const folder = (name: string) => {
    if (!dataDir) return {}
    const path = join(dataDir, name)
    mkdirSync(path, { recursive: true })
    return { dataDir: path }
  }
  const part = async (name: keyof RealServers, emulator: () => Promise<{ address: string; stop(): Promise<void> }>): Promise<Part> => {
    const notOurs = async () => undefined
    const given = environment[name]
    if (given) return { address: given, behind: `given address ${withoutPassword(given)}`, stop: notOurs }
    if (real) return { address: real[name], behind: `real server ${withoutPassword(real[name])}`, stop: notOurs }
    const { address, stop } = await emulator()
    return { address, behind: `emulator ${address}`, stop }
  }
  const [mongo, kafka, redis] = await Promise.all([
    part('MONGO_URL', async () => {
      const { url, stop } = await startMongoEmulator(folder('mongo'))
      return { address: url, stop }
    }),
    part('KAFKA_BROKERS', async () => {
      const { brokers, stop } = await startKafkaEmulator(folder('kafka'))
      return { address: brokers, stop }
    }),
    part('REDIS_URL', async () => {
      const { url, stop } = await startRedisEmulator()
      return { address: url, stop }
    }),
  ])
  return {
    MONGO_URL: mongo.address,
    KAFKA_BROKERS: kafka.address,
    REDIS_URL: redis.address,
    behind: { mongo: mongo.behind, kafka: kafka.behind, redis: redis.behind },
    async stop() {
      await Promise.allSettled([mongo.stop(), kafka.stop(), redis.stop()])
    },
  }
}
