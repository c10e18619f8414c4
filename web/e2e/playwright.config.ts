import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'playwright/test'
import { findBrowser } from './browser/find-browser.ts'

/**
 * BASE_URL: a system that runs already, e.g. in containers; its simulators are asked as well when E2E_PORT says where they are. Otherwise
 * the whole product is started for this run, on ports and data of its own.
 */
const given = process.env.BASE_URL
export const simulatorsReachable = !given || Boolean(process.env.E2E_PORT)
const port = Number(process.env.E2E_PORT ?? 18_080)
export const ports = {
  duffel: port + 11,
  stripe: port + 12,
  mailbox: port + 13,
  smtp: port + 14,
  liveDuffel: port + 15,
  liveStripe: port + 16,
  /** Of a name server that a test may start; nobody answers there else. */
  names: port + 17,
  /** Of an entrance with certificates that a test may start; nobody listens there else. */
  edge: port + 18,
}

const system = {
  PORT: String(port),
  ADMIN_PORT: '0',
  DUFFEL_SIMULATOR_PORT: String(ports.duffel),
  DUFFEL_SIMULATOR_LATENCY_MS: '50',
  STRIPE_SIMULATOR_PORT: String(ports.stripe),
  MAILBOX_PORT: String(ports.mailbox),
  SMTP_PORT: String(ports.smtp),
  ORDER_SEND_WITHIN_MS: '1000',
  ORDER_LONGEST_MS: '4000',
  ACCOUNT_WITHIN_MS: '20000',
  // Live mode can be switched on; it has a pair of simulators of its own.
  LIVE_SIMULATORS: 'true',
  DUFFEL_LIVE_SIMULATOR_PORT: String(ports.liveDuffel),
  STRIPE_LIVE_SIMULATOR_PORT: String(ports.liveStripe),
  CHALLENGE_SECONDS: '30',
  HOST_TARGET: 'edge.passerelle.example',
  HOST_ADDRESSES: '192.0.2.44,2001:db8:44::10',
  HOST_TLS_ADDRESS: `127.0.0.1:${ports.edge}`,
  MAIL_SPF_INCLUDE: '_spf.passerelle.example',
  MAIL_DKIM_HOST: 'pass1._domainkey.passerelle.example',
  DNS_SERVERS: `127.0.0.1:${ports.names}`,
  // All visitors come from one address.
  CARD_DECLINES_PER_NETWORK: '1000',
  NAMESPACE: `e2e${Date.now().toString(36).slice(-6)}-`,
}

/** Made by the first process that reads this file and inherited by the others; it goes when that one ends. */
function dataFolder(): string {
  const known = process.env.E2E_DATA_DIR
  if (known) return known
  const made = mkdtempSync(join(tmpdir(), 'passerelle-e2e-'))
  process.env.E2E_DATA_DIR = made
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  return made
}

/** Found and told by the first process that reads this file; the others inherit what it found. */
function browserPath(): string {
  const known = process.env.E2E_BROWSER
  if (known) return known
  const { path, what, environment } = findBrowser()
  console.log(`Browser of these tests: ${what}`)
  Object.assign(process.env, environment, { E2E_BROWSER: path })
  return path
}

/** Changes what every visitor sees. */
const WHOLE_SYSTEM = ['mode.spec.ts', 'live-payment.spec.ts']
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  timeout: 90_000,
  expect: { timeout: 15_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  reporter: [['list']],
  outputDir: '../../test-results',
  use: {
    baseURL: given ?? `http://localhost:${port}`,
    // The entrance of a cluster on this machine has a certificate of its own.
    ignoreHTTPSErrors: given?.startsWith('https://localhost') ?? false,
    trace: 'off',
    launchOptions: {
      executablePath: browserPath(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1280, height: 900 } }, testIgnore: WHOLE_SYSTEM },
    {
      name: 'phone',
      use: PHONE,
      grep: /journey/,
      testIgnore: WHOLE_SYSTEM,
    },
    // After the others, which it would disturb.
    { name: 'mode', use: { viewport: { width: 1280, height: 900 } }, testMatch: 'mode.spec.ts', dependencies: ['desktop', 'phone'] },
    { name: 'mode-phone', use: PHONE, testMatch: 'mode.spec.ts', dependencies: ['mode'] },
    {
      name: 'live',
      use: { viewport: { width: 1280, height: 900 } },
      testMatch: 'live-payment.spec.ts',
      fullyParallel: false,
      dependencies: ['mode-phone'],
    },
    { name: 'live-phone', use: PHONE, testMatch: 'live-payment.spec.ts', fullyParallel: false, dependencies: ['live'] },
  ],
  ...(!given && {
    webServer: {
      command: 'node --disable-warning=TimeoutNegativeWarning infra/local/main.ts',
      cwd: join(import.meta.dirname, '../..'),
      url: `http://localhost:${port}/api/system/mode`,
      env: { ...(process.env as Record<string, string>), ...system, DATA_DIR: dataFolder() },
      timeout: 60_000,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    },
  }),
})
