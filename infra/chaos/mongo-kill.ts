/**
 * `node infra/chaos/mongo-kill.ts [kills=20] [bookings per second=0: the highest that this machine sustains, at most 50] [seed=1]`: real
 * MongoDB killed with SIGKILL again and again under bookings, with a process per service. No acknowledged write may be lost.
 */
import { delay } from '@passerelle/kit/runtime'
import { Visitor } from '@passerelle/local/test-visitor.fixture'
import { killServer, realServers, stopRealServers } from '@passerelle/servers/real-servers'
import { checkInvariants, rest, sayJourneys } from './invariants.ts'
import { type BookingLoad, startBookings } from './load.ts'
import { realPorts, system } from './system.ts'
import { holdsAll, must, percentile, say, seededRandom } from './verdict.ts'

const [kills = 20, given = 0, seed = 1] = process.argv.slice(2).map(Number)
const random = seededRandom(seed)
const local = await system('processes', { SERVERS: 'real', REPLICAS: process.env.REPLICAS ?? '1' })
Object.assign(process.env, realPorts(local))
say(`kills ${kills}, seed ${seed}, data ${local.dataDir}`)
say(`started in ${await local.start()} ms`)

const book = (perSecond: number, insist: boolean) =>
  startBookings(() => new Visitor(local.url), { perSecond, random, searches: 2400, insist, maxUnderWay: 150 })
const journeys: BookingLoad['journeys'] = []
const warming = book(1, true)
await delay(15_000)
await warming.stop()
journeys.push(...warming.journeys)
const perSecond = given || (await sustainable())
say(`load: ${perSecond} bookings/s${perSecond < 50 ? ' (this machine does not sustain 50)' : ''}`)

const load = book(perSecond, true)
await delay(3000)
const outages: number[] = []
let midway = 0
for (let kill = 1; kill <= kills; kill++) {
  midway += load.underWay()
  const began = performance.now()
  await killServer(local.dataDir, 'mongo')
  await delay(Math.floor(random() * 1500))
  await realServers(local.dataDir)
  outages.push(Math.round(performance.now() - began))
  await delay(2500 + Math.floor(random() * 2500))
  say(
    `kill ${kill}: away for ${outages.at(-1)} ms, journeys ${load.journeys.length}, under way ${load.underWay()}, not started ${load.dropped}`,
  )
}
await load.stop()
journeys.push(...load.journeys)
const acknowledged = journeys.filter(({ booked }) => booked).length
say(`outages (ms): ${outages.join(', ')}; under way at the kills ${midway}, journeys not started ${load.dropped}`)
sayJourneys(journeys)
must('bookings were under way at the kills', midway > 0, midway)
must('bookings were acknowledged', acknowledged > 0, acknowledged)
say(`at rest after ${await rest(local)} s`)
await checkInvariants(local, journeys)
await local.stop()
await stopRealServers(local.dataDir)
await delay(2000)
if (holdsAll()) local.remove()
process.exit(holdsAll() ? 0 : 1)

/** Doubles the rate for as long as journeys of twelve seconds keep up with it. */
async function sustainable(): Promise<number> {
  let best = 1
  for (const rate of [2, 4, 6, 8, 12, 16, 24, 32, 50]) {
    const trial = book(rate, false)
    await delay(12_000)
    const waiting = trial.underWay()
    await trial.stop()
    journeys.push(...trial.journeys)
    const failed = trial.journeys.filter(({ booked }) => !booked).length
    const p95 = percentile(
      trial.journeys.map(({ ms }) => ms),
      0.95,
    )
    say(`trial ${rate}/s: journeys ${trial.journeys.length}, p95 ${p95} ms, failed ${failed}, waiting at the end ${waiting}`)
    if (failed > 0) sayJourneys(trial.journeys)
    if (failed > 0 || trial.dropped > 0 || p95 > 4000 || waiting > rate * 4) break
    best = rate
  }
  return best
}
