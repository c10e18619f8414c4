/**
 * `node infra/chaos/rolling-restart.ts [bookings per second=2] [searches per second=20] [seed=1] [rounds=1]`: two replicas of every
 * service on real servers; each is told to end with SIGTERM in turn, the next one once its successor is ready. No request may fail.
 * With `DRAIN_MS=0` in the environment processes end without draining, which shows what draining is for.
 */
import { delay } from '@passerelle/kit/runtime'
import { Visitor } from '@passerelle/local/test-visitor.fixture'
import { stopRealServers } from '@passerelle/servers/real-servers'
import { checkInvariants, rest, sayJourneys } from './invariants.ts'
import { startBookings, startSearches } from './load.ts'
import { system } from './system.ts'
import { counted, holdsAll, must, percentile, say, seededRandom } from './verdict.ts'

const [perSecond = 2, searchesPerSecond = 20, seed = 1, rounds = 1] = process.argv.slice(2).map(Number)
const random = seededRandom(seed)
const names = ['brand', 'identity', 'search', 'payment', 'booking', 'gateway']
const local = await system('processes', {
  SERVERS: process.env.SERVERS ?? 'real',
  REPLICAS: '2',
  ...(process.env.DRAIN_MS && { DRAIN_MS: process.env.DRAIN_MS }),
})
say(`${perSecond} bookings/s, ${searchesPerSecond} searches/s, seed ${seed}, rounds ${rounds}, data ${local.dataDir}`)
say(`started in ${await local.start()} ms`)
for (const name of names) for (const replica of [1, 2]) await ready(`${name}-${replica}`)

const warm = startSearches(local.url, { perSecond: 10, random, searches: 40 })
await delay(8000)
await warm.stop()
const bookings = startBookings(() => new Visitor(local.url), { perSecond, random, searches: 800, insist: false })
const searches = startSearches(local.url, { perSecond: searchesPerSecond, random, searches: 40 })
await delay(5000)
let restarts = 0
for (let round = 0; round < rounds; round++) {
  for (const name of names) {
    for (const replica of [1, 2]) {
      const took = await restart(`${name}-${replica}`)
      restarts++
      say(
        `${name}-${replica} ended and came back ready in ${took} ms; ${bookings.journeys.length} journeys, ${searches.answers.length} searches`,
      )
    }
  }
}
await delay(3000)
await Promise.all([bookings.stop(), searches.stop()])

const times = searches.answers.map(({ ms }) => ms)
say(
  `restarts ${restarts}; searches ${times.length}, p50 ${percentile(times, 0.5)} ms, p95 ${percentile(times, 0.95)} ms, p99 ${percentile(times, 0.99)} ms`,
)
say(`searches by status ${JSON.stringify(counted(searches.answers.map(({ status }) => String(status))))}`)
const durations = bookings.journeys.map(({ ms }) => ms)
say(`journeys p50 ${percentile(durations, 0.5)} ms, p95 ${percentile(durations, 0.95)} ms`)
sayJourneys(bookings.journeys)
const failedSearches = searches.answers.filter(({ status }) => status !== 200).length
const failedCalls = bookings.journeys.flatMap(({ failures }) => failures).length
must('no search failed', failedSearches === 0, `${failedSearches} of ${times.length}`)
must('no call of a booking failed', failedCalls === 0, `${failedCalls} in ${durations.length} journeys`)
must('nothing was dropped', bookings.dropped + searches.dropped === 0, bookings.dropped + searches.dropped)
say(`at rest after ${await rest(local)} s`)
await checkInvariants(local, bookings.journeys)
await local.stop()
await stopRealServers(local.dataDir)
await delay(2000)
if (holdsAll()) local.remove()
process.exit(holdsAll() ? 0 : 1)

async function ready(replica: string): Promise<void> {
  for (let i = 0; i < 1200; i++) {
    if (await local.isReady(replica)) return
    await delay(100)
  }
  throw new Error(`${replica} does not get ready`)
}

/** SIGTERM, then waits for a successor with another process id that says it is ready, and for the balancer to have seen it. */
async function restart(replica: string): Promise<number> {
  const before = local.pidOf(replica)
  if (!before) throw new Error(`${replica} is not running`)
  const began = performance.now()
  process.kill(before, 'SIGTERM')
  while (local.pidOf(replica) === before || local.pidOf(replica) === undefined) await delay(100)
  await ready(replica)
  const took = Math.round(performance.now() - began)
  await delay(1000)
  return took
}
