/**
 * `node infra/chaos/mongo-writes.ts [kills=20] [bookings per second=50] [seed=1]`: real MongoDB killed with SIGKILL again and again under
 * the writes of so many bookings a second: the booking and the payment service's own code, without HTTP, bus and suppliers around it.
 * `mongo-kill.ts` does the same to the whole system, at the rate that one machine sustains with everything on it.
 */
import { delay } from '@passerelle/kit/runtime'
import { realServers } from '@passerelle/servers/real-servers'
import { campaign, finish, must, mustBeNone, percentiles, say, takeServerPorts } from './campaign.ts'
import { checkAtRest } from './invariants.ts'
import { startBookings } from './load.ts'
import { killMongo } from './mongo-outages.ts'
import { openStoreLab } from './store-lab.ts'

const { kills, perSecond, random, folder } = campaign({ kills: 20, perSecond: 50, seed: 1 })
await takeServerPorts()
const lab = await openStoreLab((await realServers(folder)).MONGO_URL)

const load = startBookings(() => lab, { perSecond, random, searches: 1, insist: true, maxUnderWay: 5000 })
await delay(10_000)
say(`before the first kill: ${load.done.length} journeys in 10 s, ms`, percentiles(load.done))
const journeys = await killMongo(folder, kills, load, random)
must('the rate was kept up', load.dropped === 0, `${load.dropped} not started`)
const { bookings } = await checkAtRest(lab, journeys)
const published = new Set(lab.published.filter(({ name }) => name === 'booking.confirmed').map(({ key }) => key))
const confirmed = bookings.filter(({ state }) => state === 'CONFIRMED')
mustBeNone('every confirmation was published', confirmed, ({ _id }) => !published.has(_id))
finish()
