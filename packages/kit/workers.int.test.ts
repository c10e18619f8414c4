/** A service on several cores. */
import { request } from 'node:http'
import { freePort } from '@passerelle/servers/ports'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BaseConfig, ConfigurationError } from './configuration.ts'
import { createLog } from './log.ts'
import { delay } from './runtime.ts'
import { createTestKeys } from './testing.ts'
import { startWorkers, type Workers } from './workers.ts'

let workers: Workers
let port: number
let environment: Record<string, string>
const script = new URL('./workers.fixture.ts', import.meta.url).pathname
const log = createLog('test', 'silent')
/** Processes that start beside many others take their time. */
const START_MS = 120_000

beforeAll(async () => {
  port = await freePort()
  const keys = (await createTestKeys()).environment('gateway')
  environment = { ...keys, PATH: process.env.PATH ?? '', PORT: String(port), LOG_LEVEL: 'silent', WORKERS: '2' }
  workers = await startWorkers({ name: 'gateway', script, config: BaseConfig.parse(environment), environment, log })
  await ready()
}, START_MS)
afterAll(() => workers.stop('SIGINT'))

const status = async () => (await fetch(`${workers.adminUrl}/readyz`)).status
async function ready(): Promise<void> {
  while ((await status()) !== 200) await delay(50)
}

/** On a connection of its own: the kernel decides who gets it. */
const pidOfAnswer = () =>
  new Promise<number>((resolve, reject) => {
    const asked = request({ port, path: '/pid', agent: false }, (answer) => {
      answer.setEncoding('utf8').once('data', (text) => resolve(Number(text)))
    })
    asked.once('error', reject).end()
  })

test('all workers answer on one port, and their metrics are summed', async () => {
  const seen = new Set<number>()
  let asked = 0
  for (; seen.size < 2; asked++) seen.add(await pidOfAnswer())
  expect([...seen].sort()).toEqual(workers.pids().sort())
  expect(seen.has(process.pid)).toBe(false)
  const text = await (await fetch(`${workers.adminUrl}/metrics`)).text()
  expect(text).toContain(`gateway_rejected_total{reason="asked",service="gateway"} ${asked}`)
})

test('a worker that dies is started again, and until then the service is not ready', { timeout: START_MS }, async () => {
  const [first = 0] = workers.pids()
  process.kill(first, 'SIGKILL')
  while ((await status()) === 200) await delay(10)
  await ready()
  expect(workers.pids()).not.toContain(first)
  expect(await (await fetch(`${workers.adminUrl}/livez`)).json()).toEqual({ alive: true })
})

test('a service of several workers has to be told its port', async () => {
  const config = BaseConfig.parse({ ...environment, PORT: '0' })
  await expect(startWorkers({ name: 'gateway', script, config, environment, log })).rejects.toThrow(ConfigurationError)
})
