/**
 * MongoDB, Kafka and Redis, each on its own: the address in the environment; the real servers of this machine with SERVERS=real;
 * the emulator otherwise. Nothing else in the product knows which one it is.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startKafkaEmulator } from '@passerelle/emulators/kafka/server'
import { startMongoEmulator } from '@passerelle/emulators/mongo/server'
import { startRedisEmulator } from '@passerelle/emulators/redis/server'
import { realServers } from './real-servers.ts'

type Environment = Record<string, string | undefined>

export type Backbone = {
  MONGO_URL: string
  KAFKA_BROKERS: string
  REDIS_URL: string
  /** One line for people, per server. */
  behind: { mongo: string; kafka: string; redis: string }
  stop(): Promise<void>
}

export type BackboneOptions = {
  environment: Environment
  dataDir?: string | undefined
  /** Fixed ports for the emulators, so that they can come back where they were; any free ones otherwise. */
  ports?: { mongo: number; kafka: number; redis: number } | undefined
}

type Part = { address: string; behind: string; stop(): Promise<void> }

const given = (address: string): Part => ({ address, behind: `given address ${withoutPassword(address)}`, stop: async () => undefined })

function withoutPassword(address: string): string {
  return address.replace(/\/\/[^@/]*@/, '//')
}

export async function startBackbone({ environment, dataDir, ports }: BackboneOptions): Promise<Backbone> {
  const real = environment.SERVERS === 'real' ? await realServers(dataDir ?? '.data') : undefined
  const at = (name: 'mongo' | 'kafka' | 'redis') => (ports ? { port: ports[name] } : {})
  const folder = (name: string) => {
    if (!dataDir) return {}
    const path = join(dataDir, name)
    mkdirSync(path, { recursive: true })
    return { dataDir: path }
  }
  const running = (address: string): Part => ({ address, behind: `real server ${withoutPassword(address)}`, stop: async () => undefined })
  const [mongo, kafka, redis] = await Promise.all([
    environment.MONGO_URL
      ? given(environment.MONGO_URL)
      : real
        ? running(real.MONGO_URL)
        : startMongoEmulator({ ...folder('mongo'), ...at('mongo') }).then(
            ({ url, stop }): Part => ({ address: url, behind: `emulator ${url}`, stop }),
          ),
    environment.KAFKA_BROKERS
      ? given(environment.KAFKA_BROKERS)
      : real
        ? running(real.KAFKA_BROKERS)
        : startKafkaEmulator({ ...folder('kafka'), ...at('kafka') }).then(
            ({ brokers, stop }): Part => ({ address: brokers, behind: `emulator ${brokers}`, stop }),
          ),
    environment.REDIS_URL
      ? given(environment.REDIS_URL)
      : real
        ? running(real.REDIS_URL)
        : startRedisEmulator(at('redis')).then(({ url, stop }): Part => ({ address: url, behind: `emulator ${url}`, stop })),
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
