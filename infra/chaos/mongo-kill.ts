/**
 * `node infra/chaos/mongo-kill.ts [kills=20] [bookings per second=0: the highest that this machine sustains, at most 50] [seed=1]`: real
 * MongoDB killed with SIGKILL again and again under bookings, with a process per service. No acknowledged write may be lost.
 */
import { delay } from '@passerelle/kit/runtime'
import { Visitor } from '@passerelle/local/test-visitor.fixture'
import { campaign, finish, percentiles, say } from './campaign.ts'
import { checkAtRest, sayJourneys } from './invariants.ts'
import { type Journey, startBookings } from './load.ts'
import { killMongo } from './mongo-outages.ts'
import { system } from './system.ts'

const { kills, perSecond, random, folder } = campaign({ kills: 20, perSecond: 0, seed: 1 })
const local = await system('processes', folder, { SERVERS: 'real', REPLICAS: process.env.REPLICAS ?? '1' })
say(`started in ${await local.start()} ms`)

const book = (rate: number, insist: boolean) =>
  startBookings(() => new Visitor(local.url), { perSecond: rate, random, searches: 2400, insist, maxUnderWay: 150 })
const journeys: Journey[] = []
const warming = book(1, true)
await delay(15_000)
journeys.push(...(await warming.stop()))
const rate = perSecond || (await sustainable())
say(`load: ${rate} bookings/s${rate < 50 ? ' (this machine does not sustain 50)' : ''}`)
const load = book(rate, true)
await delay(3000)
journeys.push(...(await killMongo(folder, kills, load, random)))
await checkAtRest(local, journeys)
finish()

/** Doubles the rate for as long as journeys of twelve seconds keep up with it. */
async function sustainable(): Promise<number> {
  let best = 1
  for (const tried of [2, 4, 6, 8, 12, 16, 24, 32, 50]) {
    const trial = book(tried, false)
    await delay(12_000)
    const waiting = trial.underWay()
    const done = await trial.stop()
    journeys.push(...done)
    const failed = done.filter(({ booked }) => !booked)
    const { p95 } = percentiles(done)
    say(`trial ${tried}/s: journeys ${done.length}, p95 ${p95} ms, failed ${failed.length}, waiting at the end ${waiting}`)
    if (failed.length > 0) sayJourneys(failed)
    if (failed.length > 0 || trial.dropped > 0 || p95 > 4000 || waiting > tried * 4) break
    best = tried
  }
  return best
}
