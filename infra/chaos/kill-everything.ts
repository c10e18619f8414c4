/**
 * `node infra/chaos/kill-everything.ts [kills=10] [bookings per second=2] [seed=1]`: the whole product on its emulators in one process,
 * killed with SIGKILL in mid-search and mid-booking and started again on the same data folder.
 */
import { delay } from '@passerelle/kit/runtime'
import { Visitor } from '@passerelle/local/test-visitor.fixture'
import { checkInvariants, rest, sayJourneys } from './invariants.ts'
import { type Journey, startBookings, startSearches } from './load.ts'
import { system } from './system.ts'
import { holdsAll, must, say, seededRandom } from './verdict.ts'

const [kills = 10, perSecond = 2, seed = 1] = process.argv.slice(2).map(Number)
const random = seededRandom(seed)
const local = await system('one')
say(`kills ${kills}, ${perSecond} bookings/s, seed ${seed}, data ${local.dataDir}`)

const journeys: Journey[] = []
const starts: number[] = []
let midway = 0
for (let round = 0; round < kills; round++) {
  starts.push(await local.start())
  const bookings = startBookings(() => new Visitor(local.url), { perSecond, random, searches: 400, insist: false })
  const searches = startSearches(local.url, { perSecond: 5, random, searches: 200 })
  await delay(4000 + Math.floor(random() * 3000))
  midway += bookings.underWay()
  local.kill()
  await Promise.all([bookings.stop(), searches.stop()])
  journeys.push(...bookings.journeys)
  say(`kill ${round + 1}: ${bookings.journeys.length} journeys, ${searches.answers.length} searches, started in ${starts.at(-1)} ms`)
}
starts.push(await local.start())
sayJourneys(journeys)
say(`journeys under way when it was killed: ${midway}`)
say(`starts (ms): ${starts.join(', ')}`)
must('some journeys were cut', midway > 0, midway)
say(`at rest after ${await rest(local)} s`)
await checkInvariants(local, journeys)
await local.stop()
if (holdsAll()) local.remove()
process.exit(holdsAll() ? 0 : 1)
