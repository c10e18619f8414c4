/** For the tests here: a simulator of one's own, the real client on it, and the control routes. */
import Stripe from 'stripe'
import { afterEach } from 'vitest'
import type { ledgerOf } from './ledger.ts'
import { startStripeSimulator } from './server.ts'

const ending: (() => unknown)[] = []

/** Runs when the current test is over, last come first. */
export const atEnd = (work: () => unknown) => void ending.push(work)

afterEach(async () => {
  for (const work of ending.splice(0).reverse()) await work()
})

export const clientOf = (port: number, config: Stripe.StripeConfig = {}, key = 'sk_test_simulated') =>
  new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, telemetry: false, ...config })

export const setUp = async (options: Parameters<typeof startStripeSimulator>[0] = {}, config: Stripe.StripeConfig = {}) => {
  const simulator = await startStripeSimulator(options)
  atEnd(() => simulator.stop())
  return { simulator, stripe: clientOf(simulator.port, config), sim: controlOf(simulator.url) }
}

export const controlOf = (url: string) => {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/_sim/${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const answer = await jsonOf(response)
    if (!response.ok) throw new Error(`${response.status} ${answer.error}`)
    return answer
  }
  return {
    ledger: (): Promise<ReturnType<typeof ledgerOf>> => call('GET', 'ledger'),
    fault: (fault: unknown) => call('POST', 'faults', fault),
    clearFaults: () => call('DELETE', 'faults'),
    advance: (advanceSeconds: number) => call('POST', 'clock', { advanceSeconds }),
    reset: () => call('POST', 'reset'),
    bringAbout: (body: unknown) => call('POST', 'cases', body),
  }
}

/** What the product says of an intent. */
export const intentOf = (change: object = {}) =>
  ({
    amount: 27_368,
    currency: 'eur',
    capture_method: 'manual',
    allowed_payment_method_types: ['card'],
    metadata: { booking_id: 'bk_1' },
    ...change,
  }) satisfies Stripe.PaymentIntentCreateParams

export const confirmation = (payment_method = 'pm_card_visa') => ({
  payment_method,
  error_on_requires_action: true,
  expand: ['latest_charge'],
})

/** An intent whose amount is held on a card. */
export const hold = async (stripe: Stripe, { card, ...change }: { card?: string; amount?: number; currency?: string } = {}) => {
  const { id } = await stripe.paymentIntents.create(intentOf(change))
  return stripe.paymentIntents.confirm(id, confirmation(card))
}

/** The body, for tests that look at what they expect and nothing more. */
// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asks for
export const jsonOf = async (response: Response): Promise<any> => JSON.parse(await response.text())

/** The error that the client throws, with what the tests look at. */
export const errorOf = async (call: Promise<unknown>): Promise<Stripe.errors.StripeError & { payment_intent?: Stripe.PaymentIntent }> => {
  try {
    await call
  } catch (error) {
    return error as Stripe.errors.StripeError
  }
  throw new Error('the call did not fail')
}

/** For parameters that the client's types rightly refuse. */
export const anything = (params: unknown) => params as never
