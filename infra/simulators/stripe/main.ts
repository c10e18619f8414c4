/**
 * Starts the Stripe simulator by itself: `node infra/simulators/stripe/main.ts`.
 * PORT (8092), HOST, DATA_FILE, SEED; STRIPE_WEBHOOK_URL with STRIPE_WEBHOOK_SECRET to have events delivered.
 */
import { startStripeSimulator } from './server.ts'

const { PORT, HOST, DATA_FILE, SEED, STRIPE_WEBHOOK_URL, STRIPE_WEBHOOK_SECRET } = process.env
const simulator = await startStripeSimulator({
  port: Number(PORT ?? 8092),
  ...(HOST ? { host: HOST } : {}),
  ...(DATA_FILE ? { dataFile: DATA_FILE } : {}),
  ...(SEED ? { seed: SEED } : {}),
  ...(STRIPE_WEBHOOK_URL && STRIPE_WEBHOOK_SECRET ? { webhook: { url: STRIPE_WEBHOOK_URL, secret: STRIPE_WEBHOOK_SECRET } } : {}),
})
console.log(`Stripe simulator on ${simulator.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.stop())
