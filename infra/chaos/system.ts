/** A whole local system as child processes with a data folder and ports of its own, to be killed and started again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { delay } from '@passerelle/kit/runtime'
import { freePorts } from '@passerelle/servers/ports'
import { killProcesses, takeServerPorts } from './campaign.ts'
import { ledgersOf, type World } from './evidence.ts'

/** Where it runs does not matter to what is done to it: processes of this machine, or containers. */
export type System = World & {
  url: string
  duffel: string
  stripe: string
  mailbox: string
  /** Its data. */
  folder: string
  /** Starts what is not running and waits until the gateway answers; returns the milliseconds that took. */
  start(): Promise<number>
  /** `kill -9` of the process (one) or of all processes (processes), real servers included. */
  kill(): void
  /** Process id of a service as its pid file says; undefined while it is not running. */
  pidOf(service: string): number | undefined
  /** Waits until a replica says that it is ready. */
  ready(replica: string): Promise<void>
}

/** Where a process serves, past the balancer, and where it answers `/livez` and `/readyz`. */
export function addressOf(folder: string, replica: string): { url: string; adminUrl: string } {
  return JSON.parse(readFileSync(join(folder, 'run', 'addresses.json'), 'utf8'))[replica]
}

const scripts = { one: 'infra/local/main.ts', processes: 'infra/local/processes.ts' }
const root = new URL('../../', import.meta.url).pathname
const START_SECONDS = 120

export async function system(mode: keyof typeof scripts, dataDir: string, given: Record<string, string> = {}): Promise<System> {
  const [port, admin, duffelPort, stripePort, mailbox, smtp] = await freePorts(6)
  const [duffel, stripe] = [`http://127.0.0.1:${duffelPort}`, `http://127.0.0.1:${stripePort}`]
  const environment: Record<string, string> = {
    ...(await takeServerPorts()),
    PATH: process.env.PATH ?? '',
    ...(process.env.KAFKA_HOME && { KAFKA_HOME: process.env.KAFKA_HOME }),
    DATA_DIR: dataDir,
    PORT: String(port),
    ADMIN_PORT: String(admin),
    DUFFEL_SIMULATOR_PORT: String(duffelPort),
    DUFFEL_SIMULATOR_LATENCY_MS: '20',
    STRIPE_SIMULATOR_PORT: String(stripePort),
    MAILBOX_PORT: String(mailbox),
    SMTP_PORT: String(smtp),
    RATE_LIMIT_FACTOR: '1000000',
    // All visitors of a campaign come from one address.
    CARD_DECLINES_PER_NETWORK: '1000000',
    // Outcomes that were lost are resolved within the campaign instead of within minutes.
    ORDER_SEND_WITHIN_MS: '3000',
    ORDER_LONGEST_MS: '10000',
    HOLD_SECONDS: '60',
    ...given,
  }
  const log = join(dataDir, 'system.log')
  const runFile = (name: string) => join(dataDir, 'run', name)
  let child: ChildProcess | undefined
  const kill = () => {
    // The launcher first: it would start the others again.
    child?.kill('SIGKILL')
    killProcesses(dataDir)
  }
  process.once('exit', kill)
  const announced = (server: string) => new RegExp(`^ *${server} +.*?(\\S+)$`, 'm').exec(readFileSync(log, 'utf8'))?.[1] ?? ''

  return {
    url: `http://127.0.0.1:${port}`,
    folder: dataDir,
    ...{ duffel, stripe, mailbox: `http://127.0.0.1:${mailbox}` },
    ledgers: ledgersOf(duffel, stripe, `http://127.0.0.1:${mailbox}`),
    mongoUrl: () => announced('MongoDB'),
    kafkaBrokers: () => announced('Kafka'),
    redisUrl: () => announced('Redis'),
    logs: join(dataDir, 'logs'),
    settleMs: Number(environment.ORDER_SEND_WITHIN_MS) + Number(environment.ORDER_LONGEST_MS) + 2000,
    async start() {
      const began = performance.now()
      const out = openSync(log, 'w')
      const words = ['--disable-warning=TimeoutNegativeWarning', scripts[mode]]
      const started = spawn(process.execPath, words, { cwd: root, env: environment, stdio: ['ignore', out, out], detached: true })
      child = started
      while (!readFileSync(log, 'utf8').includes('Passerelle is running')) {
        const waited = performance.now() - began
        if (started.exitCode !== null || waited > START_SECONDS * 1000) throw new Error(`the system did not start: see ${log}`)
        await delay(50)
      }
      return Math.round(performance.now() - began)
    },
    kill,
    pidOf: (service) => (existsSync(runFile(`${service}.pid`)) ? Number(readFileSync(runFile(`${service}.pid`), 'utf8')) : undefined),
    async ready(replica) {
      for (let i = 0; i < START_SECONDS * 10; i++) {
        const url = `${addressOf(dataDir, replica).adminUrl}/readyz`
        if (
          await fetch(url, { signal: AbortSignal.timeout(1000) }).then(
            ({ ok }) => ok,
            () => false,
          )
        )
          return
        await delay(100)
      }
      throw new Error(`${replica} does not get ready`)
    },
  }
}
