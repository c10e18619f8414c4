import { bookingCancelled } from '@passerelle/contracts/events/booking'
import { allTopics } from '@passerelle/contracts/events/topics'
import { connectBus } from '@passerelle/kit/bus'
import { createMetrics } from '@passerelle/kit/metrics'
import { connectMongo } from '@passerelle/kit/mongo'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { card, listenTo, newKey, type PaymentFixture, startPaymentFixture } from './payment.fixture.ts'

const CVV = '7391'
/** As a word of its own: four digits also occur by chance inside of ids, times and figures. */
const CVV_ALONE = /(?<![\w-]|\d\.)7391(?![\w-]|\.\d)/
const NAME = 'Zephyrine Quillfeather'
const numbers = ['4242424242424242', '378282246310005', '4000000000009995', '4000000000009987', '4916338506082832', '4242424242424241']

let payments: PaymentFixture

beforeAll(async () => {
  payments = await startPaymentFixture({ STRIPE_TIMEOUT_MS: '400', LOG_LEVEL: 'debug' })
})
afterAll(() => payments.stop())

const withCanary = (number: string) => ({ ...card(number), cvv: CVV, holderName: NAME })

test('APAY-07: card number, security code and holder name are in no document, topic, log, metric or answer', async () => {
  const answers: unknown[] = []
  for (const number of numbers)
    for (const mode of ['test', 'live'] as const) {
      const body = { amount: '274.00', currency: 'EUR', cardDetails: withCanary(number) }
      answers.push((await payments.pay(body, newKey(), { mode })).body)
      answers.push(
        (
          await payments.authorise(
            { key: newKey(), charge: { amount: '10.00', currency: 'EUR' }, offerId: 'off_1', cardDetails: body.cardDetails },
            { mode },
          )
        ).body,
      )
    }
  const [effects, cardDetails] = [['hang', 'reset-after-commit', 'html'], withCanary('4242424242424242')]
  for (const effect of effects) {
    await payments.simulator.fault({ match: { method: 'POST' }, effect, times: 2 })
    answers.push((await payments.pay({ amount: '55.00', currency: 'EUR', cardDetails })).body)
    await payments.simulator.clearFaults()
  }
  answers.push((await payments.pay({ amount: 'nonsense', currency: 'EUR', cardDetails })).body)
  answers.push((await payments.pay({ amount: '5.00', currency: 'EUR', cardDetails: { ...cardDetails, expiryYear: [CVV] } })).body)
  const { paymentId, bookingId } = await wholeLife(cardDetails)

  const events = await heardEverywhere(paymentId)
  const metrics = await (await fetch(`${payments.adminUrl()}/metrics`)).text()
  const places = {
    documents: await dumpOfDatabase(),
    events,
    logs: payments.logs.join(''),
    metrics,
    answers: JSON.stringify(answers),
    provider: JSON.stringify(await payments.simulator.ledger()),
  }
  expect(places.documents).toContain(bookingId)
  expect(places.events).toContain(paymentId)
  expect(places.logs).toContain(paymentId)
  for (const [place, text] of Object.entries(places))
    for (const canary of [...numbers, CVV_ALONE, NAME, 'Zephyrine', '4242 4242'])
      expect(text.search(canary), `${canary} in ${place}`).toBe(-1)
})

async function wholeLife(cardDetails: object) {
  const bookingId = 'bk_canary'
  const { body } = await payments.pay({ amount: '99.00', currency: 'EUR', cardDetails })
  const paymentId = String(body.paymentId)
  await payments.claim(paymentId, bookingId)
  await payments.capture(paymentId)
  const { KAFKA_BROKERS: brokers, NAMESPACE: namespace } = payments.servers.environment
  const bus = await connectBus({
    brokers,
    namespace,
    clientId: 'booking',
    log: payments.log,
    metrics: createMetrics('booking'),
    onFatal: () => undefined,
  })
  const data = { bookingId, paymentId, reference: 'ABCD2345', brand: 'default', mode: 'test' as const, refundMinor: 9900, currency: 'EUR' }
  await bus.publish([createOutboxEvent(bookingCancelled, data, { sequence: 1, at: new Date() })])
  await vi.waitFor(async () => expect((await payments.read(paymentId)).body.state).toBe('refunded'), 15_000)
  await bus.stop()
  return { paymentId, bookingId }
}

async function heardEverywhere(paymentId: string): Promise<string> {
  const listeners = await Promise.all(allTopics.map((topic) => listenTo(payments.servers, topic.name)))
  const heard = () => listeners.flatMap((listener) => listener.heard)
  await vi.waitFor(() => expect(heard().some((event) => event.key === paymentId && event.type.includes('refunded'))).toBe(true), 15_000)
  await Promise.all(listeners.map((listener) => listener.stop()))
  return JSON.stringify(heard())
}

async function dumpOfDatabase(): Promise<string> {
  const { MONGO_URL, NAMESPACE } = payments.servers.environment
  const connection = await connectMongo(MONGO_URL, `${NAMESPACE}payment`, payments.log)
  const collections = await connection.listCollections()
  const documents = await Promise.all(collections.map(({ name }) => connection.collection(name).find().toArray()))
  await connection.close()
  return JSON.stringify(documents)
}
