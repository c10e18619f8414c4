/** The campaigns, each a row: what is hurt, how much of it by default, and what the run must have reached to count. */

import { moment } from './campaign.ts'
import { containers, killContainers } from './containers.ts'
import { crashClaims, crashPoints } from './crash-points.ts'
import { disturbClocks, killAnything, killService, letFlightsLand, mustBeUnnoticed, outage, restartInTurn } from './disturbances.ts'
import { run as poison } from './kafka-poison.ts'
import { run as rebalance } from './kafka-rebalance.ts'
import { brokerOff, mongoWrites } from './outages.ts'
import { run as redisFaults } from './redis-faults.ts'
import { atPace, type Play, play, type Run } from './stage.ts'
import { passedOn, twoReleases } from './two-releases.ts'
import { refusals, weather } from './weather.ts'

export type Scenario = {
  hurts: string
  /** What `make chaos` takes where nothing else is said. */
  usual: { bookings: number; rate: number; kills?: number; minutes?: number }
  /** Marks that a run must reach, and how often where it is more than the runner asks for. */
  claims: readonly string[]
  run(run: Run): Promise<void>
}

const whole = (scene: Play) => (run: Run) => play(run, scene)

const HABITS = { declines: 0.05, twice: 0.1, again: 0.1, cancels: 0.2, cancelsEarly: 0.4 }
const USUAL_WAY = ['REQUESTED > ORDERING', 'ORDERING > ORDERED', 'ORDERED > CONFIRMED']
const CANCELLATION = ['CONFIRMED > CANCEL_REQUESTED', 'CANCEL_REQUESTED > ORDER_CANCELLED', 'ORDER_CANCELLED > REFUNDED']
const LOST_ORDERS = ['ORDERING > ORDER_UNKNOWN', 'ORDER_UNKNOWN > ORDERED', 'ORDER_UNKNOWN > ORDER_FAILED', 'ORDER_FAILED > FAILED']
/** Every fault of the suppliers, and where they lead. */
const BAD_WEATHER = [
  ...USUAL_WAY,
  ...CANCELLATION,
  ...LOST_ORDERS,
  ...['ORDERING > ORDER_FAILED', 'ORDERED > CAPTURE_FAILED', 'CAPTURE_FAILED > ORDER_FAILED'],
  ...weather.map(({ name }) => name),
]
/** An airline that answers late, or not at all. */
const LATE_AIRLINE = weather.filter(({ name }) => ['order lost, made', 'order lost, not made', 'order answered late'].includes(name))

export const scenarios: Record<string, Scenario> = {
  everything: {
    hurts:
      'two replicas of everything on real servers: processes and servers killed, suppliers that lose a tenth of the calls and fail a twentieth',
    usual: { bookings: 5000, rate: 2, kills: 300 },
    claims: [
      ...BAD_WEATHER,
      ...['card declined', 'account was there already', 'visitor told "pending"', 'capture repeated'],
      ...['mail handed over again', 'booking asked for again and found', 'webhook received', 'mongo away', 'kafka away', 'redis away'],
      ...['kill booking x ORDERING', 'kill booking x ORDER_UNKNOWN', 'kill payment x ORDERING', 'kill payment x ORDERED'],
    ],
    run: whole({ faults: weather, habits: HABITS, disturb: killAnything }),
  },
  suppliers: {
    hurts: 'two replicas of everything on real servers, nothing killed: suppliers that lose a tenth of the calls and fail a twentieth',
    usual: { bookings: 400, rate: 2 },
    claims: [...BAD_WEATHER, ...['card declined', 'account was there already', 'visitor told "pending"', 'webhook received']],
    run: whole({ faults: weather, habits: HABITS }),
  },
  refusals: {
    hurts:
      'the whole product in one process on its emulators: visitors who meet on one offer and who book late, suppliers that neither cancel nor let a hold go',
    usual: { bookings: 120, rate: 2 },
    claims: [
      ...USUAL_WAY,
      ...CANCELLATION,
      ...['REQUESTED > FAILED', 'ORDERING > ORDERING', 'CAPTURE_FAILED > ORDERED', 'CANCEL_REQUESTED > CONFIRMED'],
      ...refusals.map(({ name }) => name),
    ],
    run: whole({
      ...{ mode: 'one', searches: 20, faults: refusals, habits: { cancels: 0.5, cancelsEarly: 0.8, late: 0.2 } },
      environment: { HOLD_IDLE_SECONDS: '10' },
    }),
  },
  'kill-everything': {
    hurts: 'the whole product in one process on its emulators, `kill -9` in mid-search and mid-booking',
    usual: { bookings: 150, rate: 2, kills: 10 },
    claims: [...USUAL_WAY, 'kill everything', 'booking asked for again and found'],
    run: whole({
      mode: 'one',
      disturb: (stage) =>
        atPace(stage, stage.run.kills, async () => {
          const at = Date.now()
          stage.local.kill()
          moment('kill everything', at, await stage.local.start())
        }),
    }),
  },
  'service-kills': {
    hurts:
      'two replicas of every service on real servers, one process killed with `kill -9` at a time, an airline that answers late or not at all',
    usual: { bookings: 1000, rate: 2, kills: 200 },
    claims: [...USUAL_WAY, ...LOST_ORDERS, 'kill booking x ORDERING', 'kill payment x ORDERING', 'kill search x ORDERING'],
    run: whole({
      ...{ faults: LATE_AIRLINE, insist: false, finalWithinS: 60, heldWithinS: 180 },
      environment: {
        ORDER_SEND_WITHIN_MS: '5000',
        ORDER_LONGEST_MS: process.env.ORDER_LONGEST_MS ?? '20000',
        HOLD_IDLE_SECONDS: '120',
        HOLD_SECONDS: '900',
      },
      disturb: (stage) => atPace(stage, stage.run.kills, () => killService(stage)),
    }),
  },
  'mongo-kill': {
    hurts: 'real MongoDB, `kill -9` under the bookings of the whole system',
    usual: { bookings: 300, rate: 2, kills: 20 },
    claims: [...USUAL_WAY, 'mongo away', 'booking asked for again and found'],
    run: whole({ disturb: (stage) => atPace(stage, stage.run.kills, () => outage(stage, 'mongo', stage.random() * 1500)) }),
  },
  'kafka-away': {
    hurts: 'real Kafka killed and away for twenty seconds at a time, bookings go on',
    usual: { bookings: 300, rate: 2, kills: 4 },
    claims: [...USUAL_WAY, ...CANCELLATION, 'kafka away'],
    run: whole({ habits: { cancels: 0.2 }, disturb: (stage) => atPace(stage, stage.run.kills, () => outage(stage, 'kafka', 20_000)) }),
  },
  clock: {
    hurts: 'clocks of replicas that are up to a second off, and some jump ten minutes forth and back; in the end every flight lands',
    usual: { bookings: 200, rate: 2, kills: 40 },
    claims: [...USUAL_WAY, ...CANCELLATION, 'CONFIRMED > COMPLETED', 'clock skewed', 'clock of booking jumps', 'clock of payment jumps'],
    run: whole({ clocks: true, habits: { cancels: 0.2 }, faults: LATE_AIRLINE, disturb: disturbClocks, after: letFlightsLand }),
  },
  'rolling-restart': {
    hurts: 'two replicas of everything on real servers, SIGTERM to each in turn; `DRAIN_MS=0` shows what draining is for',
    usual: { bookings: 240, rate: 2 },
    claims: [...USUAL_WAY, ...['brand', 'identity', 'search', 'payment', 'booking', 'gateway'].map((name) => `stop ${name}`)],
    run: whole({
      ...{ insist: false, searchesPerSecond: 20, disturb: restartInTurn },
      environment: process.env.DRAIN_MS ? { DRAIN_MS: process.env.DRAIN_MS } : {},
      after: async (stage) => mustBeUnnoticed(stage),
    }),
  },
  'two-releases': {
    hurts:
      'one replica of every service of this release and one of an earlier one on the same servers, either killed (FROM: its commit; the last tag, or six hours before)',
    usual: { bookings: 300, rate: 2, kills: 60 },
    claims: [...USUAL_WAY, ...CANCELLATION, ...LOST_ORDERS, ...passedOn],
    run: twoReleases({ faults: weather, habits: HABITS, disturb: (stage) => atPace(stage, stage.run.kills, () => killService(stage)) }),
  },
  'containers-kill': {
    hurts: 'the whole system in containers (needs Docker): the main process of each container killed in turn from outside',
    usual: { bookings: 600, rate: 5 },
    claims: [...USUAL_WAY, 'kill booking', 'kill mongo', 'kill kafka'],
    run: whole({ open: containers, disturb: (stage) => killContainers(stage, (service) => moment(`kill ${service}`)) }),
  },
  'kafka-broker-off': {
    hurts:
      'real Kafka killed and away, relays killed with `kill -9` every 4 s, state changes go on (RATE: writes per second; MINUTES: twice the outage)',
    usual: { bookings: 6000, rate: 50, minutes: 2 },
    claims: ['kafka away', 'relay killed'],
    run: brokerOff,
  },
  'mongo-writes': {
    hurts: 'real MongoDB killed with `kill -9` under 50 writes per second through outbox, relays and bus (RATE: writes per second)',
    usual: { bookings: 6000, rate: 50, kills: 20 },
    claims: ['mongo away', 'relay killed'],
    run: mongoWrites,
  },
  'kafka-rebalance': {
    hurts: 'a group of consumers on real Kafka: members join and leave every 2 s, one is killed every 30 s (BOOKINGS: events)',
    usual: { bookings: 20_000, rate: 67, minutes: 5 },
    claims: ['member joins', 'member leaves', 'member killed'],
    run: rebalance,
  },
  'kafka-poison': {
    hurts:
      'events that nobody can read and events that make the handler throw, one to twenty good ones, on real Kafka (BOOKINGS: good events)',
    usual: { bookings: 10_000, rate: 1 },
    claims: [],
    run: poison,
  },
  'redis-faults': {
    hurts: 'real Redis frozen, killed, flushed, slowed by 200 ms, full (RATE: searches per second; MINUTES: six times the time of a fault)',
    usual: { bookings: 1, rate: 100, minutes: 9.6 },
    claims: ['frozen', 'killed', 'flushed', 'slowed by 200 ms', 'full'].map((fault) => `Redis ${fault}`),
    run: redisFaults,
  },
  'crash-points': {
    hurts:
      'two replicas of everything on real servers: a process ends at each crash point C1 to C30, before and after the effect (REPEAT: times; POINTS=C9,C13: these)',
    usual: { bookings: 1, rate: 1 },
    claims: crashClaims.filter((claim) => !process.env.POINTS || process.env.POINTS.split(/[ ,]+/).includes(claim.split(' ')[0] ?? '')),
    run: crashPoints,
  },
}
