/**
 * `node infra/chaos/service-kills.ts [kills=200] [bookings per second=2] [seed=1]`: two replicas of every service on real servers; one of
 * them is killed with SIGKILL at a random moment, again and again, most often of booking and payment. The airline answers late, loses
 * answers and only accepts orders now and then. Every booking must come to its end soon after the kill that caught it, and no hold may
 * stay on a card. `ORDER_LONGEST_MS` in the environment: the supplier's longest answer (20 s here, 120 s in the product).
 */
import { delay } from '@passerelle/kit/runtime'
import { control, ledger, Visitor } from '@passerelle/local/test-visitor.fixture'
import { stopRealServers } from '@passerelle/servers/real-servers'
import { checkInvariants, openStore, rest, sayJourneys } from './invariants.ts'
import { startBookings } from './load.ts'
import { system } from './system.ts'
import { counted, holdsAll, must, percentile, say, sayLoad, seededRandom } from './verdict.ts'

const [kills = 200, perSecond = 2, seed = 1] = process.argv.slice(2).map(Number)
const FINAL_WITHIN_S = Number(process.env.FINAL_WITHIN_S ?? 60)
const HOLD_WITHIN_S = 180
const random = seededRandom(seed)
/** As often as they stand here. */
const targets = ['booking', 'booking', 'booking', 'payment', 'payment', 'search', 'identity', 'brand', 'gateway']
const OPEN = ['REQUESTED', 'ORDERING', 'ORDER_UNKNOWN', 'ORDERED', 'CAPTURE_FAILED', 'ORDER_FAILED']

const local = await system('processes', {
  SERVERS: 'real',
  REPLICAS: '2',
  ORDER_SEND_WITHIN_MS: '5000',
  ORDER_LONGEST_MS: process.env.ORDER_LONGEST_MS ?? '20000',
  HOLD_IDLE_SECONDS: '120',
  HOLD_SECONDS: '900',
})
say(
  `${kills} kills, ${perSecond} bookings/s, seed ${seed}, supplier's longest answer ${local.environment.ORDER_LONGEST_MS} ms, data ${local.dataDir}`,
)
say(`started in ${await local.start()} ms`)
const orders = { method: 'POST', path: '/air/orders' }
await control(local.duffel, 'faults', { match: orders, effect: 'reset-after-commit', probability: 0.03 })
await control(local.duffel, 'faults', { match: orders, effect: 'delay', ms: 15_000, probability: 0.03 })
await control(local.duffel, 'faults', { match: orders, effect: 'reset', probability: 0.02 })

const watch = watchOpen()
const bookings = startBookings(() => new Visitor(local.url), { perSecond, random, searches: 2000, insist: false })
await delay(5000)
const killed: string[] = []
while (killed.length < kills) {
  await delay(1000 + Math.floor(random() * 4000))
  const name = `${targets[Math.floor(random() * targets.length)]}-${1 + Math.floor(random() * 2)}`
  const pid = local.pidOf(name)
  if (!pid) continue
  process.kill(pid, 'SIGKILL')
  watch.killed(name.slice(0, -2))
  killed.push(name)
  if (killed.length % 20 === 0) say(`${killed.length} kills, ${bookings.journeys.length} journeys, ${bookings.underWay()} under way`)
}
await bookings.stop()
sayLoad()
say(`kills ${JSON.stringify(counted(killed.map((name) => name.slice(0, -2))))}`)
sayJourneys(bookings.journeys)
say(`at rest after ${await rest(local, 300)} s`)
const { ends, holds } = await watch.stop()
say(
  `bookings that a kill met while they were open: ${ends.length}; seconds from the last such kill to the end: median ${percentile(ends, 0.5)}, p99 ${percentile(ends, 0.99)}, most ${percentile(ends, 1)}`,
)
say(`seconds that cards were held: median ${percentile(holds, 0.5)}, p99 ${percentile(holds, 0.99)}, most ${percentile(holds, 1)}`)
must(
  `every booking is final within ${FINAL_WITHIN_S} s of the kill that met it`,
  ends.length > 0 && ends.every((seconds) => seconds <= FINAL_WITHIN_S),
  `${ends.filter((seconds) => seconds > FINAL_WITHIN_S).length} later`,
)
must(
  `no hold is older than ${HOLD_WITHIN_S} s`,
  holds.length > 0 && holds.every((seconds) => seconds <= HOLD_WITHIN_S),
  `${holds.filter((seconds) => seconds > HOLD_WITHIN_S).length} older`,
)
await checkInvariants(local, bookings.journeys)
await local.stop()
await stopRealServers(local.dataDir)
if (holdsAll()) local.remove()
process.exit(holdsAll() ? 0 : 1)

/** Looks once a second how long bookings are open after a kill of a service that works on them, and how long cards are held. */
function watchOpen() {
  const METERED = new Set(['booking', 'payment', 'search'])
  let lastKill = 0
  let stopping = false
  /** Booking -> the last kill that met it while it was open. */
  const met = new Map<string, number>()
  const ends: number[] = []
  const held = new Map<string, number>()
  const look = async () => {
    const store = await openStore(local.mongoUrl())
    try {
      while (!stopping) {
        const [stored, stripe] = await Promise.all([
          store.read<{ _id: string; state: string; createdAt: Date }>('booking', 'bookings'),
          ledger<{ intents: { id: string; status: string; authorisedAt: string | null }[] }>(local.stripe),
        ])
        const open = new Map(stored.filter(({ state }) => OPEN.includes(state)).map((booking) => [booking._id, booking]))
        for (const [id, { createdAt }] of open) if (lastKill >= createdAt.getTime()) met.set(id, lastKill)
        for (const [id, at] of met) {
          if (open.has(id)) continue
          ends.push((Date.now() - at) / 1000)
          met.delete(id)
        }
        for (const { id, status, authorisedAt } of stripe.intents)
          if (status === 'requires_capture' && authorisedAt) held.set(id, (Date.now() - Date.parse(authorisedAt)) / 1000)
        await delay(1000)
      }
    } finally {
      await store.close()
    }
  }
  const looking = look()
  return {
    killed(service: string) {
      if (METERED.has(service)) lastKill = Date.now()
    },
    async stop() {
      stopping = true
      await looking
      return { ends, holds: [...held.values()] }
    },
  }
}
