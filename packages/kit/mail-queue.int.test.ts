/** Mails that are due: each once, several at a time, again when they could not be sent. */
import { randomBytes } from 'node:crypto'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import type { Connection } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLog } from './log.ts'
import type { Mail } from './mail.ts'
import { mailQueue, mailWorker } from './mail-queue.ts'
import { createMetrics } from './metrics.ts'
import { connectMongo } from './mongo.ts'
import { delay, replaceRuntime } from './runtime.ts'

const log = createLog('test', 'silent')
let servers: TestServers
let mongo: Connection
let now: number
let sent: Mail[]
let deliver: (mail: Mail) => Promise<void>

beforeAll(async () => {
  servers = await testServers()
})
afterAll(() => servers.stop())
beforeEach(async () => {
  mongo = await connectMongo(servers.environment.MONGO_URL, `m${randomBytes(5).toString('hex')}`, log)
  now = Date.parse('2026-11-21T10:00:00Z')
  sent = []
  deliver = async (mail) => void sent.push(mail)
  const restoreRuntime = replaceRuntime({ now: () => now })
  return async () => {
    restoreRuntime()
    await mongo.dropDatabase()
    await mongo.close()
  }
})

function office() {
  const queue = mailQueue<'hello' | 'bye'>(mongo)
  const worker = mailWorker<'hello' | 'bye'>({
    queue,
    mailer: { send: (mail) => deliver(mail), close: () => undefined },
    write: async (_, subject) =>
      subject === 'nobody' ? null : { to: `${subject}@example.org`, fromName: 'A', subject, text: '', html: '' },
    log,
    metrics: createMetrics('test'),
  })
  return { queue, run: () => worker.run(new AbortController().signal) }
}

test('a mail that is enqueued twice is sent once, and a mail without a recipient is given up', async () => {
  const { queue, run } = office()
  for (const subject of ['ada', 'ada', 'nobody', 'bob']) await queue.enqueue('hello', subject)
  expect(await run()).toBe(false)
  expect(await run()).toBe(false)
  expect(sent.map(({ to, key }) => [to, key]).sort()).toEqual([
    ['ada@example.org', 'mail:hello:ada'],
    ['bob@example.org', 'mail:hello:bob'],
  ])
})

test('many mails go out several at a time', async () => {
  const { queue, run } = office()
  let [atOnce, most] = [0, 0]
  deliver = async (mail) => {
    most = Math.max(most, ++atOnce)
    await expect.poll(() => most, { timeout: 20_000 }).toBeGreaterThanOrEqual(8)
    await delay(20)
    atOnce -= 1
    sent.push(mail)
  }
  for (let i = 0; i < 20; i++) await queue.enqueue('hello', `guest${i}`)
  await run()
  expect(new Set(sent.map(({ to }) => to)).size).toBe(20)
  expect([sent.length, most]).toEqual([20, 8])
})

test('a mail that the server refuses is retried later under the same key and delays no other', async () => {
  const { queue, run } = office()
  const refused: string[] = []
  deliver = async (mail) => {
    if (mail.subject === 'ada' && refused.length < 2) {
      refused.push(mail.key)
      throw new Error('451 try again later')
    }
    sent.push(mail)
  }
  for (const subject of ['ada', 'bob']) await queue.enqueue('hello', subject)
  await run()
  expect(sent.map(({ subject }) => subject)).toEqual(['bob'])
  await run()
  expect(refused).toHaveLength(1)
  now += 2000
  await run()
  expect(refused).toHaveLength(2)
  now += 4000
  await run()
  expect(sent.map(({ key }) => key)).toEqual(['mail:hello:bob', refused[0]])
  expect(refused[1]).toBe(refused[0])
})

test('a mail with a place waits for the earlier one of its subject, however often that is refused, and for no other', async () => {
  const { queue, run } = office()
  let refusals = 3
  deliver = async (mail) => {
    if (mail.key === 'mail:hello:ada' && refusals-- > 0) throw new Error('451 try again later')
    sent.push(mail)
  }
  await queue.enqueue('hello', 'ada', 3)
  await queue.enqueue('bye', 'ada', 7)
  await queue.enqueue('bye', 'bob', 7)
  for (let second = 0; second < 20; second++) {
    await run()
    now += 1000
  }
  expect(sent.map(({ key }) => key)).toEqual(['mail:bye:bob', 'mail:hello:ada', 'mail:bye:ada'])
})

test('a mail that can never be sent keeps a later one of its subject waiting for about a minute, not for ever', async () => {
  const { queue, run } = office()
  const began = now
  deliver = async (mail) => {
    if (mail.key === 'mail:hello:ada') throw new Error('550 no such mailbox')
    sent.push(mail)
  }
  await queue.enqueue('hello', 'ada', 3)
  await queue.enqueue('bye', 'ada', 7)
  while (sent.length === 0 && now - began < 600_000) {
    await run()
    now += 1000
  }
  expect(sent.map(({ key }) => key)).toEqual(['mail:bye:ada'])
  expect(now - began).toBeLessThan(90_000)
  expect(await queue.model.countDocuments({ state: 'due' })).toBe(0)
})

test('of two workers at once the one with the later mail waits until the other has sent the earlier', async () => {
  const { queue, run } = office()
  const sending = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  deliver = async (mail) => {
    if (mail.key === 'mail:hello:ada') {
      reached.resolve()
      await sending.promise
    }
    sent.push(mail)
  }
  await queue.enqueue('hello', 'ada', 3)
  const first = run()
  await reached.promise
  await queue.enqueue('bye', 'ada', 7)
  await run()
  expect(sent).toEqual([])
  sending.resolve()
  await first
  now += 1000
  await run()
  expect(sent.map(({ key }) => key)).toEqual(['mail:hello:ada', 'mail:bye:ada'])
})
