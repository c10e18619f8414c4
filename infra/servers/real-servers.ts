/**
 * Real MongoDB (a replica set of one), Kafka (KRaft) and Redis on loopback ports of their own, from the programs found on this
 * machine. Started once and left running until `make servers-stop`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import mongoose from 'mongoose'
import { isListening } from './ports.ts'
import { privateFolder } from './private-files.ts'

/** A program that is needed is not on this machine; the message says how to get it. */
export class ServersMissing extends Error {}

export type RealServers = { MONGO_URL: string; KAFKA_BROKERS: string; REDIS_URL: string }

type Ports = Record<'mongo' | 'kafka' | 'controller' | 'redis', number>

function chosenPorts(): Ports {
  const port = (name: string, usual: number) => Number(process.env[name] ?? usual)
  return {
    mongo: port('REAL_MONGO_PORT', 27117),
    kafka: port('REAL_KAFKA_PORT', 29092),
    controller: port('REAL_KAFKA_CONTROLLER_PORT', 29093),
    redis: port('REAL_REDIS_PORT', 26379),
  }
}

const kafkaHome = () => process.env.KAFKA_HOME ?? '/opt/kafka'

const needed = [
  { name: 'MongoDB', found: () => onPath('mongod'), how: 'install MongoDB Community Server 6 or newer, so that `mongod` is on the PATH' },
  {
    name: 'Apache Kafka',
    found: () => existsSync(join(kafkaHome(), 'bin/kafka-server-start.sh')),
    how: 'unpack Apache Kafka 4 into /opt/kafka or set KAFKA_HOME; it needs Java 17 or newer',
  },
  { name: 'Redis', found: () => onPath('redis-server'), how: 'install Redis 7 or newer, so that `redis-server` is on the PATH' },
]

function onPath(program: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => folder !== '' && existsSync(join(folder, program)))
}

/** What is missing on this machine, in words; empty when all three can be started. */
export function missingServers(): string[] {
  return needed.filter((one) => !one.found()).map((one) => `${one.name}: ${one.how}`)
}

async function until(what: string, ready: () => Promise<boolean>, seconds = 60): Promise<void> {
  for (let i = 0; i < seconds * 10; i++) {
    if (await ready()) return
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`waited ${seconds} s for ${what}`)
}

function launch(folder: string, name: string, command: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  const out = openSync(join(folder, `${name}.log`), 'a')
  const child = spawn(command, args, { detached: true, stdio: ['ignore', out, out], env: { ...process.env, ...env } })
  child.unref()
  writeFileSync(join(folder, `${name}.pid`), String(child.pid))
  return child
}

/** Starts what is not running; data in `<dataDir>/servers/`. Throws with instructions when a program is missing. */
export async function realServers(dataDir: string): Promise<RealServers> {
  const missing = missingServers()
  if (missing.length > 0) throw new ServersMissing(`These servers are not on this machine:\n  ${missing.join('\n  ')}`)
  privateFolder(resolve(dataDir))
  const folder = privateFolder(resolve(dataDir, 'servers'))
  const ports = chosenPorts()
  await Promise.all([startMongo(folder, ports), startKafka(folder, ports), startRedis(folder, ports)])
  return {
    MONGO_URL: `mongodb://127.0.0.1:${ports.mongo}/?replicaSet=rs0&w=majority&journal=true`,
    KAFKA_BROKERS: `127.0.0.1:${ports.kafka}`,
    REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
  }
}

async function startMongo(folder: string, ports: Ports): Promise<void> {
  if (!(await isListening(ports.mongo))) {
    const data = join(folder, 'mongo')
    mkdirSync(data, { recursive: true })
    launch(folder, 'mongo', 'mongod', [
      '--dbpath',
      data,
      '--port',
      String(ports.mongo),
      '--bind_ip',
      '127.0.0.1',
      '--replSet',
      'rs0',
      '--wiredTigerCacheSizeGB',
      '0.5',
    ])
    await until('MongoDB', () => isListening(ports.mongo))
  }
  const connection = await mongoose.createConnection(`mongodb://127.0.0.1:${ports.mongo}/admin?directConnection=true`).asPromise()
  try {
    await connection.db
      ?.command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: `127.0.0.1:${ports.mongo}` }] } })
      .catch((error: { codeName?: string }) => {
        if (error.codeName !== 'AlreadyInitialized') throw error
      })
    await until('the MongoDB primary', async () => (await connection.db?.command({ hello: 1 }))?.isWritablePrimary === true)
  } finally {
    await connection.close()
  }
}

async function startKafka(folder: string, ports: Ports): Promise<void> {
  if (await isListening(ports.kafka)) return
  const data = join(folder, 'kafka')
  const properties = join(folder, 'kafka.properties')
  writeFileSync(
    properties,
    [
      'process.roles=broker,controller',
      'node.id=1',
      `controller.quorum.voters=1@127.0.0.1:${ports.controller}`,
      `listeners=PLAINTEXT://127.0.0.1:${ports.kafka},CONTROLLER://127.0.0.1:${ports.controller}`,
      `advertised.listeners=PLAINTEXT://127.0.0.1:${ports.kafka}`,
      'controller.listener.names=CONTROLLER',
      'listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
      `log.dirs=${data}`,
      'auto.create.topics.enable=false',
      'offsets.topic.replication.factor=1',
      'offsets.topic.num.partitions=10',
      'transaction.state.log.replication.factor=1',
      'transaction.state.log.min.isr=1',
      'group.initial.rebalance.delay.ms=200',
      'log.flush.interval.messages=1',
    ].join('\n'),
  )
  const bin = join(kafkaHome(), 'bin')
  if (!existsSync(join(data, 'meta.properties'))) {
    const id = execFileSync(join(bin, 'kafka-storage.sh'), ['random-uuid']).toString().trim()
    execFileSync(join(bin, 'kafka-storage.sh'), ['format', '-t', id, '-c', properties])
  }
  launch(folder, 'kafka', join(bin, 'kafka-server-start.sh'), [properties], {
    KAFKA_HEAP_OPTS: '-Xmx512m',
    LOG_DIR: join(folder, 'kafka-logs'),
  })
  await until('Kafka', () => isListening(ports.kafka))
}

async function startRedis(folder: string, ports: Ports): Promise<void> {
  if (await isListening(ports.redis)) return
  const data = join(folder, 'redis')
  mkdirSync(data, { recursive: true })
  launch(folder, 'redis', 'redis-server', [
    '--port',
    String(ports.redis),
    '--bind',
    '127.0.0.1',
    '--dir',
    data,
    '--save',
    '',
    '--maxmemory',
    '256mb',
    '--maxmemory-policy',
    'allkeys-lru',
  ])
  await until('Redis', () => isListening(ports.redis))
}

/** Process id of one of the servers that run on this data folder. */
export function serverPid(dataDir: string, name: 'mongo' | 'kafka' | 'redis'): number {
  return Number(readFileSync(join(dataDir, 'servers', `${name}.pid`), 'utf8'))
}

/** SIGKILL; resolves when the process is gone. */
export async function killServer(dataDir: string, name: 'mongo' | 'kafka' | 'redis'): Promise<void> {
  const pid = serverPid(dataDir, name)
  process.kill(pid, 'SIGKILL')
  await until(`the end of ${name}`, async () => !isRunning(pid))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch {
    return false
  }
}

/**
 * It has ended, and whoever started it has not asked how: in a container that may be for ever. Its first thread reads so a moment
 * before the others have let go of port and files.
 */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) && readdirSync(`/proc/${pid}/task`).length === 1
  } catch {
    return false
  }
}

/** Stops what was started here and waits for its end, so that it can be started again at once; returns the names. */
export async function stopRealServers(dataDir: string): Promise<string[]> {
  const stopped: { name: string; pid: number }[] = []
  for (const name of ['kafka', 'mongo', 'redis']) {
    const file = join(dataDir, 'servers', `${name}.pid`)
    if (!existsSync(file)) continue
    const pid = Number(readFileSync(file, 'utf8'))
    rmSync(file)
    if (!isRunning(pid)) continue
    process.kill(pid, 'SIGTERM')
    stopped.push({ name, pid })
  }
  for (const { name, pid } of stopped) await until(`the end of ${name}`, async () => !isRunning(pid))
  return stopped.map(({ name }) => name)
}
