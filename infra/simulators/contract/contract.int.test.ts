/** The comparison of simulators with their suppliers, tried on the simulators themselves. */
import { expect, test } from 'vitest'
import { startDuffelSimulator } from '../duffel/server.ts'
import { startStripeSimulator } from '../stripe/server.ts'
import { differences, duffelSeen, stripeSeen } from './cases.ts'

test('two simulators of other seeds say the same, and one that answers otherwise is found', async () => {
  const [one, other] = [await startStripeSimulator({ seed: 1 }), await startStripeSimulator({ seed: 2 })]
  const seen = ({ port }: { port: number }) => stripeSeen('sk_test_simulator', { host: '127.0.0.1', port })
  const first = await seen(one)()
  expect(Object.keys(first)).toHaveLength(20)
  expect(differences(first, await seen(other)())).toEqual([])
  await fetch(`${other.url}/_sim/cases`, { method: 'POST', body: JSON.stringify({ case: 'stored-error' }) })
  expect(differences(first, await seen(other)())).toEqual([expect.stringContaining('a new intent: the supplier says')])
  await Promise.all([one.stop(), other.stop()])
})

test('so it is with the airlines', async () => {
  const [one, other] = [await startDuffelSimulator({ seed: 1 }), await startDuffelSimulator({ seed: 2 })]
  const seen = ({ url }: { url: string }) => duffelSeen('duffel_test_simulator', url)
  const first = await seen(one)()
  expect(Object.keys(first)).toHaveLength(12)
  expect(differences(first, await seen(other)())).toEqual([])
  await fetch(`${other.url}/_sim/cases`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ case: 'cancel-refused' }),
  })
  expect(differences(first, await seen(other)()).join()).toContain('a quote for cancelling: the supplier says')
  await Promise.all([one.stop(), other.stop()])
})
