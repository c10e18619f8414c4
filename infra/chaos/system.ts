/** A whole local system as child processes with a data folder and ports of its own, to be hurt and started again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { delay } from '@passerelle/kit/runtime'
import { freePorts } from '@passerelle/servers/ports'

export type Mode = 'one' | 'processes'

export type System = {
  url: string
  duffel: string
  stripe: string
  mailbox: string
  dataDir: string
  environment: Record<string, string>
  /** Starts what is not running and waits until the gateway answers; returns the milliseconds that took. */
  start(): Promise<number>
  /** `kill -9` of the process (one) or of the launcher (processes), without waiting for anything. */
  kill(): void
  /** Ctrl-C, and waits for the end. */
  stop(): Promise<void>
  mongoUrl(): string
  /** Process id of a service as its pid file says; undefined while it is not running. */
  pidOf(service: string): number | undefined
  /** Where a process answers `/livez` and `/readyz`. */
  adminUrl(replica: string): string
  /** Where a process serves, past the balancer. */
  replicaUrl(replica: string): string
  /** `/readyz` of a replica. */
  isReady(replica: string): Promise<boolean>
  remove(): void
}

const scripts: Record<Mode, string> = { one: 'infra/local/main.ts', processes: 'infra/local/processes.ts' }
const root = new URL('../../', import.meta.url).pathname
const START_SECONDS = 120

export async function system(mode: Mode, given: Record<string, string> = {}): Promise<System> {
  const dataDir = process.env.CHAOS_DATA_DIR ?? mkdtempSync(join(tmpdir(), 'passerelle-chaos-'))
  const [port, admin, duffel, stripe, mailbox, smtp, mongo, kafka, controller, redis] = await freePorts(10)
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: dataDir,
    PORT: String(port),
    ADMIN_PORT: String(admin),
    DUFFEL_SIMULATOR_PORT: String(duffel),
    DUFFEL_SIMULATOR_LATENCY_MS: '20',
    STRIPE_SIMULATOR_PORT: String(stripe),
    MAILBOX_PORT: String(mailbox),
    SMTP_PORT: String(smtp),
    REAL_MONGO_PORT: String(mongo),
    REAL_KAFKA_PORT: String(kafka),
    REAL_KAFKA_CONTROLLER_PORT: String(controller),
    REAL_REDIS_PORT: String(redis),
    RATE_LIMIT_FACTOR: '1000000',
    // All visitors of a test come from one address.
    CARD_DECLINES_PER_NETWORK: '1000000',
    // Outcomes that were lost are settled within the campaign instead of within minutes.
    ORDER_SEND_WITHIN_MS: '3000',
    ORDER_LONGEST_MS: '10000',
    HOLD_SECONDS: '60',
    ...(process.env.KAFKA_HOME && { KAFKA_HOME: process.env.KAFKA_HOME }),
    ...given,
  }
  const url = `http://127.0.0.1:${port}`
  const log = join(dataDir, 'system.log')
  const addressesOf = (replica: string) => {
    const addresses = JSON.parse(readFileSync(runFile('addresses.json'), 'utf8')) as Record<string, { url: string; adminUrl: string }>
    return addresses[replica] ?? { url: '', adminUrl: '' }
  }
  const adminUrl = (replica: string) => addressesOf(replica).adminUrl
  let child: ChildProcess | undefined
  const runFile = (name: string) => join(dataDir, 'run', name)
  // However a campaign ends, nothing of it stays behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  process.once('exit', () => {
    child?.kill('SIGKILL')
    for (const folder of ['run', 'servers']) killAll(join(dataDir, folder))
  })

  return {
    url,
    duffel: `http://127.0.0.1:${duffel}`,
    stripe: `http://127.0.0.1:${stripe}`,
    mailbox: `http://127.0.0.1:${mailbox}`,
    dataDir,
    environment,
    async start() {
      const began = performance.now()
      const out = openSync(log, 'w')
      const started = spawn(process.execPath, ['--disable-warning=TimeoutNegativeWarning', join(root, scripts[mode])], {
        cwd: root,
        env: environment,
        stdio: ['ignore', out, out],
        detached: true,
      })
      child = started
      while (!readFileSync(log, 'utf8').includes('Passerelle is running')) {
        if (started.exitCode !== null) throw new Error(`the system ended while starting: see ${log}`)
        if (performance.now() - began > START_SECONDS * 1000) throw new Error(`the system did not start: see ${log}`)
        await delay(50)
      }
      return Math.round(performance.now() - began)
    },
    kill: () => void child?.kill('SIGKILL'),
    async stop() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      child.kill('SIGINT')
      await ended
    },
    mongoUrl() {
      const found = /^ {2}MongoDB .*?(mongodb:\/\/\S+)/m.exec(readFileSync(log, 'utf8'))?.[1]
      if (!found) throw new Error('the system does not say where MongoDB is')
      return found
    },
    pidOf(service) {
      const file = runFile(`${service}.pid`)
      const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
      return pid > 0 ? pid : undefined
    },
    adminUrl,
    replicaUrl: (replica) => addressesOf(replica).url,
    async isReady(replica) {
      const answer = await fetch(`${adminUrl(replica)}/readyz`, { signal: AbortSignal.timeout(1000) }).catch(() => undefined)
      await answer?.body?.cancel()
      return answer?.ok === true
    },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

/** The ports of this system's own servers, for those who start one of them again. */
export function realPorts({ environment }: System): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('REAL_')))
}

function killAll(folder: string): void {
  if (!existsSync(folder)) return
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.pid'))) {
    try {
      process.kill(Number(readFileSync(join(folder, file), 'utf8')), 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
}
