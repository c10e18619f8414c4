/**
 * `node infra/chaos/rolling-restart.ts [bookings per second=2] [searches per second=20] [seed=1] [rounds=1]`: two replicas of every
 * service on real servers; each gets SIGTERM in turn, the next one once its successor is ready. No request may fail.
 * With `DRAIN_MS=0` in the environment processes end without draining, which shows what draining is for.
 */
import { delay } from '@passerelle/kit/runtime'
import { Visitor } from '@passerelle/local/test-visitor.fixture'
import { campaign, counted, finish, must, percentiles, say } from './campaign.ts'
import { checkAtRest } from './invariants.ts'
import { startBookings, startSearches } from './load.ts'
import { system } from './system.ts'

const { perSecond, searchesPerSecond, rounds, random, folder } = campaign({ perSecond: 2, searchesPerSecond: 20, seed: 1, rounds: 1 })
const replicas = ['brand', 'identity', 'search', 'payment', 'booking', 'gateway'].flatMap((name) => [`${name}-1`, `${name}-2`])
const { DRAIN_MS, SERVERS = 'real' } = process.env
const local = await system('processes', folder, { SERVERS, REPLICAS: '2', ...(DRAIN_MS && { DRAIN_MS }) })
say(`started in ${await local.start()} ms`)
for (const replica of replicas) await local.ready(replica)

const warming = startSearches(local.url, { perSecond: 10, random, searches: 40 })
await delay(8000)
await warming.stop()
const bookings = startBookings(() => new Visitor(local.url), { perSecond, random, searches: 800, insist: false })
const searches = startSearches(local.url, { perSecond: searchesPerSecond, random, searches: 40 })
await delay(5000)
for (let round = 0; round < rounds; round++) for (const replica of replicas) await restart(replica)
await delay(3000)
const [journeys, searched] = await Promise.all([bookings.stop(), searches.stop()])

say('ms of searches', percentiles(searched))
say('ms of journeys', percentiles(journeys))
say('searches by status', counted(searched.map(({ status }) => String(status))))
const failedSearches = searched.filter(({ status }) => status !== 200).length
const failedCalls = journeys.flatMap(({ failures }) => failures).length
must('no search failed', failedSearches === 0, `${failedSearches} of ${searched.length}`)
must('no call of a booking failed', failedCalls === 0, `${failedCalls} in ${journeys.length} journeys`)
must('nothing was dropped', bookings.dropped + searches.dropped === 0, bookings.dropped + searches.dropped)
await checkAtRest(local, journeys)
finish()

/** SIGTERM, then waits for a successor with another process id that says it is ready, and for the balancer to have seen it. */
async function restart(replica: string): Promise<void> {
  const before = local.pidOf(replica)
  if (!before) throw new Error(`${replica} is not running`)
  const began = performance.now()
  process.kill(before, 'SIGTERM')
  while (local.pidOf(replica) === before || local.pidOf(replica) === undefined) await delay(100)
  await local.ready(replica)
  say(`${replica} ended and came back ready in ${Math.round(performance.now() - began)} ms; ${bookings.done.length} journeys`)
  await delay(1000)
}
