/**
 * `node infra/chaos/kill-everything.ts [kills=10] [bookings per second=2] [seed=1]`: the whole product on its emulators in one process,
 * killed with SIGKILL in mid-search and mid-booking and started again on the same data folder.
 */
import { delay } from '@passerelle/kit/runtime'
import { Visitor } from '@passerelle/local/test-visitor.fixture'
import { campaign, finish, must, say } from './campaign.ts'
import { checkAtRest } from './invariants.ts'
import { type Journey, startBookings, startSearches } from './load.ts'
import { system } from './system.ts'

const { kills, perSecond, random, folder } = campaign({ kills: 10, perSecond: 2, seed: 1 })
const local = await system('one', folder)
const journeys: Journey[] = []
let midway = 0
for (let kill = 1; kill <= kills; kill++) {
  const startMs = await local.start()
  const bookings = startBookings(() => new Visitor(local.url), { perSecond, random, searches: 400, insist: false })
  const searches = startSearches(local.url, { perSecond: 5, random, searches: 200 })
  await delay(4000 + random() * 3000)
  midway += bookings.underWay()
  local.kill()
  const [travelled, searched] = await Promise.all([bookings.stop(), searches.stop()])
  journeys.push(...travelled)
  say(`kill ${kill}: ${travelled.length} journeys, ${searched.length} searches, started in ${startMs} ms`)
}
say(`started in ${await local.start()} ms`)
must('some journeys were cut', midway > 0, midway)
await checkAtRest(local, journeys)
finish()
