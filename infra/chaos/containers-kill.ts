/**
 * `node infra/chaos/containers-kill.ts [bookings per second=5] [rounds=1] [seed=1]`: the whole system in containers; the main process of
 * each container is killed in turn with SIGKILL (from outside: a `docker kill` by hand would stay down by Docker's own rule) while
 * visitors book. Everything must come back by itself.
 */
import { execFileSync } from 'node:child_process'
import { delay } from '@passerelle/kit/runtime'
import { Visitor } from '@passerelle/local/test-visitor.fixture'
import { campaign, finish, must, percentiles, say } from './campaign.ts'
import { checkAtRest, ledgersOf, type World } from './invariants.ts'
import { startBookings } from './load.ts'

const { perSecond, rounds, random } = campaign({ perSecond: 5, rounds: 1, seed: 1 })
const RECOVERY_MS = 90_000
const cwd = new URL('../../', import.meta.url).pathname
const env = { ...process.env, PORT: '18080', MAILBOX_PORT: '18093', COMPOSE_PROJECT_NAME: 'passerelle-chaos' }

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

const services = ['gateway', 'search', 'booking', 'payment', 'identity', 'brand', 'simulators', 'redis', 'kafka', 'mongo']

compose('down', '--volumes')
const began = performance.now()
compose('up', '--build', '--detach', '--wait')
say(`up and healthy in ${Math.round((performance.now() - began) / 1000)} s (images built or reused)`)
const password = compose('exec', '-T', 'mongo', 'cat', '/secrets/root')
const containers: World & { url: string } = {
  url: 'http://127.0.0.1:18080',
  ledgers: ledgersOf('http://127.0.0.1:18091', 'http://127.0.0.1:18092', 'http://127.0.0.1:18093'),
  mongoUrl: () => `mongodb://root:${password}@127.0.0.1:18017/?directConnection=true&authSource=admin`,
}

const load = startBookings(() => new Visitor(containers.url), { perSecond, random, searches: 200, insist: true })
await delay(5000)
for (let round = 0; round < rounds; round++) {
  for (const service of services) {
    const before = inspect(service)
    const isBack = ({ pid, restarts, health }: typeof before) =>
      pid > 0 && pid !== before.pid && restarts > before.restarts && health === 'healthy'
    process.kill(before.pid, 'SIGKILL')
    const killedAt = performance.now()
    while (!isBack(inspect(service)) && performance.now() - killedAt < RECOVERY_MS) await delay(250)
    const seconds = ((performance.now() - killedAt) / 1000).toFixed(1)
    must(`${service} comes back by itself and is healthy`, isBack(inspect(service)), `${seconds} s`)
    await delay(3000)
  }
}
await delay(5000)
const journeys = await load.stop()
say(`journeys not started ${load.dropped}; ms of a journey`, percentiles(journeys))
await checkAtRest(containers, journeys)
process.once('exit', (code) => code === 0 && compose('down', '--volumes'))
finish()
