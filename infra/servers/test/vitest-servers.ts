/**
 * Which MongoDB, Kafka and Redis the integration tests run on. TEST_SERVERS=containers: official images where a Docker engine answers,
 * else this machine's real servers, else the emulators. TEST_SERVERS=real: this machine's real servers. Otherwise the emulators, which
 * each test file starts for itself. Addresses that are already in the environment win. It says which were used, and why.
 */
import { missingServers, realServers } from '../real-servers.ts'
import { dockerProblem, startContainers } from './test-containers.ts'

type Servers = { MONGO_URL: string; KAFKA_BROKERS: string; REDIS_URL: string }

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const { servers, why, stop } = await choose(process.env.TEST_SERVERS || 'emulators')
  if (servers)
    Object.assign(process.env, { MONGO_URL: servers.MONGO_URL, KAFKA_BROKERS: servers.KAFKA_BROKERS, REDIS_URL: servers.REDIS_URL })
  console.log(`\nServers of the integration tests: ${why}\n`)
  return async () => {
    await stop?.()
    console.log(`\nServers of the integration tests were: ${why}`)
  }
}

async function choose(kind: string): Promise<{ servers?: Servers; why: string; stop?: () => Promise<void> }> {
  if (process.env.MONGO_URL && process.env.KAFKA_BROKERS && process.env.REDIS_URL) return { why: 'the addresses in the environment' }
  if (kind === 'containers') {
    const problem = await dockerProblem()
    if (problem === null) {
      const containers = await startContainers()
      return { servers: containers, why: `containers: ${containers.versions}`, stop: () => containers.stop() }
    }
    return real(problem)
  }
  return kind === 'real' ? real() : { why: 'emulators (TEST_SERVERS=containers or TEST_SERVERS=real for others)' }
}

async function real(because?: string): Promise<{ servers?: Servers; why: string }> {
  const reason = because ? `${because}; ` : ''
  const missing = missingServers()
  if (missing.length > 0) return { why: `${reason}no real servers either (${missing.join('; ')}): emulators` }
  const servers = await realServers(process.env.DATA_DIR || '.data')
  return { servers, why: `${reason}real servers of this machine: ${Object.values(servers).join(', ')}` }
}
