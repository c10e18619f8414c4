/** The simulators as a process of their own, for containers: flights, cards and mail, reachable by the other containers only. */
import { readFileSync } from 'node:fs'
import { startDuffelSimulator } from './duffel/server.ts'
import { startMailbox } from './mailbox/server.ts'
import { startStripeSimulator } from './stripe/server.ts'

// Data files are for this user alone.
process.umask(0o077)
const environment = process.env
const host = environment.HOST ?? '127.0.0.1'
const file = (name: string) => (environment.DATA_DIR ? { dataFile: `${environment.DATA_DIR}/${name}` } : {})
/** Where a simulator tells of what happened. */
const webhookOf = (name: string) => {
  const url = environment[`${name}_URL`]
  const secretFile = environment[`${name}_SECRET_FILE`]
  const secret = secretFile ? readFileSync(secretFile, 'utf8').trim() : environment[`${name}_SECRET`]
  return url && secret ? { webhook: { url, secret } } : {}
}

const running = await Promise.all([
  startDuffelSimulator({
    host,
    port: 8091,
    latencyMs: Number(environment.DUFFEL_SIMULATOR_LATENCY_MS ?? 300),
    ...webhookOf('NOTICE'),
    ...file('duffel.db'),
  }),
  startStripeSimulator({ host, port: 8092, ...webhookOf('WEBHOOK'), ...file('stripe.db') }),
  startMailbox({ host, httpPort: 8093, smtpPort: 8094, ...file('mailbox.db') }),
])
console.log('simulators: flights 8091, cards 8092, mailbox 8093, smtp 8094')

const leave = async () => {
  await Promise.all(running.map((one) => one.stop()))
  process.exit(0)
}
process.on('SIGTERM', leave)
process.on('SIGINT', leave)
