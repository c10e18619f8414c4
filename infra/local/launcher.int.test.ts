/** `make start` as a process: what it says when it cannot start, what it keeps for itself, and what "running" means. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '@passerelle/servers/ports'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from './test-visitor.fixture.ts'

type Started = { child: ChildProcess; output(): string; ended: Promise<number | null> }

let folder: string
let environment: Record<string, string | undefined>
const started: Started[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'passerelle-start-'))
  const web = join(folder, 'web')
  mkdirSync(web)
  writeFileSync(join(web, 'index.html'), '<!doctype html><html><head><title>x</title></head><body></body></html>')
  const [port, admin, duffel, stripe, mailbox, smtp] = await freePorts(6)
  environment = {
    PATH: process.env.PATH,
    MONGO_URL: process.env.MONGO_URL,
    KAFKA_BROKERS: process.env.KAFKA_BROKERS,
    REDIS_URL: process.env.REDIS_URL,
    NAMESPACE: `t${Math.random().toString(36).slice(2, 8)}-`,
    DATA_DIR: join(folder, 'data'),
    WEB_DIST: web,
    PORT: String(port),
    ADMIN_PORT: String(admin),
    DUFFEL_SIMULATOR_PORT: String(duffel),
    DUFFEL_SIMULATOR_LATENCY_MS: '0',
    STRIPE_SIMULATOR_PORT: String(stripe),
    MAILBOX_PORT: String(mailbox),
    SMTP_PORT: String(smtp),
    REDIS_COMMAND_MS: '2000',
  }
})
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGINT')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

function start(script: 'main' | 'processes', more: Record<string, string> = {}): Started {
  // As in a terminal with the usual umask, which lets everybody read new files.
  const child = spawn('/bin/sh', ['-c', `umask 022; exec "${process.execPath}" infra/local/${script}.ts`], {
    cwd: new URL('../../', import.meta.url).pathname,
    env: { ...environment, ...more } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  child.stdout?.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const one = { child, output: () => said.join(''), ended: new Promise<number | null>((done) => child.once('exit', (code) => done(code))) }
  started.push(one)
  return one
}

async function running(script: 'main' | 'processes'): Promise<Started> {
  const one = start(script)
  await eventually(
    'the system',
    async () => {
      if (one.child.exitCode !== null) throw new Error(one.output())
      return one.output().includes('Passerelle is running')
    },
    90,
  )
  return one
}

const STACK = /^ +at /m

describe('a second start', () => {
  test('on the same data folder says that it runs already, where, and how to stop it', async () => {
    const first = await running('main')
    for (const script of ['main', 'processes'] as const) {
      const second = start(script, { PORT: '0' })
      expect(await second.ended).toBe(1)
      expect(second.output()).toContain(`http://localhost:${environment.PORT}`)
      expect(second.output()).toContain(`process ${first.child.pid}`)
      expect(second.output()).toContain(`kill ${first.child.pid}`)
      expect(second.output()).not.toMatch(STACK)
    }
    expect((await fetch(`http://127.0.0.1:${environment.PORT}/api/system/mode`)).status).toBe(200)
  }, 120_000)

  test('works when the first one was killed', async () => {
    const first = await running('main')
    first.child.kill('SIGKILL')
    await first.ended
    await running('main')
  }, 120_000)
})

test('a port that another program listens on is named, and what to do about it', async () => {
  const other = createServer()
  const taken = Number(environment.PORT)
  await new Promise<void>((done) => other.listen(taken, '127.0.0.1', done))
  try {
    for (const script of ['main', 'processes'] as const) {
      const refused = start(script)
      expect(await refused.ended).toBe(1)
      expect(refused.output()).toContain(`Port ${taken} (the website)`)
      expect(refused.output()).toContain(`PORT=${taken + 100} make start`)
      expect(refused.output()).not.toMatch(STACK)
    }
  } finally {
    await new Promise((done) => other.close(done))
  }
}, 60_000)

test.each(['nonsense', '70000', '-1', '8080.5'])('a PORT of %s is no port, and said so', async (port) => {
  const refused = start('main', { PORT: port })
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toContain(`PORT has to be a port number, from 1 to 65535: ${port}`)
  expect(refused.output()).not.toMatch(STACK)
})

test('MODE=processes: the website opens when every service is ready, so that the first search is answered', async () => {
  const one = start('processes', { LOG_LEVEL: 'info' })
  const kept = (...path: string[]) => join(String(environment.DATA_DIR), ...path)
  const search = await eventually(
    'the search service',
    async () => existsSync(kept('run', 'search.pid')) && processIn(kept('run', 'search.pid')),
    60,
  )
  process.kill(search, 'SIGSTOP')
  try {
    for (const name of ['brand', 'identity', 'booking', 'payment'])
      await eventually(name, async () => logOf(kept('logs', `${name}.log`)).includes('"started"'), 60)
    expect(existsSync(kept('run', 'gateway.pid'))).toBe(false)
    expect(one.output()).not.toContain('Passerelle is running')
  } finally {
    process.kill(search, 'SIGCONT')
  }
  const url = `http://127.0.0.1:${environment.PORT}`
  await eventually('the home page', async () => (await fetch(url).catch(() => undefined))?.status === 200, 60)
  const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  expect((await fetch(`${url}/api/flights/search?origin=CDG&destination=LIS&departureDate=${day}`)).status).toBe(200)
}, 120_000)

test('everything that a local system keeps is for its user alone', async () => {
  mkdirSync(String(environment.DATA_DIR))
  chmodSync(String(environment.DATA_DIR), 0o755)
  await running('processes')
  const open = entriesOf(String(environment.DATA_DIR)).filter(({ mode }) => (mode & 0o077) !== 0)
  expect(open).toEqual([])
  expect(entriesOf(String(environment.DATA_DIR)).map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/secrets\.json$/),
      expect.stringMatching(/payment\.log$/),
      expect.stringMatching(/stripe\.db$/),
    ]),
  )
}, 120_000)

function entriesOf(path: string): { path: string; mode: number }[] {
  const inside = readdirSync(path, { withFileTypes: true, recursive: true }).map((entry) => join(entry.parentPath, entry.name))
  return [path, ...inside].map((one) => ({ path: one, mode: statSync(one).mode & 0o777 }))
}

function processIn(file: string): number {
  return Number(readFileSync(file, 'utf8'))
}

function logOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
