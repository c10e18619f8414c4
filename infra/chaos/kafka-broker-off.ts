/**
 * `node infra/chaos/kafka-broker-off.ts [writes per second=50] [seconds off=60] [seed=1]`: on real Kafka and MongoDB, state changes with
 * events go on while the broker is killed and away; two relays are processes of their own, and one of them is killed every four seconds.
 */
import { readToTheEnd } from '@passerelle/infra-kafka/dead-letters'
import { ensureIndexes } from '@passerelle/kit/mongo'
import { pushEvents } from '@passerelle/kit/outbox'
import { delay } from '@passerelle/kit/runtime'
import { killServer, realServers } from '@passerelle/servers/real-servers'
import { campaign, every, finish, must, mustBeNone, percentiles, say } from './campaign.ts'
import { checkEffects, isAscending, joinGroup, openLab, secondsToDrain, startProcess, stepper, TOPIC, walksOf } from './kafka-lab.ts'

const { perSecond, secondsOff, random, folder } = campaign({ perSecond: 50, secondsOff: 60, seed: 1 })
const BEFORE_MS = 10_000
const KILL_MS = 4000
const DRAIN_SECONDS = 20

const lab = await openLab(folder)
const walks = walksOf(lab.mongo)
await ensureIndexes(lab.mongo)
const member = await joinGroup(lab)
const relays = [startProcess('relay', lab), startProcess('relay', lab)]
let kills = 0

const ending = new AbortController()
const nextStep = stepper(200, random)
const written: string[] = []
const took: { ms: number }[] = []
let refused = 0
const writing = (async () => {
  const began = performance.now()
  for (let n = 0; !ending.signal.aborted; n++) {
    await delay(Math.max(0, began + (n * 1000) / perSecond - performance.now()))
    const event = nextStep()
    const { $push, $set } = pushEvents(event)
    const from = performance.now()
    try {
      await walks.updateOne({ _id: event.key }, { $set: { ...$set, step: event.sequence }, $push }, { upsert: true })
      written.push(event.id)
      took.push({ ms: performance.now() - from })
    } catch {
      refused++
    }
  }
})()
const killing = every(KILL_MS, ending.signal, () => {
  relays.shift()?.kill('SIGKILL')
  kills++
  relays.push(startProcess('relay', lab))
})

await delay(BEFORE_MS)
say(`${written.length} written; the broker is killed`)
await killServer(folder, 'kafka')
await delay(secondsOff * 1000)
const silentMs = Math.round(member.msSinceHeartbeat())
const waiting = await walks.countDocuments({ outboxPending: true })
say(`${written.length} written, ${waiting} bookings with waiting events, no heartbeat for ${silentMs} ms; the broker is started`)
await realServers(folder)
const back = new Date().toISOString()
say('the broker answers')
const drained = await secondsUntilNone({ outboxPending: true, 'outbox.at': { $lt: back } }, 120)
say(`what had waited is out after ${drained.toFixed(1)} s; writes and kills go on`)
await delay(5000)
ending.abort()
await Promise.all([writing, killing])
await secondsUntilNone({ outboxPending: true }, 180)
const consumed = await secondsToDrain(lab.kafka, 600)

const messages = (await readToTheEnd(lab.kafka, [TOPIC])).get(TOPIC) ?? []
const first = new Map([...Map.groupBy(messages, ({ headers }) => String(headers?.ce_id))].map(([id, [message]]) => [id, message]))
const byBooking = Map.groupBy(first.values(), (message) => String(message?.key))
say('ms of a write', percentiles(took))
const repeated = messages.length - first.size
say(`${messages.length} on the bus, ${repeated} repeated; ${kills} relays killed; consumed ${consumed.toFixed(1)} s later`)

must('no state change was refused', refused === 0, `${refused} of ${written.length + refused}`)
mustBeNone('no event is lost', written, (id) => !first.has(id))
const sequenceOf = (message: (typeof messages)[number] | undefined) => Number(message?.headers?.ce_sequence)
mustBeNone('the order of every booking is kept on the bus', [...byBooking.values()], (steps) => !isAscending(steps.map(sequenceOf)))
must(`what had waited is out within ${DRAIN_SECONDS} s`, drained <= DRAIN_SECONDS, `${drained.toFixed(1)} s`)
await checkEffects(lab, written)
const left = await walks.countDocuments({ $or: [{ outboxPending: { $exists: true } }, { outbox: { $exists: true } }] })
must('no document keeps anything of its outbox', left === 0, left)
finish()

async function secondsUntilNone(filter: object, limit: number): Promise<number> {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  while ((await walks.countDocuments(filter)) > 0 && seconds() < limit) await delay(100)
  return seconds()
}
