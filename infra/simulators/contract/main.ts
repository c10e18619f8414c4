/**
 * `make contract-suppliers`: the same calls against the suppliers' own test environments, where their keys are given, and against the
 * simulators. Exit code 1 when a simulator differs; 0 also without a key, which is said.
 */
import { startDuffelSimulator } from '../duffel/server.ts'
import { startStripeSimulator } from '../stripe/server.ts'
import { differences, duffelSeen, type Seen, stripeSeen } from './cases.ts'

const { DUFFEL_TEST_TOKEN, STRIPE_TEST_KEY } = process.env
const [duffel, stripe] = await Promise.all([startDuffelSimulator(), startStripeSimulator()])
try {
  await compare(
    'Duffel',
    'DUFFEL_TEST_TOKEN',
    duffelSeen('duffel_test_simulator', duffel.url),
    testKey(DUFFEL_TEST_TOKEN, /^duffel_test_/, duffelSeen),
  )
  const address = { host: '127.0.0.1', port: stripe.port }
  await compare('Stripe', 'STRIPE_TEST_KEY', stripeSeen('sk_test_simulator', address), testKey(STRIPE_TEST_KEY, /^[sr]k_test_/, stripeSeen))
} finally {
  await Promise.all([duffel.stop(), stripe.stop()])
}

/** Never with a key of live mode. */
function testKey(key: string | undefined, form: RegExp, seen: (key: string) => () => Promise<Seen>): (() => Promise<Seen>) | null {
  if (!key || /simulator/.test(key)) return null
  if (!form.test(key)) throw new Error('a key of test mode is needed: this places orders and charges cards')
  return seen(key)
}

async function compare(
  name: string,
  setting: string,
  simulator: () => Promise<Seen>,
  supplier: (() => Promise<Seen>) | null,
): Promise<void> {
  const simulated = await simulator()
  const cases = Object.keys(simulated).length
  if (!supplier) return console.log(`${name}: ${cases} cases run at the simulator alone, nothing compared: ${setting} is not given`)
  const found = differences(await supplier(), simulated)
  console.log(`${name}: ${cases} cases, ${found.length} differences`)
  for (const line of found) console.log(`  ${line}`)
  if (found.length > 0) process.exitCode = 1
}
