/** What a process says of itself and of the servers that it needs while they come and go. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KafkaEmulator, startKafkaEmulator } from '@passerelle/emulators/kafka/server'
import { type MongoEmulator, startMongoEmulator } from '@passerelle/emulators/mongo/server'
import { startRedisEmulator } from '@passerelle/emulators/redis/server'
import { freePorts } from '@passerelle/servers/ports'
import { Router } from 'express'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createLog } from './log.ts'
import { createOutboxModel } from './outbox.ts'
import { defineService, type RunningService, start } from './service.ts'
import { createTestKeys } from './testing.ts'

type Servers = { mongo: MongoEmulator; kafka: KafkaEmulator; redis: Awaited<ReturnType<typeof startRedisEmulator>> }

let folder: string
let ports: Record<keyof Servers, number>
let servers: Servers
let service: RunningService

/** Each on its own port, so that it comes back where it was. */
const begin = {
  mongo: () => startMongoEmulator({ port: ports.mongo, dataDir: join(folder, 'mongo') }),
  kafka: () => startKafkaEmulator({ port: ports.kafka, dataDir: join(folder, 'kafka') }),
  redis: () => startRedisEmulator({ port: ports.redis }),
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'readiness-'))
  const [mongo = 0, kafka = 0, redis = 0] = await freePorts(3)
  ports = { mongo, kafka, redis }
  servers = { mongo: await begin.mongo(), kafka: await begin.kafka(), redis: await begin.redis() }
  const needs = { mongo: true, kafka: true, redis: true }
  const definition = defineService({
    name: 'needy',
    config: z.object({}),
    needs,
    setup: async ({ mongo }) => ({
      routers: [Router()],
      outboxes: [createOutboxModel<never>(mongo, 'Row', { collection: 'rows', fields: { _id: String } })],
    }),
  })
  service = await start(definition, {
    ...(await createTestKeys('needy')).environment('needy'),
    LOG_LEVEL: 'silent',
    MONGO_URL: servers.mongo.url,
    KAFKA_BROKERS: servers.kafka.brokers,
    REDIS_URL: servers.redis.url,
    REDIS_COMMAND_MS: '1000',
  })
})
afterAll(async () => {
  await service.stop()
  await Promise.all(Object.values(servers).map((server) => server.stop()))
  rmSync(folder, { recursive: true, force: true })
})

const readyz = async () => {
  const response = await fetch(`${service.adminUrl}/readyz`)
  const { dependencies, ...rest } = (await response.json()) as { ready: boolean; dependencies: Record<string, string> }
  return { status: response.status, ready: rest.ready, ...dependencies }
}
const metric = async (dependency: string) => {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text()
  return new RegExp(`dependency_up\\{dependency="${dependency}",service="needy"\\} (\\d)`).exec(text)?.[1]
}
const until = (wanted: object) => expect.poll(readyz, { timeout: 25_000 }).toEqual(wanted)
const well = { status: 200, ready: true, mongo: 'up', kafka: 'up', redis: 'up' }

test('all are up', async () => {
  await until(well)
  for (const dependency of ['mongo', 'kafka', 'redis']) expect(await metric(dependency)).toBe('1')
}, 40_000)

test.each([
  ['kafka', { status: 200, ready: true }],
  ['redis', { status: 200, ready: true }],
  ['mongo', { status: 503, ready: false }],
] as const)(
  '%s down is shown in the response and the metric until it is up again',
  async (name, answer) => {
    await servers[name].stop()
    await until({ ...well, ...answer, [name]: 'down' })
    expect(await metric(name)).toBe('0')
    Object.assign(servers, { [name]: await begin[name]() })
    await until(well)
    expect(await metric(name)).toBe('1')
  },
  60_000,
)

test('a service that starts before its database is alive and not ready, and ready once the database is there', async () => {
  const [port = 0, adminPort] = await freePorts(2)
  const setup = async () => ({ routers: [Router()] })
  const definition = defineService({ name: 'early', config: z.object({}), needs: { mongo: true }, setup })
  const log = createLog('early', 'silent')
  const warned = vi.spyOn(log, 'warn')
  const environment = {
    ...(await createTestKeys('early')).environment('early'),
    MONGO_URL: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    ADMIN_PORT: String(adminPort),
  }
  const starting = start(definition, environment, { log })
  const statuses = async () =>
    Promise.all(['livez', 'readyz'].map(async (path) => (await fetch(`http://127.0.0.1:${adminPort}/${path}`).catch(() => null))?.status))
  // It has given up once already.
  await expect.poll(() => warned.mock.calls.at(-1)?.[1], { timeout: 20_000 }).toMatch('the start goes on when it is there')
  expect(await statuses()).toEqual([200, 503])
  const database = await startMongoEmulator({ port, dataDir: join(folder, 'early') })
  const early = await starting
  expect(await statuses()).toEqual([200, 200])
  await early.stop()
  await database.stop()
}, 60_000)
