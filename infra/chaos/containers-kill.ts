/**
 * `node infra/chaos/containers-kill.ts [bookings per second=5] [rounds=1] [seed=1]`: the whole system in containers; the main process of
 * each container is killed in turn with SIGKILL (from outside: a `docker kill` by hand would stay down by Docker's own rule) while
 * visitors book. Everything must come back by itself.
 */
import { execFileSync } from 'node:child_process'
import { delay } from '@passerelle/kit/runtime'
import { Visitor } from '@passerelle/local/test-visitor.fixture'
import { checkInvariants, rest, sayJourneys } from './invariants.ts'
import { startBookings } from './load.ts'
import type { System } from './system.ts'
import { holdsAll, must, percentile, say, seededRandom } from './verdict.ts'

const [perSecond = 5, rounds = 1, seed = 1] = process.argv.slice(2).map(Number)
const root = new URL('../../', import.meta.url).pathname
const environment = { ...process.env, PORT: '18080', MAILBOX_PORT: '18093', COMPOSE_PROJECT_NAME: 'passerelle-chaos' }
const files = ['-f', 'docker-compose.yml', '-f', 'infra/docker/compose.checks.yml']

function compose(...words: string[]): string {
  return execFileSync('docker', ['compose', ...files, ...words], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString()
}

/** Process id on this machine and restarts so far; a health check's state where there is one. */
function inspect(service: string): { pid: number; restarts: number; health: string } {
  const id = compose('ps', '--quiet', service).trim()
  const [pid, restarts, health = ''] = execFileSync('docker', [
    'inspect',
    '--format',
    '{{.State.Pid}} {{.RestartCount}} {{.State.Health.Status}}',
    id,
  ])
    .toString()
    .trim()
    .split(' ')
  return { pid: Number(pid), restarts: Number(restarts), health }
}

const services = ['gateway', 'search', 'booking', 'payment', 'identity', 'brand', 'simulators', 'redis', 'kafka', 'mongo']

compose('down', '--volumes')
const began = performance.now()
compose('up', '--build', '--detach', '--wait')
say(`up and healthy in ${Math.round((performance.now() - began) / 1000)} s (images built or reused)`)
const password = compose('exec', '-T', 'mongo', 'cat', '/secrets/root').trim()
const system = {
  url: 'http://127.0.0.1:18080',
  duffel: 'http://127.0.0.1:18091',
  stripe: 'http://127.0.0.1:18092',
  mailbox: 'http://127.0.0.1:18093',
  mongoUrl: () => `mongodb://root:${password}@127.0.0.1:18017/?directConnection=true&authSource=admin`,
} as unknown as System

const load = startBookings(() => new Visitor(system.url), { perSecond, random: seededRandom(seed), searches: 200, insist: true })
await delay(5000)
const recoveries: string[] = []
for (let round = 0; round < rounds; round++) {
  for (const service of services) {
    const before = inspect(service)
    process.kill(before.pid, 'SIGKILL')
    const killedAt = performance.now()
    let back = before
    while (performance.now() - killedAt < 90_000) {
      await delay(250)
      back = inspect(service)
      if (back.pid > 0 && back.pid !== before.pid && back.restarts > before.restarts && back.health === 'healthy') break
    }
    const seconds = ((performance.now() - killedAt) / 1000).toFixed(1)
    must(`${service} comes back by itself and is healthy`, back.health === 'healthy' && back.pid !== before.pid, `${seconds} s`)
    recoveries.push(`${service} ${seconds} s`)
    await delay(3000)
  }
}
await delay(5000)
await load.stop()
sayJourneys(load.journeys)
say(`recoveries: ${recoveries.join(', ')}`)
say(
  `journey time p50 ${percentile(
    load.journeys.map(({ ms }) => ms),
    0.5,
  )} ms, p95 ${percentile(
    load.journeys.map(({ ms }) => ms),
    0.95,
  )} ms, dropped ${load.dropped}`,
)
say(`at rest after ${await rest(system)} s`)
await checkInvariants(system, load.journeys)
if (holdsAll()) compose('down', '--volumes')
process.exit(holdsAll() ? 0 : 1)
