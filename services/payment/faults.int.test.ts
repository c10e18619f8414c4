import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { card, newKey, type PaymentFixture, startPaymentFixture } from './payment.fixture.ts'

const CREATE = { method: 'POST', path: '/v1/payment_intents' }
const CONFIRM = { method: 'POST', path: '*/confirm' }
const READ = { method: 'GET', path: '/v1/payment_intents/*' }
const plain = { amount: '274.00', currency: 'EUR', cardDetails: card() }

let payments: PaymentFixture

beforeAll(async () => {
  payments = await startPaymentFixture({ STRIPE_TIMEOUT_MS: '400', PAYMENT_ANSWER_MS: '8000', PAYMENT_WAIT_MS: '1500' })
})
afterEach(async ({ task }) => {
  // Which of several calls failed, and when, is only in the log.
  if (task.result?.state === 'fail') console.log(payments.logs.slice(-40).join(''))
  await payments.simulator.clearFaults()
})
afterAll(() => payments.stop())

const fault = (about: object) => payments.simulator.fault(about)
const unavailable = (answer: { status: number; body: { error?: string; success?: boolean } }) => {
  expect([answer.status, answer.body.error]).toEqual([503, 'PAYMENT_UNAVAILABLE'])
  expect(answer.body.success).not.toBe(true)
}
const counts = async () => (await payments.simulator.ledger()).counts

describe('an answer of the provider that is lost', () => {
  test('C3: on the way back from making the intent: the same key goes on with the same intent', async () => {
    const [key, before] = [newKey(), await counts()]
    await fault({ match: CREATE, effect: 'reset-after-commit', times: 2 })
    unavailable(await payments.pay(plain, key))
    const { status, body } = await payments.pay(plain, key)
    expect(status).toBe(200)
    const after = await counts()
    expect([after.intents - before.intents, after.authorisations - before.authorisations]).toEqual([1, 1])
    expect(await payments.simulator.intentsOf(body.paymentId)).toMatchObject([{ status: 'requires_capture' }])
  })

  test('C3: on the way back from the bank: the outcome is read, and the visitor notices nothing', async () => {
    const before = await counts()
    await fault({ match: CONFIRM, effect: 'reset-after-commit', times: 2 })
    expect((await payments.pay(plain)).status).toBe(200)
    expect((await counts()).authorisations - before.authorisations).toBe(1)
  })

  test('C3: and cannot be read either: no success is claimed, the worker learns the outcome, the same key answers it', async () => {
    const [key, before] = [newKey(), await counts()]
    await fault({ match: CONFIRM, effect: 'reset-after-commit' })
    await fault({ match: READ, effect: 'status', status: 503 })
    unavailable(await payments.pay(plain, key))
    await payments.simulator.clearFaults()
    const { status, body } = await payments.pay(plain, key)
    expect(status).toBe(200)
    await vi.waitFor(async () => expect((await payments.read(String(body.paymentId))).body.state).toBe('authorised'), 10_000)
    expect((await counts()).authorisations - before.authorisations).toBe(1)
  })

  test('a decline whose answer is lost is still a decline', async () => {
    await fault({ match: CONFIRM, effect: 'reset-after-commit', times: 2 })
    const { status, body } = await payments.pay({ ...plain, cardDetails: card('4000000000009995') })
    expect([status, body.message]).toEqual([402, 'Your card has insufficient funds.'])
  })
})

describe('a provider that does not answer', () => {
  test('that hangs before the bank was asked: nothing is held, and the same key pays once it is back', async () => {
    const [key, before] = [newKey(), await counts()]
    await fault({ match: CONFIRM, effect: 'hang' })
    unavailable(await payments.pay(plain, key))
    expect((await counts()).authorisations).toBe(before.authorisations)
    await payments.simulator.clearFaults()
    const { status, body } = await payments.pay(plain, key)
    expect(status).toBe(200)
    expect(await payments.simulator.intentsOf(body.paymentId)).toMatchObject([{ status: 'requires_capture', attempts: 1 }])
  })

  test('that is slow: a repetition meanwhile is told to wait, and holds nothing twice', async () => {
    const [key, before] = [newKey(), await counts()]
    await fault({ match: CREATE, effect: 'hang', times: 2 })
    const first = payments.pay(plain, key)
    await vi.waitFor(async () =>
      expect((await counts()).requests['POST /v1/payment_intents']).toBeGreaterThan(before.requests['POST /v1/payment_intents'] ?? 0),
    )
    const meanwhile = await payments.pay(plain, key)
    unavailable(await first)
    expect([200, 409]).toContain(meanwhile.status)
    if (meanwhile.status === 409) expect([meanwhile.body.error, meanwhile.headers.get('retry-after')]).toEqual(['PAYMENT_IN_PROGRESS', '1'])
    expect((await payments.pay(plain, key)).status).toBe(200)
    expect((await counts()).authorisations - before.authorisations).toBe(1)
  })

  test.each([
    ['500', { effect: 'status', status: 500 }],
    ['429', { effect: 'status', status: 429 }],
    ["a proxy's HTML page", { effect: 'html', status: 502 }],
    ['a cut connection', { effect: 'reset' }],
  ])('that answers with %s: no success, and the same key pays afterwards', async (_what, effect) => {
    const key = newKey()
    await fault({ match: CONFIRM, ...effect })
    unavailable(await payments.pay(plain, key))
    await payments.simulator.clearFaults()
    expect((await payments.pay(plain, key)).status).toBe(200)
  })

  test('that repeats a stored failure under the old key: the next attempt gets through', async () => {
    const key = newKey()
    await payments.simulator.bringAbout({ case: 'stored-error' })
    unavailable(await payments.pay(plain, key))
    expect((await payments.pay(plain, key)).status).toBe(200)
  })

  test('a confirmation that comes late, after another card was declined under the same key, holds nothing for long', async () => {
    const key = newKey()
    await fault({ match: CONFIRM, effect: 'delay', ms: 2500, times: 1 })
    unavailable(await payments.pay(plain, key))
    const second = await payments.pay({ ...plain, cardDetails: card('4000000000000002') }, key)
    expect([second.status, second.body.error]).toEqual([402, 'CARD_DECLINED'])
    await vi.waitFor(async () => {
      const { intents } = await payments.simulator.ledger()
      expect(intents.at(-1)).toMatchObject({ status: 'canceled', capturable: 0 })
    }, 10_000)
  })
})

describe('a process that is killed', () => {
  test('C3: after the bank has held the amount and before that is written: its successor learns it, and one hold remains', async () => {
    const [key, before] = [newKey(), await counts()]
    await payments.pauseService()
    const doomed = await spawnService()
    await fault({ match: CONFIRM, effect: 'hang', afterCommit: true })
    const lost = doomed.pay(plain, key)
    await vi.waitFor(async () => expect((await counts()).authorisations).toBe(before.authorisations + 1), 10_000)
    doomed.kill()
    await expect(lost).rejects.toThrow()
    await payments.simulator.clearFaults()
    await payments.resumeService()
    let paymentId: string | undefined
    await vi.waitFor(
      async () => {
        const { status, body } = await payments.pay(plain, key)
        expect(status).toBe(200)
        paymentId = body.paymentId
      },
      { timeout: 20_000, interval: 200 },
    )
    expect(await payments.simulator.intentsOf(paymentId)).toMatchObject([{ status: 'requires_capture', attempts: 1 }])
    expect((await counts()).authorisations).toBe(before.authorisations + 1)
  }, 60_000)
})

/** The service as a process of its own, on the same database. */
async function spawnService() {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const environment = { ...payments.settings, STRIPE_TIMEOUT_MS: '5000', LOG_LEVEL: 'info' }
  const child = spawn(process.execPath, [main], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  for await (const line of lines) {
    const entry = JSON.parse(line) as { msg?: string; port?: number }
    if (entry.msg !== 'started') continue
    const { pay } = payments.callsAt(`http://127.0.0.1:${entry.port}`)
    return { pay, kill: () => child.kill('SIGKILL') }
  }
  await once(child, 'exit')
  throw new Error('the service did not start')
}
