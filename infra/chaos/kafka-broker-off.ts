/**
 * `node infra/chaos/kafka-broker-off.ts [writes per second=50] [seconds off=60] [seed=1]`: on real Kafka and MongoDB, state changes with
 * events go on while the broker is killed and away; two relays are processes of their own, and one of them is killed every four seconds.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { ensureIndexes } from '@passerelle/kit/mongo'
import { pushEvents } from '@passerelle/kit/outbox'
import { delay } from '@passerelle/kit/runtime'
import { deadLetters, disordered, effectsOf, isAscending, joinGroup, openLab, secondsToDrain, step, TOPIC } from './kafka-lab.ts'
import { walksOf } from './kafka-relay.ts'
import { holdsAll, must, percentile, say, sayLoad, seededRandom } from './verdict.ts'

const [perSecond = 50, secondsOff = 60, seed = 1] = process.argv.slice(2).map(Number)
const BOOKINGS = 200
const BEFORE_MS = 10_000
const KILL_MS = 4000
const DRAIN_SECONDS = 20

const random = seededRandom(seed)
const lab = await openLab()
say(`${perSecond} writes/s, broker off for ${secondsOff} s, seed ${seed}, ${lab.KAFKA_BROKERS}, ${lab.MONGO_URL}`)
const walks = walksOf(lab.mongo)
await ensureIndexes(lab.mongo)
const fatal: unknown[] = []
const member = await joinGroup(lab, lab.mongo, (error) => fatal.push(error))

const relays: ChildProcess[] = []
let kills = 0
const startRelay = (n: number) => {
  relays[n] = spawn(process.execPath, [...process.execArgv, new URL('kafka-relay.ts', import.meta.url).pathname], {
    env: { ...process.env, MONGO_URL: lab.MONGO_URL, KAFKA_BROKERS: lab.KAFKA_BROKERS },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
process.once('exit', () => {
  for (const relay of relays) relay.kill('SIGKILL')
})
startRelay(0)
startRelay(1)

const ending = new AbortController()
const written = new Map<string, { booking: string; sequence: number }>()
const sequences = new Map<string, number>()
const took: number[] = []
let refused = 0
const writing = (async () => {
  const began = performance.now()
  for (let n = 0; !ending.signal.aborted; n++) {
    await delay(Math.max(0, began + (n * 1000) / perSecond - performance.now()))
    const booking = `b${Math.floor(random() * BOOKINGS)}`
    const sequence = (sequences.get(booking) ?? 0) + 1
    const event = step(booking, sequence)
    const { $push, $set } = pushEvents(event)
    const from = performance.now()
    try {
      await walks.updateOne({ _id: booking }, { $set: { ...$set, step: sequence }, $push }, { upsert: true })
      sequences.set(booking, sequence)
      written.set(event.id, { booking, sequence })
      took.push(performance.now() - from)
    } catch {
      refused++
    }
  }
})()
const killing = (async () => {
  while (!ending.signal.aborted) {
    await delay(KILL_MS, ending.signal)
    if (ending.signal.aborted) return
    const n = kills % 2
    relays[n]?.kill('SIGKILL')
    kills++
    startRelay(n)
  }
})()

await delay(BEFORE_MS)
say(`${written.size} written, ${await walks.countDocuments({ outboxPending: true })} bookings with waiting events; the broker is killed`)
await lab.killBroker()
const offAt = performance.now()
await delay(secondsOff * 1000)
const waiting = await walks.aggregate<{ events: number }>([
  { $match: { outboxPending: true } },
  { $group: { _id: null, events: { $sum: { $size: '$outbox' } } } },
])
say(
  `${written.size} written, ${waiting[0]?.events ?? 0} events wait; the broker is started; the group has been silent for ${Math.round(member.bus.msSinceHeartbeat() / 1000)} s`,
)
await lab.startBroker()
const back = new Date()
const backAt = performance.now()
say(`the broker answers; it was away for ${((backAt - offAt) / 1000).toFixed(1)} s`)
const overdue = () => walks.countDocuments({ outboxPending: true, 'outbox.at': { $lt: back.toISOString() } })
while ((await overdue()) > 0 && performance.now() - backAt < 120_000) await delay(100)
const drained = (performance.now() - backAt) / 1000
say(`what had waited is out after ${drained.toFixed(1)} s; writes and kills go on`)
await delay(5000)
ending.abort()
await Promise.all([writing, killing])
while ((await walks.countDocuments({ outboxPending: true })) > 0 && performance.now() - backAt < 180_000) await delay(100)
const consumed = await secondsToDrain(lab.kafka, 600)

const told = await readTopic()
const firsts = new Map<string, number[]>()
const ids = new Set<string>()
for (const { id, key, sequence } of told) {
  if (ids.has(id)) continue
  ids.add(id)
  firsts.set(key, [...(firsts.get(key) ?? []), sequence])
}
const lost = [...written.keys()].filter((id) => !ids.has(id))
say(
  `${written.size} written in ${percentile(took, 0.5)} ms (median), ${percentile(took, 0.99)} ms (99 %); ${told.length} on the bus, ${told.length - ids.size} of them repeated; ${kills} relays killed; worked off ${consumed.toFixed(1)} s after the last`,
)

must('no state change was refused', refused === 0, `${refused} of ${written.size + refused}`)
must('no event is lost', lost.length === 0, `${lost.length} of ${written.size}`)
must('the order of every booking is kept on the bus', [...firsts.values()].every(isAscending), `${firsts.size} bookings`)
must(`what had waited is out within ${DRAIN_SECONDS} s`, drained <= DRAIN_SECONDS, `${drained.toFixed(1)} s`)
const effects = await effectsOf(lab.mongo).find().toArray()
must(
  'every event has had its effect, once',
  effects.length === written.size && effects.every(({ _id, runs }) => runs === 1 && written.has(_id)),
  `${effects.length} of ${written.size}`,
)
const wrong = await disordered(lab.mongo)
must('the steps of every booking were handled in order', wrong.length === 0, `${wrong.length} out of order`)
must('nothing was put aside', (await deadLetters(lab.kafka)).length === 0)
must('no consumer died', fatal.length === 0, fatal.map(String))
const left = await walks.countDocuments({ $or: [{ outboxPending: { $exists: true } }, { outbox: { $exists: true } }] })
must('no document keeps anything of its outbox', left === 0, left)

for (const relay of relays) relay.kill('SIGKILL')
await member.stop()
sayLoad()
await lab.stop()
process.exit(holdsAll() ? 0 : 1)

/** Everything on the topic, in the order of each partition. */
async function readTopic(): Promise<{ id: string; key: string; sequence: number }[]> {
  const admin = lab.kafka.admin()
  await admin.connect()
  const ends = await admin.fetchTopicOffsets(TOPIC)
  await admin.disconnect()
  const expected = ends.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0)
  const found: { id: string; key: string; sequence: number }[] = []
  const consumer = lab.kafka.consumer({ groupId: 'look' })
  await consumer.connect()
  await consumer.subscribe({ topics: [TOPIC], fromBeginning: true })
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ message: { key, headers } }) => {
      found.push({ id: String(headers?.ce_id), key: String(key), sequence: Number(headers?.ce_sequence) })
    },
  })
  while (found.length < expected) await delay(50)
  await consumer.disconnect()
  return found
}
