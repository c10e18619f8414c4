import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startStripeSimulator } from './server.ts'
import { atEnd, clientOf, controlOf, hold, intentOf } from './test-client.fixture.ts'

const dataFile = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stripe-simulator-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'stripe.sqlite')
}

/** A simulator in a process of its own, which can be killed. */
const spawnSimulator = async (file: string) => {
  const program = `
    const { startStripeSimulator } = await import(${JSON.stringify(new URL('./server.ts', import.meta.url).href)})
    console.log((await startStripeSimulator({ dataFile: ${JSON.stringify(file)} })).url)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  atEnd(() => void child.kill('SIGKILL'))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the simulator ended')))
    child.stdout.on('data', (chunk) => {
      const found = /http:\/\/\S+/.exec(String(chunk))
      if (found) resolve(found[0])
    })
  })
  const kill = () =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.kill('SIGKILL')
    })
  return { url, port: Number(new URL(url).port), kill }
}

it('has everything that it answered after kill -9: holds, captures, refunds, keys, clock', async () => {
  const file = await dataFile()
  const first = await spawnSimulator(file)
  const stripe = clientOf(first.port)
  await controlOf(first.url).advance(1000)
  const made = await stripe.paymentIntents.create(intentOf(), { idempotencyKey: 'made' })
  const [held, paid] = [await hold(stripe), await hold(stripe)]
  await stripe.paymentIntents.capture(paid.id)
  const refund = await stripe.refunds.create({ payment_intent: paid.id, amount: 100 }, { idempotencyKey: 'refund' })
  await first.kill()

  const second = await spawnSimulator(file)
  const after = clientOf(second.port)
  expect(await after.paymentIntents.retrieve(held.id)).toMatchObject({ status: 'requires_capture', amount_capturable: 27_368 })
  expect((await after.paymentIntents.create(intentOf(), { idempotencyKey: 'made' })).id).toBe(made.id)
  expect((await after.refunds.create({ payment_intent: paid.id, amount: 100 }, { idempotencyKey: 'refund' })).id).toBe(refund.id)
  expect((await after.paymentIntents.capture(held.id)).status).toBe('succeeded')
  expect((await after.paymentIntents.create(intentOf())).created - Date.now() / 1000).toBeGreaterThan(900)
  expect((await controlOf(second.url).ledger()).counts).toMatchObject({ intents: 4, captures: 2, refunds: 1 })
})

it('delivers after a restart what could not be delivered before', async () => {
  const file = await dataFile()
  const nowhere = { url: 'http://127.0.0.1:9/', secret: 'whsec_test' }
  const first = await startStripeSimulator({ dataFile: file, webhook: nowhere })
  await hold(clientOf(first.port))
  expect((await controlOf(first.url).ledger()).counts.webhooks).toEqual({ pending: 1 })
  await first.stop()

  const received: string[] = []
  const receiver = createServer((req, res) => {
    received.push(String(req.headers['stripe-signature']))
    res.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    receiver.close()
    receiver.closeAllConnections()
  })
  const port = (receiver.address() as { port: number }).port
  const second = await startStripeSimulator({ dataFile: file, webhook: { url: `http://127.0.0.1:${port}/`, secret: 'whsec_test' } })
  atEnd(() => second.stop())
  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1)
})
