/**
 * A service on several cores: as many processes of it, which share its port (the kernel gives each new connection to one of them). They
 * are to each other what replicas are. This process answers nothing itself: it starts them, starts those again that die, sums their
 * metrics, and is as ready as the least ready of them.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { Registry } from '@prometheus-io/client'
import { type RequestHandler, Router } from 'express'
import { type BaseConfig, ConfigurationError, type Environment } from './configuration.ts'
import { createApp } from './http.ts'
import { createLog, type Log } from './log.ts'
import { delay, timeoutSignal } from './runtime.ts'
import { listen } from './server.ts'

/** In the environment of a worker: which one it is. */
export const WORKER = 'WORKER'
const ASK_MS = 2000
const RESTART_MS = 500

/** What a worker tells once it serves. */
type Started = { adminUrl: string }
type Worker = { process: ChildProcess; adminUrl: string | undefined; ended: Promise<void> }

export type WorkersOptions = { name: string; script: string; config: BaseConfig; environment: Environment; log?: Log }

export type Workers = { adminUrl: string; pids(): number[]; stop(signal: 'SIGTERM' | 'SIGINT'): Promise<void> }

/** @throws ConfigurationError where no port is named: each of them would take another */
export async function startWorkers({
  name,
  script,
  config,
  environment,
  log = createLog(name, config.LOG_LEVEL),
}: WorkersOptions): Promise<Workers> {
  if (config.PORT === 0) throw new ConfigurationError(name, ['PORT: has to be named where WORKERS is more than 1'])
  const workers = new Map<number, Worker>()
  let stopping = false

  const begin = (index: number) => {
    const env = { ...environment, WORKERS: '1', [WORKER]: String(index), ADMIN_PORT: '0' }
    const child = fork(script, { env: env as NodeJS.ProcessEnv })
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const worker: Worker = { process: child, adminUrl: undefined, ended }
    workers.set(index, worker)
    child.once('message', ({ adminUrl }: Started) => {
      worker.adminUrl = adminUrl
    })
    void ended.then(async () => {
      worker.adminUrl = undefined
      if (stopping) return
      log.error({ worker: index, code: child.exitCode, signal: child.signalCode }, 'a worker ended and is started again')
      await delay(RESTART_MS)
      if (!stopping) begin(index)
    })
  }

  const ask = async (path: string): Promise<Response[]> =>
    Promise.all(
      [...workers.values()].map(({ adminUrl }) => (adminUrl ? fetch(adminUrl + path, { signal: timeoutSignal(ASK_MS) }) : away())),
    )
  /** The answer of the first worker that says no, else of any. */
  const worst = (path: string): RequestHandler => {
    return async (_request, response) => {
      const answers = await ask(path).catch(() => [away()])
      const answer = answers.find(({ ok }) => !ok) ?? (answers[0] as Response)
      response.status(answer.status).json(await answer.json())
    }
  }
  const router = Router()
  router.get('/livez', worst('/livez'))
  router.get('/readyz', worst('/readyz'))
  router.get('/metrics', async (_request, response) => {
    const all = await Promise.all((await ask('/metrics.json')).filter(({ ok }) => ok).map((answer) => answer.json() as Promise<object[]>))
    const registry = Registry.aggregate(all)
    response.type(registry.contentType).send(await registry.metrics())
  })
  const admin = await listen(createApp([router], log), config.HOST, config.ADMIN_PORT)
  for (let index = 1; index <= config.WORKERS; index++) begin(index)
  return {
    adminUrl: admin.url,
    pids: () => [...workers.values()].map(({ process: { pid = 0 } }) => pid),
    async stop(signal) {
      stopping = true
      for (const { process: child } of workers.values()) child.kill(signal)
      await Promise.all([...workers.values()].map(({ ended }) => ended))
      await admin.close()
    },
  }
}

/** For a worker that is not there. */
const away = () => Response.json({ ready: false, alive: true, worker: 'starting' }, { status: 503 })
