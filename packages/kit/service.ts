/** A service from its definition: configuration, connections, routes, consumers, workers, health, and an orderly stop. */

import type { RequestListener } from 'node:http'
import { Router } from 'express'
import type { Connection, Model } from 'mongoose'
import { z } from 'zod'
import { createTokens, type Tokens } from './auth.ts'
import { type Bus, type ConsumerDefinition, connectBus } from './bus.ts'
import { BaseConfig, type Environment, KafkaConfig, MongoConfig, RedisConfig, readConfiguration } from './configuration.ts'
import { createApp, type HttpContext } from './http.ts'
import { prepareInbox } from './inbox.ts'
import { createLog, type Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { awaitMongo, ensureIndexes } from './mongo.ts'
import { startRelay } from './outbox.ts'
import { type Cache, connectCache } from './redis.ts'
import { delay } from './runtime.ts'
import { listen } from './server.ts'
import { startWorker, type WorkerDefinition } from './worker.ts'

type ServiceContext<C> = {
  config: C
  log: Log
  metrics: Metrics
  mongo: Connection
  cache: Cache
  tokens: Tokens
  http: HttpContext
}

type ServiceParts = {
  routers: Router[]
  /** Sees requests before the routers do. */
  front?: (app: RequestListener) => RequestListener
  /** Slow requests that one network may have, where visitors connect directly. */
  slowPerNetwork?: number
  consumers?: ConsumerDefinition[]
  workers?: WorkerDefinition[]
  /** Collections with an outbox. */
  outboxes?: Model<never>[]
  /** Runs once the indexes are there and before the first request, e.g. to seed. */
  prepare?(): Promise<void>
  /** Runs after the consumers have stopped and before the connections close. */
  stop?(): Promise<void>
}

export type ServiceDefinition<S extends z.ZodObject = z.ZodObject> = {
  name: string
  /** This service's own settings: addresses, provider keys. */
  config: S
  /** The servers it needs. */
  needs: { mongo?: boolean; kafka?: boolean; redis?: boolean }
  setup(context: ServiceContext<z.output<S> & BaseConfig>): Promise<ServiceParts>
}

export function defineService<S extends z.ZodObject>(definition: ServiceDefinition<S>): ServiceDefinition<S> {
  return definition
}

/** Everything that the process of this service reads from its environment. */
export function configurationOf({ needs, config }: Pick<ServiceDefinition, 'needs' | 'config'>): z.ZodObject {
  return z.object({
    ...BaseConfig.shape,
    ...(needs.mongo && MongoConfig.shape),
    ...(needs.kafka && KafkaConfig.shape),
    ...(needs.redis && RedisConfig.shape),
    ...config.shape,
  })
}

export type RunningService = { name: string; url: string; port: number; adminUrl: string; stop(how?: { drain: boolean }): Promise<void> }

type StartOptions = {
  log?: Log
  /** A consumer died: end the process. */
  onFatal?(error: unknown): void
  /** Other workers of this service listen on the same port. */
  sharesPort?: boolean
}

const STUCK_CONSUMER_MS = 300_000

/** Alive at once, ready when everything is there: a database that comes up later than this process is waited for. */
export async function start<S extends z.ZodObject>(
  definition: ServiceDefinition<S>,
  environment: Environment,
  options: StartOptions = {},
): Promise<RunningService> {
  const { name } = definition
  const config = readConfiguration(name, configurationOf(definition), environment) as unknown as Configuration<S>
  const log = options.log ?? createLog(name, config.LOG_LEVEL)
  const metrics = createMetrics(name)
  const health: HealthSources = { started: false, draining: false, dependencies: {}, bus: undefined, metrics }
  const admin = await listen(createApp([adminRouter(health)], log), config.HOST, config.ADMIN_PORT)
  try {
    return await serve(definition, { config, log, metrics, health, admin }, options)
  } catch (error) {
    await admin.close()
    throw error
  }
}

type Configuration<S extends z.ZodObject> = z.output<S> & BaseConfig & Partial<Record<string, string>>
type Begun<S extends z.ZodObject> = {
  config: Configuration<S>
  log: Log
  metrics: Metrics
  health: HealthSources
  admin: Awaited<ReturnType<typeof listen>>
}

async function serve<S extends z.ZodObject>(
  definition: ServiceDefinition<S>,
  { config, log, metrics, health, admin }: Begun<S>,
  options: StartOptions,
): Promise<RunningService> {
  const { name, needs } = definition
  const tokens = await createTokens(name, config.INTERNAL_KEY, config.INTERNAL_JWKS)
  if (needs.mongo) health.dependencies.mongo = () => false
  const mongo = needs.mongo ? await awaitMongo(config.MONGO_URL as string, config.NAMESPACE + name, log) : undefined
  if (mongo) health.dependencies.mongo = () => mongo.readyState === 1
  const { REDIS_URL, REDIS_COMMAND_MS } = config as Partial<z.output<typeof RedisConfig>>
  const cache =
    REDIS_URL && REDIS_COMMAND_MS
      ? await connectCache(REDIS_URL, log, { prefix: `${config.NAMESPACE}${name}:`, commandMs: REDIS_COMMAND_MS })
      : undefined
  const http: HttpContext = { tokens, audience: name, log, metrics }
  const context = {
    config,
    log,
    metrics,
    tokens,
    http,
    mongo: mongo as Connection,
    cache: cache as Cache,
  }
  const parts = await definition.setup(context)
  const { routers, consumers = [], workers = [], outboxes = [], front, slowPerNetwork } = parts
  if (mongo) {
    await ensureIndexes(mongo)
    if (consumers.length > 0) await prepareInbox(mongo)
  }
  await parts.prepare?.()
  const onFatal = options.onFatal ?? ((err: unknown) => log.fatal({ err }, 'a consumer died'))
  // A service without consumers and events does not connect to Kafka.
  const usesBus = consumers.length + outboxes.length > 0
  const bus = usesBus
    ? await connectBus({
        brokers: config.KAFKA_BROKERS as string,
        clientId: name,
        namespace: config.NAMESPACE,
        username: config.KAFKA_USERNAME as string,
        password: config.KAFKA_PASSWORD as string,
        mechanism: config.KAFKA_SASL_MECHANISM as 'plain' | 'scram-sha-512',
        tls: (config as Partial<z.output<typeof KafkaConfig>>).KAFKA_TLS === true,
        log,
        metrics,
        onFatal,
      })
    : undefined
  const app: RequestListener = createApp(routers, log)
  const server = await listen(front?.(app) ?? app, config.HOST, config.PORT, {
    keepAliveMs: config.KEEP_ALIVE_MS,
    maxConnections: config.MAX_CONNECTIONS,
    ...(slowPerNetwork !== undefined && { slowPerNetwork }),
    sharesPort: options.sharesPort ?? false,
  })
  if (bus) {
    health.bus = bus
    health.dependencies.kafka = () => bus.isUp()
  }
  if (cache) health.dependencies.redis = () => !cache.isUnavailable()
  // Requests are served before the groups have joined: they join when the bus is available.
  for (const consumer of consumers) bus?.consume(consumer, mongo as Connection).catch(onFatal)
  const running = workers.map((worker) => startWorker(worker, log))
  const relays = bus ? outboxes.map((collection) => startRelay(collection, bus, log, metrics)) : []
  health.started = true
  log.info({ port: server.port, adminPort: admin.port }, 'started')

  let stopped: Promise<void> | undefined
  const stop = async (drain: boolean) => {
    health.draining = true
    server.drain()
    if (drain) await delay(config.DRAIN_MS)
    await server.close()
    await Promise.all(running.map((worker) => worker.stop()))
    await Promise.all(relays.map((relay) => relay.stop()))
    await bus?.stop()
    await parts.stop?.()
    await mongo?.close()
    await cache?.close()
    await admin.close()
  }
  return {
    name,
    url: server.url,
    port: server.port,
    adminUrl: admin.url,
    stop: ({ drain } = { drain: false }) => (stopped ??= stop(drain)),
  }
}

type HealthSources = {
  started: boolean
  draining: boolean
  /** Whether each server that this process needs is available. */
  dependencies: Partial<Record<'mongo' | 'kafka' | 'redis', () => boolean>>
  bus: Bus | undefined
  metrics: Metrics
}

/**
 * Liveness fails for no dependency that is away: only a consumer without heartbeats while the broker answers means that this process is
 * stuck. Without its database a process can answer nothing and is not ready; without the bus (events wait in the outbox) or the cache
 * (answers take longer) it still works.
 */
function adminRouter(health: HealthSources): Router {
  const router = Router()
  const { dependencies, metrics } = health
  const states = () => Object.entries(dependencies).map(([name, isUp]) => [name, isUp()] as const)
  router.get('/livez', (_request, response) => {
    const stuck = health.bus?.isUp() === true && health.bus.msSinceHeartbeat() > STUCK_CONSUMER_MS
    response.status(stuck ? 503 : 200).json({ alive: !stuck })
  })
  router.get('/readyz', (_request, response) => {
    const ready = health.started && (dependencies.mongo?.() ?? true) && !health.draining
    const seen = Object.fromEntries(states().map(([name, isUp]) => [name, isUp ? 'up' : 'down']))
    response.status(ready ? 200 : 503).json({ ready, draining: health.draining, dependencies: seen })
  })
  const measured = () => {
    for (const [dependency, isUp] of states()) metrics.dependencyUp.set({ dependency }, isUp ? 1 : 0)
    return metrics.registry
  }
  router.get('/metrics', async (_request, response) => {
    const registry = measured()
    response.type(registry.contentType).send(await registry.metrics())
  })
  // For the process that sums those of several workers.
  router.get('/metrics.json', async (_request, response) => void response.json(await measured().getMetricsAsJSON()))
  return router
}
