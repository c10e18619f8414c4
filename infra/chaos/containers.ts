/** The whole system in containers, by Docker Compose: the same World as a system of processes. */
import { execFileSync } from 'node:child_process'
import { delay } from '@passerelle/kit/runtime'
import { must } from './campaign.ts'
import { ledgersOf } from './evidence.ts'
import type { Stage } from './stage.ts'
import type { System } from './system.ts'

const RECOVERY_MS = 90_000
const cwd = new URL('../../', import.meta.url).pathname
const env = { ...process.env, PORT: '18080', MAILBOX_PORT: '18093', COMPOSE_PROJECT_NAME: 'passerelle-chaos' }
const services = ['gateway', 'search', 'booking', 'payment', 'identity', 'brand', 'simulators', 'redis', 'kafka', 'mongo']

function docker(...words: string[]): string {
  return execFileSync('docker', words, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }).trim()
}

const compose = (...words: string[]) => docker('compose', '-f', 'docker-compose.yml', '-f', 'infra/docker/compose.checks.yml', ...words)

/** Process id on this machine and restarts so far; a health check's state where there is one. */
function inspect(service: string): { pid: number; restarts: number; health: string } {
  const format = '{{.State.Pid}} {{.RestartCount}} {{.State.Health.Status}}'
  const [pid, restarts, health = ''] = docker('inspect', '--format', format, compose('ps', '--quiet', service)).split(' ')
  return { pid: Number(pid), restarts: Number(restarts), health }
}

export function containers(folder: string): System {
  const [duffel, stripe, mailbox] = [18091, 18092, 18093].map((port) => `http://127.0.0.1:${port}`) as [string, string, string]
  let password = ''
  return {
    url: 'http://127.0.0.1:18080',
    ...{ duffel, stripe, mailbox, folder },
    ledgers: ledgersOf(duffel, stripe, mailbox),
    mongoUrl: () => `mongodb://root:${password}@127.0.0.1:18017/?directConnection=true&authSource=admin`,
    async start() {
      compose('down', '--volumes')
      const began = performance.now()
      compose('up', '--build', '--detach', '--wait')
      password = compose('exec', '-T', 'mongo', 'cat', '/secrets/root')
      return Math.round(performance.now() - began)
    },
    kill: () => void compose('down', '--volumes'),
    pidOf: (service) => inspect(service).pid,
    async ready(service) {
      while (inspect(service).health !== 'healthy') await delay(250)
    },
  }
}

/** Each main process in turn, from outside: a `docker kill` by hand would stay down by Docker's own rule. */
export async function killContainers({ ending }: Stage, killed: (service: string) => void): Promise<void> {
  for (const service of services.filter(() => !ending.aborted)) {
    const before = inspect(service)
    const isBack = ({ pid, restarts, health }: typeof before) =>
      pid > 0 && pid !== before.pid && restarts > before.restarts && health === 'healthy'
    process.kill(before.pid, 'SIGKILL')
    killed(service)
    const killedAt = performance.now()
    while (!isBack(inspect(service)) && performance.now() - killedAt < RECOVERY_MS) await delay(250)
    must(
      `${service} comes back by itself and is healthy`,
      isBack(inspect(service)),
      `${((performance.now() - killedAt) / 1000).toFixed(1)} s`,
    )
    await delay(3000)
  }
}
