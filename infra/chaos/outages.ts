/**
 * On real Kafka and MongoDB, state changes with events go on while a server is killed and away; two relays are processes of their own, and
 * one of them is killed every four seconds. What is acknowledged is published once or more, in order, and has its effect once.
 */
import { readToTheEnd } from '@passerelle/infra-kafka/dead-letters'
import { ensureIndexes } from '@passerelle/kit/mongo'
import { pushEvents } from '@passerelle/kit/outbox'
import { delay } from '@passerelle/kit/runtime'
import { killServer, realServers } from '@passerelle/servers/real-servers'
import { every, moment, must, mustBeNone, percentiles, say, seededRandom } from './campaign.ts'
import {
  checkEffects,
  isAscending,
  joinGroup,
  type Lab,
  openLab,
  secondsToDrain,
  startProcess,
  stepper,
  TOPIC,
  walksOf,
} from './kafka-lab.ts'
import type { Run } from './stage.ts'

const BEFORE_MS = 10_000
const RELAY_KILL_MS = 4000
const DRAIN_SECONDS = 20

/** The broker is away for half of the time; state changes are not refused meanwhile. */
export async function brokerOff(run: Run): Promise<void> {
  const secondsOff = (run.minutes * 60) / 2
  const { refused, written } = await writeDuring(run, async (lab) => {
    const walks = walksOf(lab.mongo)
    const at = Date.now()
    await killServer(run.folder, 'kafka')
    await delay(secondsOff * 1000)
    say(`${await walks.countDocuments({ outboxPending: true })} bookings with waiting events; the broker is started`)
    await realServers(run.folder)
    moment('kafka away', at, Date.now() - at)
    const back = new Date().toISOString()
    const drained = await secondsUntilNone(lab, { outboxPending: true, 'outbox.at': { $lt: back } }, 120)
    must(`what had waited is out within ${DRAIN_SECONDS} s`, drained <= DRAIN_SECONDS, `${drained.toFixed(1)} s`)
    await delay(5000)
  })
  must('no state change was refused', refused.length === 0, `${refused.length} of ${written + refused.length}`)
}

/** The database is killed again and again; what it had acknowledged before is there. */
export async function mongoWrites(run: Run): Promise<void> {
  const random = seededRandom(run.seed)
  await writeDuring(run, async () => {
    for (let kill = 1; kill <= run.kills; kill++) {
      const at = Date.now()
      await killServer(run.folder, 'mongo')
      await delay(random() * 1500)
      await realServers(run.folder)
      moment('mongo away', at, Date.now() - at)
      await delay(3000 + random() * 4000)
      say(`kill ${kill} of ${run.kills}: away for ${Date.now() - at} ms`)
    }
  })
}

async function writeDuring(
  { rate, seed, folder }: Run,
  disturb: (lab: Lab) => Promise<void>,
): Promise<{ written: number; refused: string[] }> {
  const lab = await openLab(folder)
  const walks = walksOf(lab.mongo)
  await ensureIndexes(lab.mongo)
  await joinGroup(lab)
  const relays = [startProcess('relay', lab), startProcess('relay', lab)]
  const ending = new AbortController()
  const nextStep = stepper(200, seededRandom(seed + 1))
  const written: string[] = []
  const refused: string[] = []
  const took: { ms: number }[] = []
  const writing = (async () => {
    const began = performance.now()
    for (let n = 0; !ending.signal.aborted; n++) {
      await delay(Math.max(0, began + (n * 1000) / rate - performance.now()))
      const event = nextStep()
      const { $push, $set } = pushEvents(event)
      const from = performance.now()
      try {
        await walks.updateOne({ _id: event.key }, { $set: { ...$set, step: event.sequence }, $push }, { upsert: true })
        written.push(event.id)
        took.push({ ms: performance.now() - from })
      } catch {
        refused.push(event.id)
      }
    }
  })()
  const killing = every(RELAY_KILL_MS, ending.signal, () => {
    relays.shift()?.kill('SIGKILL')
    moment('relay killed')
    relays.push(startProcess('relay', lab))
  })
  await delay(BEFORE_MS)
  await disturb(lab)
  ending.abort()
  await Promise.all([writing, killing])
  await secondsUntilNone(lab, { outboxPending: true }, 180)
  const consumed = await secondsToDrain(lab.kafka, 600)
  const messages = (await readToTheEnd(lab.kafka, [TOPIC])).get(TOPIC) ?? []
  const first = new Map([...Map.groupBy(messages, ({ headers }) => String(headers?.ce_id))].map(([id, [message]]) => [id, message]))
  say(`${written.length} written, ${refused.length} refused; ms of a write`, percentiles(took))
  say(`${messages.length} on the bus, ${messages.length - first.size} repeated; consumed ${consumed.toFixed(1)} s later`)
  mustBeNone('no acknowledged event is lost', written, (id) => !first.has(id))
  const sequencesOf = (list: typeof messages) => list.map(({ headers }) => Number(headers?.ce_sequence))
  const byBooking = Map.groupBy([...first.values()] as typeof messages, (message) => String(message.key))
  mustBeNone('the order of every booking is kept on the bus', [...byBooking.values()], (steps) => !isAscending(sequencesOf(steps)))
  // The answer to a write may be lost with the server: then it is there although it was refused.
  await checkEffects(lab, [...written, ...refused.filter((id) => first.has(id))])
  const left = await walks.countDocuments({ $or: [{ outboxPending: { $exists: true } }, { outbox: { $exists: true } }] })
  must('no document keeps anything of its outbox', left === 0, left)
  return { written: written.length, refused }
}

async function secondsUntilNone(lab: Lab, filter: object, limit: number): Promise<number> {
  const walks = walksOf(lab.mongo)
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  while ((await walks.countDocuments(filter)) > 0 && seconds() < limit) await delay(100)
  return seconds()
}
