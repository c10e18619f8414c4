/**
 * `node infra/chaos/service-kills.ts [kills=200] [bookings per second=2] [seed=1]`: two replicas of every service on real servers; one of
 * them is killed with SIGKILL at a random moment, again and again, most often of booking and payment. The airline answers late, loses
 * answers and only accepts orders now and then. Every booking must come to its end soon after the kill that caught it, and no amount may
 * stay authorised on a card. `ORDER_LONGEST_MS` in the environment: the supplier's longest answer (20 s here, 120 s in the product).
 */
import { delay } from '@passerelle/kit/runtime'
import { control, Visitor } from '@passerelle/local/test-visitor.fixture'
import { campaign, counted, finish, must, percentile, say } from './campaign.ts'
import { checkAtRest, isOpen, type Ledgers, withStore } from './invariants.ts'
import { startBookings } from './load.ts'
import { system } from './system.ts'

const { kills, perSecond, random, folder } = campaign({ kills: 200, perSecond: 2, seed: 1 })
const FINAL_WITHIN_S = Number(process.env.FINAL_WITHIN_S ?? 60)
const AUTHORISED_WITHIN_S = 180
/** As often as they stand here. */
const targets = ['booking', 'booking', 'booking', 'payment', 'payment', 'search', 'identity', 'brand', 'gateway']
/** Services that drive a booking. */
const DRIVING = ['booking', 'payment', 'search']

const { ORDER_LONGEST_MS = '20000' } = process.env
const times = { ORDER_SEND_WITHIN_MS: '5000', ORDER_LONGEST_MS, HOLD_IDLE_SECONDS: '120', HOLD_SECONDS: '900' }
const local = await system('processes', folder, { SERVERS: 'real', REPLICAS: '2', ...times })
say(`started in ${await local.start()} ms; the supplier's longest answer takes ${ORDER_LONGEST_MS} ms`)
const orders = { method: 'POST', path: '/air/orders' }
await control(local.duffel, 'faults', { match: orders, effect: 'reset-after-commit', probability: 0.03 })
await control(local.duffel, 'faults', { match: orders, effect: 'delay', ms: 15_000, probability: 0.03 })
await control(local.duffel, 'faults', { match: orders, effect: 'reset', probability: 0.02 })

let lastKill = 0
const watch = watchOpen()
const bookings = startBookings(() => new Visitor(local.url), { perSecond, random, searches: 2000, insist: false })
await delay(5000)
const killed: string[] = []
while (killed.length < kills) {
  await delay(1000 + random() * 4000)
  const name = targets[Math.floor(random() * targets.length)] ?? ''
  const pid = local.pidOf(`${name}-${1 + Math.floor(random() * 2)}`)
  if (!pid) continue
  process.kill(pid, 'SIGKILL')
  if (DRIVING.includes(name)) lastKill = Date.now()
  killed.push(name)
  if (killed.length % 20 === 0) say(`${killed.length} kills, ${bookings.done.length} journeys, ${bookings.underWay()} under way`)
}
say('kills', counted(killed))
await checkAtRest(local, await bookings.stop(), 300)
const { ends, authorised } = await watch.stop()
mustEndWithin('every booking is final after the kill that met it', ends, FINAL_WITHIN_S)
mustEndWithin('no amount stays authorised', authorised, AUTHORISED_WITHIN_S)
finish()

function mustEndWithin(what: string, seconds: number[], limit: number): void {
  const late = seconds.filter((one) => one > limit).length
  const figures = `median ${percentile(seconds, 0.5)} s, p99 ${percentile(seconds, 0.99)} s, most ${percentile(seconds, 1)} s`
  must(`${what}, within ${limit} s`, seconds.length > 0 && late === 0, `${late} later of ${seconds.length}; ${figures}`)
}

/** Looks once a second how long bookings are open after a kill of a service that drives them, and how long amounts are authorised. */
function watchOpen() {
  let stopping = false
  /** Booking -> the last kill that met it while it was open. */
  const met = new Map<string, number>()
  const ends: number[] = []
  const seconds = new Map<string, number>()
  const watching = withStore(local, async (read) => {
    while (!stopping) {
      const { bookings: stored, intents } = await read()
      const open = new Map(stored.filter(isOpen).map((booking) => [booking._id, booking]))
      for (const [id, { createdAt }] of open) if (lastKill >= createdAt.getTime()) met.set(id, lastKill)
      for (const [id, at] of met) {
        if (open.has(id)) continue
        ends.push((Date.now() - at) / 1000)
        met.delete(id)
      }
      for (const { id, status, authorisedAt } of intents as (Ledgers['intents'][number] & { authorisedAt: string | null })[])
        if (status === 'requires_capture' && authorisedAt) seconds.set(id, (Date.now() - Date.parse(authorisedAt)) / 1000)
      await delay(1000)
    }
  })
  return {
    async stop() {
      stopping = true
      await watching
      return { ends, authorised: [...seconds.values()] }
    },
  }
}
