/** Every crash point of a booking, before and after its effect: the process ends there, and everything still comes to its end. */
import { delay } from '@passerelle/kit/runtime'
import { control, Visitor } from '@passerelle/local/test-visitor.fixture'
import { realServers, serverPid } from '@passerelle/servers/real-servers'
import { unfinished } from './at-rest.ts'
import { mark, moment, must, record, say } from './campaign.ts'
import { armCrash, type Crash, crashOptions, disarm, hitOf, type Side } from './crash.ts'
import { type Reader, withReader } from './evidence.ts'
import { judge } from './invariants.ts'
import { type Journey, type Plan, travel } from './journeys.ts'
import { reached } from './marks.ts'
import type { Run } from './stage.ts'
import { type System, system } from './system.ts'
import { weather } from './weather.ts'

type Point = {
  id: string
  what: string
  service: string
  call: string
  /** kill: `kill -9` of the process. pause: it sleeps for longer than its lease. term: SIGTERM. Else that server is killed at this moment. */
  how?: 'kill' | 'pause' | 'term' | 'mongo' | 'kafka' | 'redis'
  plan?: Partial<Plan>
  /** What the airline does with this order. */
  airline?: object
  /** The name of a fault of the weather that strikes once. */
  fault?: string
}

const state = (to: string) => `^mongo bookings findOneAndUpdate .*"state":"${to}"`
const payment = (to: string) => `^mongo payments findOneAndUpdate .*"state":"${to}"`
const ORDER = '^http POST /air/orders$'
const cancel = { cancel: true }

export const points: readonly Point[] = [
  {
    id: 'C1',
    what: 'the payment request, on its way to the payment service',
    service: 'gateway',
    call: '^http POST /api/payments/process-card',
  },
  { id: 'C2', what: 'the payment is written, no intent is made', service: 'payment', call: '^mongo payments insertOne' },
  { id: 'C3a', what: 'the intent is made, not recorded', service: 'payment', call: '^http POST /v1/payment_intents$' },
  { id: 'C3b', what: 'the intent is confirmed, not recorded', service: 'payment', call: '^http POST /v1/payment_intents/[^/]+/confirm' },
  { id: 'C4', what: 'authorised, the answer is lost', service: 'payment', call: payment('authorised') },
  { id: 'C5', what: 'declined, the answer is lost', service: 'payment', call: payment('declined'), plan: { decline: true } },
  { id: 'C6', what: 'a double submit', service: 'booking', call: '^mongo bookings insertOne', plan: { twice: true } },
  { id: 'C7', what: 'requested, the payment is claimed', service: 'booking', call: '^http POST /internal/payments/[^/]+/claim' },
  { id: 'C8', what: 'ordering is written, nothing is sent', service: 'booking', call: state('ORDERING') },
  { id: 'C9', what: 'the order is made, the answer is lost', service: 'booking', call: ORDER },
  { id: 'C10', what: 'the airline answers 202', service: 'booking', call: state('ORDER_UNKNOWN'), airline: { case: 'order-202' } },
  { id: 'C11', what: 'the offer is gone', service: 'booking', call: state('ORDER_FAILED'), airline: { case: 'offer-gone', at: 'order' } },
  { id: 'C12', what: 'ordered, not captured', service: 'booking', call: state('ORDERED') },
  { id: 'C13', what: 'captured, not recorded', service: 'payment', call: '^http POST /v1/payment_intents/[^/]+/capture' },
  { id: 'C14', what: 'the capture fails for good', service: 'booking', call: state('CAPTURE_FAILED'), fault: 'capture refused for good' },
  { id: 'C15', what: 'confirmed, not published', service: 'booking', call: state('CONFIRMED') },
  { id: 'C16', what: 'published, not marked', service: 'booking', call: '^kafka send booking.events .*booking.confirmed' },
  {
    id: 'C17',
    what: 'the effect of an event is done, its offset is not committed',
    service: 'identity',
    call: '^kafka commit identity booking.events',
  },
  { id: 'C18', what: 'the mail is taken, not recorded', service: 'booking', call: '^smtp Booking confirmed' },
  { id: 'C19', what: 'the account is made, the answer is lost', service: 'identity', call: '^mongo users insertOne' },
  { id: 'C20', what: 'the answer to the browser is lost', service: 'gateway', call: '^http POST /api/bookings$' },
  { id: 'C21', what: 'cancelled by two clicks', service: 'booking', call: state('CANCEL_REQUESTED'), plan: cancel },
  { id: 'C22a', what: 'the cancellation is quoted', service: 'booking', call: '^http POST /air/order_cancellations$', plan: cancel },
  {
    id: 'C22b',
    what: 'the cancellation is confirmed',
    service: 'booking',
    call: '^http POST /air/order_cancellations/[^/]+/actions',
    plan: cancel,
  },
  { id: 'C23', what: 'the order is cancelled, no refund is sent', service: 'booking', call: state('ORDER_CANCELLED'), plan: cancel },
  { id: 'C24', what: 'refunded, not recorded', service: 'payment', call: '^http POST /v1/refunds', plan: cancel },
  { id: 'C25', what: 'a webhook', service: 'payment', call: '^serve POST /api/payments/webhook' },
  { id: 'C26', what: 'a worker sleeps and wakes with a dead lease', service: 'booking', call: ORDER, how: 'pause' },
  { id: 'C27', what: "the database's primary is lost in mid-write", service: 'booking', call: state('ORDERED'), how: 'mongo' },
  { id: 'C28', what: 'Kafka is away', service: 'booking', call: '^kafka send booking.events', how: 'kafka' },
  { id: 'C29', what: 'Redis is away', service: 'search', call: '^serve GET /api/flights/search', how: 'redis' },
  { id: 'C30', what: 'SIGTERM in mid-saga', service: 'booking', call: ORDER, how: 'term' },
]

const FINAL_WITHIN_S = 60
const HIT_WITHIN_S = 30
/** Longer than a lease. */
const PAUSE_MS = 15_000

type Row = { point: Point; side: Side; runs: number; met: number; finals: number[]; broken: string[] }

export async function crashPoints(run: Run): Promise<void> {
  const asked = (process.env.POINTS || points.map(({ id }) => id).join(',')).split(/[ ,]+/)
  const times = { HOLD_SECONDS: '30', HOLD_IDLE_SECONDS: '30', NODE_OPTIONS: crashOptions(run.folder) }
  const local = await system('processes', run.folder, { SERVERS: 'real', REPLICAS: '2', ...times })
  say(`started in ${await local.start()} ms; every point ${run.repeat} times on either side`)
  const journeys: Journey[] = []
  const rows: Row[] = []
  let index = run.seed
  for (const point of points.filter(({ id }) => asked.includes(id)))
    for (const side of ['before', 'after'] as const) {
      const row: Row = { point, side, runs: run.repeat, met: 0, finals: [], broken: [] }
      for (let i = 0; i < run.repeat; i++) await crashOnce(local, row, index++, journeys)
      const evidence = await withReader(local, (reader) => reader.whole(journeys))
      row.broken = judge(evidence).flatMap(({ id, what, violations }) => (violations.length > 0 ? [`${id} ${what}`] : []))
      rows.push(row)
      say(line(row))
    }
  for (const [name, count] of reached(await withReader(local, (reader) => reader.whole(journeys)), record.moments)) mark(name, count)
  for (const row of rows) {
    const late = row.finals.filter((seconds) => seconds > FINAL_WITHIN_S).length
    must(line(row), row.met === row.runs && row.finals.length === row.runs && late === 0 && row.broken.length === 0, row.broken)
    if (row.met > 0) mark(`${row.point.id} ${row.side}`, row.met)
  }
}

const line = ({ point, side, runs, met, finals, broken }: Row) => {
  const times = finals.map((seconds) => seconds.toFixed(1)).join(', ')
  const invariants = broken.length === 0 ? 'I1 to I14 hold' : `${broken.length} lines broken`
  return `${point.id.padEnd(4)} ${side.padEnd(6)} ${point.what}: ${met} of ${runs} met, final after ${times} s, ${invariants}`
}

/** Of the crash points, what a run of all of them has to reach. */
export const crashClaims = points.flatMap(({ id }) => [`${id} before`, `${id} after`])

async function crashOnce(local: System, row: Row, index: number, journeys: Journey[]): Promise<void> {
  const { point, side } = row
  const { how = 'kill' } = point
  const id = `${point.id}-${side}-${index}`
  const isServer = how === 'mongo' || how === 'kafka' || how === 'redis'
  const signal = how === 'pause' ? 'SIGSTOP' : how === 'term' ? 'SIGTERM' : 'SIGKILL'
  if (point.airline) await control(local.duffel, 'cases', point.airline)
  const fault = weather.find(({ name }) => name === point.fault)
  if (fault) {
    const { supplier, name: _, probability: __, ...rest } = fault
    await control(local[supplier], 'faults', { ...rest, times: 1 })
  }
  const crash: Crash = {
    id,
    service: point.service,
    call: point.call,
    side,
    signal,
    ...(isServer && { pid: serverPid(local.folder, how) }),
  }
  armCrash(local.folder, crash)
  await delay(300)
  const travelling = travel(new Visitor(local.url), { index: index * 7, insist: true, ...point.plan })
  const began = performance.now()
  let hit = hitOf(local.folder, id)
  while (!hit && performance.now() - began < HIT_WITHIN_S * 1000) {
    await delay(50)
    hit = hitOf(local.folder, id)
  }
  disarm(local.folder)
  if (hit) {
    row.met++
    moment(`kill at ${point.id} ${side}`, hit.at)
    if (how === 'pause') {
      await delay(PAUSE_MS)
      process.kill(hit.pid, 'SIGCONT')
    }
    if (isServer) {
      await delay(2000)
      await realServers(local.folder)
    }
  }
  journeys.push(await travelling)
  const seconds = await withReader(local, (reader) => secondsToRest(reader, hit?.at ?? Date.now()))
  if (seconds !== null) row.finals.push(seconds)
  await control(local.duffel, 'cases', { case: 'clear' })
}

/** From then until nothing is left to do; null: it takes longer than anybody waits. */
async function secondsToRest({ now }: Reader, since: number): Promise<number | null> {
  for (let waited = 0; waited < FINAL_WITHIN_S * 3; waited++) {
    const left = unfinished(await now(), true)
    if (Object.values(left).every((count) => count === 0)) return (Date.now() - since) / 1000
    if (waited === FINAL_WITHIN_S) say('still to be done', left)
    await delay(1000)
  }
  return null
}
