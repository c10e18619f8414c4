/** A local system as a process of its own with every word that it writes, and everything that it keeps, as text to search. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kafkaClient } from '@passerelle/kit/kafka'
import { createLog } from '@passerelle/kit/log'
import { freePorts } from '@passerelle/servers/ports'
import { Redis } from 'ioredis'
import mongoose from 'mongoose'
import { serviceNames } from './environment.ts'
import { eventually, ledger } from './test-visitor.fixture.ts'

export type WatchedSystem = {
  url: string
  duffel: string
  stripe: string
  mailbox: string
  /** For the commands of an operator. */
  commands(): { MONGO_URL: string; NAMESPACE: string; DOCUMENT_KEY: string; adminPassword: string }
  /** Name of a place to its whole content, as text; "output" is every word that the system has written so far. */
  stores(): Promise<Map<string, string>>
  /** Ends the system and reads what its emulators leave on disk. */
  filesAfterEnd(): Promise<Map<string, string>>
  /** `kill -9` of a service that is a process of its own, and which is started again; by default of everything, which is then running again. */
  crash(service?: string): Promise<void>
  stop(): Promise<void>
}

const scripts = { one: 'main.ts', processes: 'processes.ts' }
const telemetry = new URL('../../packages/kit/telemetry.ts', import.meta.url).pathname

/** @param mode everything in one process, or one process per service */
export async function watchedSystem(
  environment: Record<string, string> = {},
  { mode = 'one', dataDir = mkdtempSync(join(tmpdir(), 'passerelle-canary-')) }: { mode?: keyof typeof scripts; dataDir?: string } = {},
): Promise<WatchedSystem> {
  const outputFile = join(dataDir, 'output.log')
  const [port, adminPort, duffel, stripe, mailbox, smtp] = await freePorts(6)
  const namespace = `t${Math.random().toString(36).slice(2, 8)}-`
  const traces = await traceReceiver()
  const metrics: string[] = []
  const output = () => (existsSync(outputFile) ? readFileSync(outputFile, 'utf8') : '')
  let child: ChildProcess

  const begin = async () => {
    const before = output().length
    const file = openSync(outputFile, 'a')
    const started = spawn(process.execPath, [new URL(scripts[mode], import.meta.url).pathname], {
      env: {
        ...process.env,
        ...(mode === 'one' && { NODE_OPTIONS: `--import ${telemetry}` }),
        OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
        OTEL_BSP_SCHEDULE_DELAY: '200',
        LOG_LEVEL: 'debug',
        RATE_LIMIT_FACTOR: '1000',
        // All visitors of a test come from one address.
        CARD_DECLINES_PER_NETWORK: '1000000',
        // A test machine may be busy; what is looked for are secrets, not delays.
        ACCOUNT_WITHIN_MS: '20000',
        NAMESPACE: namespace,
        DATA_DIR: dataDir,
        PORT: String(port),
        ADMIN_PORT: String(adminPort),
        DUFFEL_SIMULATOR_PORT: String(duffel),
        DUFFEL_SIMULATOR_LATENCY_MS: '0',
        STRIPE_SIMULATOR_PORT: String(stripe),
        MAILBOX_PORT: String(mailbox),
        SMTP_PORT: String(smtp),
        ...environment,
      },
      stdio: ['ignore', file, file],
    })
    closeSync(file)
    await eventually(
      'the system',
      async () => {
        if (started.exitCode !== null) throw new Error(`the system ended:\n${output()}`)
        return output().slice(before).includes('Passerelle is running')
      },
      90,
    )
    return started
  }
  const readMetrics = async () => {
    const addresses = join(dataDir, 'run', 'addresses.json')
    const processes: Record<string, { adminUrl: string }> =
      mode === 'processes' ? JSON.parse(readFileSync(addresses, 'utf8')) : { all: { adminUrl: `http://127.0.0.1:${adminPort}` } }
    for (const { adminUrl } of Object.values(processes))
      metrics.push(
        await fetch(`${adminUrl}/metrics`).then(
          (one) => one.text(),
          () => 'of a process that was killed',
        ),
      )
  }
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>((done) => child.once('exit', () => done()))
    child.kill(signal)
    await ended
  }
  child = await begin()
  process.once('exit', () => child.kill('SIGKILL'))
  const addressOf = (server: string, given: string | undefined) =>
    given ?? [...output().matchAll(new RegExp(`^ *${server} +.*?(\\S+)$`, 'gm'))].at(-1)?.[1] ?? ''
  const at = (simulator: number | undefined) => `http://127.0.0.1:${simulator}`

  return {
    url: at(port),
    duffel: at(duffel),
    stripe: at(stripe),
    mailbox: at(mailbox),
    commands() {
      const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as { documentKey: string; adminPassword: string }
      const { documentKey: DOCUMENT_KEY, adminPassword } = secrets
      return { MONGO_URL: addressOf('MongoDB', process.env.MONGO_URL), NAMESPACE: namespace, DOCUMENT_KEY, adminPassword }
    },
    async crash(service) {
      await readMetrics()
      if (service) return void process.kill(Number(readFileSync(join(dataDir, 'run', `${service}.pid`), 'utf8')), 'SIGKILL')
      await end('SIGKILL')
      child = await begin()
    },
    async stores() {
      await readMetrics()
      const places = new Map([['output', output() + readLogs(dataDir)]])
      const add = (name: string, content: string) => places.set(name, content)
      await readMongo(addressOf('MongoDB', process.env.MONGO_URL), namespace, add)
      await readKafka(addressOf('Kafka', process.env.KAFKA_BROKERS), namespace, add)
      await readRedis(addressOf('Redis', process.env.REDIS_URL), namespace, add)
      add('mails', JSON.stringify(await allMails(at(mailbox))))
      add('metrics', metrics.join('\n'))
      add('traces', traces.received())
      // The emulators keep what they were ever told: also what a later write has replaced.
      readFiles(dataDir, add)
      return places
    },
    async filesAfterEnd() {
      await end()
      const places = new Map<string, string>()
      readFiles(dataDir, (name, content) => places.set(name, content))
      return places
    },
    async stop() {
      await end()
      await traces.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Takes whatever spans a system sends, as they come. */
async function traceReceiver() {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    bodies.push(Buffer.concat(chunks).toString('latin1'))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => bodies.join('\n'),
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function readLogs(dataDir: string): string {
  const folder = join(dataDir, 'logs')
  if (!existsSync(folder)) return ''
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
}

type Add = (name: string, content: string) => void

async function readMongo(url: string, namespace: string, add: Add): Promise<void> {
  const connection = await mongoose.createConnection(url).asPromise()
  try {
    for (const service of serviceNames) {
      const database = connection.useDb(namespace + service)
      for (const { name } of (await database.listCollections()) as { name: string }[])
        add(`mongo ${service}.${name}`, JSON.stringify(await database.collection(name).find({}).toArray()))
    }
  } finally {
    await connection.close()
  }
}

async function readKafka(brokers: string, namespace: string, add: Add): Promise<void> {
  const kafka = kafkaClient({ brokers, clientId: 'canary', log: createLog('canary', 'silent') })
  const admin = kafka.admin()
  await admin.connect()
  const topics = (await admin.listTopics()).filter((name) => name.startsWith(namespace))
  let expected = 0
  for (const topic of topics)
    expected += (await admin.fetchTopicOffsets(topic)).reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0)
  await admin.disconnect()
  const texts = new Map<string, string[]>(topics.map((topic) => [topic, []]))
  const consumer = kafka.consumer({ groupId: `${namespace}canary`, maxWaitTimeInMs: 100 })
  await consumer.connect()
  await consumer.subscribe({ topics, fromBeginning: true })
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ topic, message }) => {
      const headers = Object.entries(message.headers ?? {}).map(([name, value]) => `${name}: ${value}`)
      texts.get(topic)?.push([message.key, message.value, ...headers].join('\n'))
    },
  })
  await eventually('every message', async () => [...texts.values()].flat().length >= expected, 30)
  await consumer.disconnect()
  for (const [topic, messages] of texts) add(`kafka ${topic.slice(namespace.length)}`, messages.join('\n'))
}

async function readRedis(url: string, namespace: string, add: Add): Promise<void> {
  const redis = new Redis(url)
  const read: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => redis.get(key),
    hash: (key) => redis.hgetall(key),
    list: (key) => redis.lrange(key, 0, -1),
    set: (key) => redis.smembers(key),
    zset: (key) => redis.zrange(key, '0', '-1', 'WITHSCORES'),
  }
  try {
    const found: string[] = []
    let cursor = '0'
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${namespace}*`, 'COUNT', '500')
      cursor = next
      found.push(...keys)
    } while (cursor !== '0')
    const contents: unknown[] = []
    for (const key of new Set(found)) contents.push([key, await read[await redis.type(key)]?.(key)])
    add('redis', JSON.stringify(contents))
  } finally {
    redis.disconnect()
  }
}

async function allMails(mailbox: string): Promise<unknown[]> {
  const { messages } = await ledger<{ messages: { id: string }[] }>(mailbox)
  return Promise.all(messages.map(async ({ id }) => (await fetch(`${mailbox}/messages/${id}`)).json()))
}

function readFiles(dataDir: string, add: Add): void {
  for (const name of ['mongo', 'kafka'].filter((one) => existsSync(join(dataDir, one))))
    readFolder(join(dataDir, name), `file ${name}`, add)
}

function readFolder(folder: string, name: string, add: Add): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) add(`${name}/${entry.name}`, readFileSync(join(entry.parentPath, entry.name), 'latin1'))
}
