/**
 * `node infra/chaos/mongo-writes.ts [kills=20] [bookings per second=50] [seed=1]`: real MongoDB killed with SIGKILL again and again under
 * the writes of so many bookings a second: the booking and the payment service's own code, without HTTP, bus and suppliers around it.
 * `mongo-kill.ts` does the same to the whole system, at the rate that one machine sustains with everything on it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { delay } from '@passerelle/kit/runtime'
import { freePorts } from '@passerelle/servers/ports'
import { killServer, realServers, stopRealServers } from '@passerelle/servers/real-servers'
import { openStore, sayJourneys } from './invariants.ts'
import { type Journey, startBookings } from './load.ts'
import { openStoreLab } from './store-lab.ts'
import { counted, holdsAll, must, percentile, say, seededRandom } from './verdict.ts'

const [kills = 20, perSecond = 50, seed = 1] = process.argv.slice(2).map(Number)
const REST_SECONDS = 120
const random = seededRandom(seed)
const folder = mkdtempSync(join(tmpdir(), 'mongo-writes-'))
const [mongoPort, kafkaPort, controllerPort, redisPort] = (await freePorts(4)).map(String)
Object.assign(process.env, {
  REAL_MONGO_PORT: mongoPort,
  REAL_KAFKA_PORT: kafkaPort,
  REAL_KAFKA_CONTROLLER_PORT: controllerPort,
  REAL_REDIS_PORT: redisPort,
})
process.once('exit', () => void stopRealServers(folder))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const { MONGO_URL } = await realServers(folder)
const lab = await openStoreLab(MONGO_URL)
say(`kills ${kills}, ${perSecond} bookings/s, seed ${seed}, data ${folder}`)

const load = startBookings(() => lab, { perSecond, random, searches: 1, insist: true, maxUnderWay: 5000 })
await delay(10_000)
const calm = load.journeys.length
say(`before the first kill: ${calm} journeys in 10 s, p95 ${p95(load.journeys)} ms`)
const outages: number[] = []
let underWay = 0
for (let kill = 1; kill <= kills; kill++) {
  underWay += load.underWay()
  const began = performance.now()
  await killServer(folder, 'mongo')
  await delay(Math.floor(random() * 1500))
  await realServers(folder)
  outages.push(Math.round(performance.now() - began))
  await delay(4000 + Math.floor(random() * 4000))
  say(`kill ${kill}: away for ${outages.at(-1)} ms, journeys ${load.journeys.length}, under way ${load.underWay()}`)
}
await load.stop()
const { journeys } = load
say(`outages (ms): ${outages.join(', ')}; under way at the kills ${underWay}, p95 of a journey ${p95(journeys)} ms`)
sayJourneys(journeys)
must('the rate was kept up', load.dropped === 0, `${load.dropped} not started`)
must('bookings were under way at the kills', underWay > 0, underWay)
say(`at rest after ${await rest()} s`)
await check()
await lab.close()
await stopRealServers(folder)
if (holdsAll()) rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 300 })
process.exit(holdsAll() ? 0 : 1)

function p95(done: readonly Journey[]): number {
  return percentile(
    done.map(({ ms }) => ms),
    0.95,
  )
}

type Booking = { _id: string; state: string; open: boolean; paymentId: string; charge: { minor: number }; outboxPending?: boolean }
type Payment = { _id: string; state: string; outboxPending?: boolean }

async function stored(): Promise<{ bookings: Booking[]; payments: Payment[] }> {
  const store = await openStore(MONGO_URL)
  try {
    return { bookings: await store.read('booking', 'bookings'), payments: await store.read('payment', 'payments') }
  } finally {
    await store.close()
  }
}

/** Waits until no booking is open and no event waits; returns the seconds. */
async function rest(): Promise<number> {
  const began = performance.now()
  for (;;) {
    const { bookings, payments } = await stored()
    const waited = Math.round((performance.now() - began) / 1000)
    const open = bookings.filter((booking) => booking.open).length
    const waiting = [...bookings, ...payments].filter(({ outboxPending }) => outboxPending).length
    if (open === 0 && waiting === 0) return waited
    if (waited > REST_SECONDS) {
      must('everything comes to rest', false, { open, waiting })
      return waited
    }
    await delay(1000)
  }
}

async function check(): Promise<void> {
  const { bookings, payments } = await stored()
  const { orders, intents, published } = lab
  say(`bookings ${JSON.stringify(counted(bookings.map(({ state }) => state)))}, orders ${orders.length}, events ${published.length}`)
  say(`payments ${JSON.stringify(counted(payments.map(({ state }) => state)))}, intents ${intents.length}`)
  const bookingOf = new Map(bookings.map((booking) => [booking._id, booking]))
  const paymentOf = new Map(payments.map((payment) => [payment._id, payment]))
  const none = (what: string, offenders: readonly unknown[], of: number) =>
    must(what, offenders.length === 0, offenders.length === 0 ? `0 of ${of}` : offenders.slice(0, 5))

  const paid = journeys.flatMap(({ paymentId }) => paymentId ?? [])
  none(
    'no acknowledged payment is lost',
    paid.filter((id) => !paymentOf.has(id)),
    paid.length,
  )
  const booked = journeys.flatMap(({ booked }) => booked ?? [])
  must('bookings were acknowledged', booked.length > 0, booked.length)
  none(
    'no acknowledged booking is lost, and what was called confirmed is confirmed',
    booked.filter(({ id, status }) => !bookingOf.has(id) || (status === 'confirmed' && bookingOf.get(id)?.state !== 'CONFIRMED')),
    booked.length,
  )
  const live = counted(orders.filter(({ cancelled }) => !cancelled).map(({ bookingId }) => bookingId))
  const captured = intents.filter(({ captures }) => captures > 0)
  const taken = new Map(captured.map((intent) => [intent.paymentId, intent]))
  const confirmed = bookings.filter(({ state }) => state === 'CONFIRMED')
  none(
    'a confirmed booking has one order and was charged once, for its price',
    confirmed.filter(({ _id, paymentId, charge }) => {
      const intent = taken.get(paymentId)
      return live[_id] !== 1 || intent?.captures !== 1 || intent.amountMinor !== charge.minor
    }),
    confirmed.length,
  )
  none(
    'no order and no charge without its confirmed booking',
    [
      ...Object.keys(live).filter((id) => bookingOf.get(id)?.state !== 'CONFIRMED'),
      ...captured.filter(({ paymentId }) => !confirmed.some((booking) => booking.paymentId === paymentId)).map(({ id }) => id),
    ],
    orders.length,
  )
  const told = new Set(published.filter(({ name }) => name === 'booking.confirmed').map(({ key }) => key))
  none(
    'every confirmation was published',
    confirmed.filter(({ _id }) => !told.has(_id)).map(({ _id }) => _id),
    confirmed.length,
  )
}
