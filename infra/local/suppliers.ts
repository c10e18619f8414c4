/** The outside world of a machine without provider keys: simulators of flights, cards and mail. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bookingApi } from '@passerelle/contracts/http/booking'
import type { Mode } from '@passerelle/contracts/http/common'
import { paymentApi } from '@passerelle/contracts/http/payment'
import type { Environment } from '@passerelle/kit/configuration'
import { startDuffelSimulator } from '@passerelle/simulators/duffel/server'
import { startMailbox } from '@passerelle/simulators/mailbox/server'
import { startStripeSimulator } from '@passerelle/simulators/stripe/server'

export type Suppliers = {
  environment: Environment
  /** One line for people, per supplier. */
  behind: Record<'flights' | 'cards' | 'mail', string> & { live?: string }
  stop(): Promise<void>
}

export type SupplierOptions = {
  environment: Environment
  dataDir?: string | undefined
  /** The website's address on this machine. */
  siteUrl?: string
  webhookSecret?: string
}

/** Where a supplier tells of what happened: it knows the website's address only. */
const webhookOf = (mode: Mode, { path }: { path: string }, { siteUrl, webhookSecret }: SupplierOptions) =>
  siteUrl && webhookSecret ? { webhook: { url: siteUrl + path.replace(':mode', mode), secret: webhookSecret } } : {}
const [CARDS, FLIGHTS] = [paymentApi.routes.webhook, bookingApi.routes.supplierNotice]

const portOf = (environment: Environment, name: string, usual: number) => Number(environment[name] ?? usual)

export async function startSuppliers(options: SupplierOptions): Promise<Suppliers> {
  const { environment, dataDir, webhookSecret } = options
  const folder = dataDir && join(dataDir, 'simulators')
  if (folder) mkdirSync(folder, { recursive: true })
  const file = (name: string) => (folder ? { dataFile: join(folder, name) } : {})
  const stops: (() => Promise<void>)[] = []
  const settings: Environment = {}
  const behind: Suppliers['behind'] = {
    flights: 'Duffel test environment',
    cards: 'Stripe test environment',
    mail: environment.SMTP_URL ?? '',
  }

  if (!environment.DUFFEL_TEST_TOKEN) {
    const duffel = await startDuffelSimulator({
      port: portOf(environment, 'DUFFEL_SIMULATOR_PORT', 8091),
      latencyMs: portOf(environment, 'DUFFEL_SIMULATOR_LATENCY_MS', 300),
      ...webhookOf('test', FLIGHTS, options),
      ...file('duffel.db'),
    })
    stops.push(() => duffel.stop())
    Object.assign(settings, {
      DUFFEL_TEST_TOKEN: 'duffel_test_simulator',
      DUFFEL_TEST_URL: duffel.url,
      DUFFEL_TEST_WEBHOOK_SECRET: webhookSecret,
    })
    behind.flights = `simulator ${duffel.url}`
  }
  if (!environment.STRIPE_TEST_KEY) {
    const stripe = await startStripeSimulator({
      port: portOf(environment, 'STRIPE_SIMULATOR_PORT', 8092),
      ...webhookOf('test', CARDS, options),
      ...file('stripe.db'),
    })
    stops.push(() => stripe.stop())
    Object.assign(settings, {
      STRIPE_TEST_KEY: 'sk_test_simulator',
      STRIPE_TEST_URL: stripe.url,
      STRIPE_TEST_WEBHOOK_SECRET: webhookSecret,
    })
    behind.cards = `simulator ${stripe.url}`
  }
  if (environment.LIVE_SIMULATORS === 'true') {
    const [duffel, stripe] = await Promise.all([
      startDuffelSimulator({
        port: portOf(environment, 'DUFFEL_LIVE_SIMULATOR_PORT', 8191),
        latencyMs: portOf(environment, 'DUFFEL_SIMULATOR_LATENCY_MS', 300),
        live: true,
        ...webhookOf('live', FLIGHTS, options),
        ...file('duffel-live.db'),
      }),
      startStripeSimulator({
        port: portOf(environment, 'STRIPE_LIVE_SIMULATOR_PORT', 8192),
        live: true,
        ...webhookOf('live', CARDS, options),
        ...file('stripe-live.db'),
      }),
    ])
    stops.push(duffel.stop, stripe.stop)
    Object.assign(settings, {
      DUFFEL_LIVE_TOKEN: 'duffel_live_simulator',
      DUFFEL_LIVE_URL: duffel.url,
      DUFFEL_LIVE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_LIVE_KEY: 'sk_live_simulator',
      STRIPE_LIVE_URL: stripe.url,
      STRIPE_LIVE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_LIVE_PUBLISHABLE_KEY: 'pk_live_simulator',
      STRIPE_SCRIPT_URL: `${stripe.url}/endive/stripe.js`,
    })
    behind.live = `simulators ${duffel.url} ${stripe.url}`
  }
  if (!environment.SMTP_URL) {
    const mailbox = await startMailbox({
      httpPort: portOf(environment, 'MAILBOX_PORT', 8093),
      smtpPort: portOf(environment, 'SMTP_PORT', 8094),
      ...file('mailbox.db'),
    })
    stops.push(() => mailbox.stop())
    settings.SMTP_URL = mailbox.smtpUrl
    behind.mail = `mailbox ${mailbox.url}`
  }
  return { environment: settings, behind, stop: async () => void (await Promise.allSettled(stops.map((stop) => stop()))) }
}
