/**
 * `node infra/chaos/kafka-rebalance.ts [events=20000] [seconds=300] [seed=1]`: on real Kafka and MongoDB, events of 400 bookings go through a
 * group whose members join and leave every two seconds; every 30 seconds a member that is a process of its own is killed with SIGKILL.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { delay } from '@passerelle/kit/runtime'
import { deadLetters, disordered, effectsOf, joinGroup, lag, type Member, openLab, publisher, secondsToDrain, step } from './kafka-lab.ts'
import { holdsAll, must, say, sayLoad, seededRandom } from './verdict.ts'

const [events = 20_000, seconds = 300, seed = 1] = process.argv.slice(2).map(Number)
const BOOKINGS = 400
const CHURN_MS = 2000
const KILL_MS = 30_000
const MOST_MEMBERS = 5
const DRAIN_SECONDS = 30

const random = seededRandom(seed)
const lab = await openLab()
say(`${events} events in ${seconds} s, seed ${seed}, ${lab.KAFKA_BROKERS}, ${lab.MONGO_URL}`)

const fatal: unknown[] = []
const members: Member[] = []
const gone: Member[] = []
let joins = 0
let leaves = 0
let kills = 0
let child: ChildProcess | undefined

const join = async () => {
  joins++
  members.push(await joinGroup(lab, lab.mongo, (error) => fatal.push(error)))
}
const leave = async () => {
  const [member] = members.splice(Math.floor(random() * members.length), 1)
  if (!member) return
  leaves++
  gone.push(member)
  await member.stop()
}
const startChild = () => {
  child = spawn(process.execPath, [...process.execArgv, new URL('kafka-member.ts', import.meta.url).pathname], {
    env: { ...process.env, MONGO_URL: lab.MONGO_URL, KAFKA_BROKERS: lab.KAFKA_BROKERS },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

process.once('exit', () => child?.kill('SIGKILL'))

const ending = new AbortController()
const every = async (ms: number, work: () => Promise<void> | void) => {
  while (!ending.signal.aborted) {
    const next = performance.now() + ms
    await work()
    await delay(Math.max(0, next - performance.now()), ending.signal)
  }
}

await join()
await join()
startChild()
const bus = await publisher(lab)
const began = performance.now()
const churning = every(CHURN_MS, () => {
  // Not awaited: a member that leaves takes its time, and the next one comes meanwhile.
  const coming = members.length < 2 || (members.length < MOST_MEMBERS && random() < 0.5)
  void (coming ? join() : leave())
})
const killing = every(KILL_MS, async () => {
  await delay(KILL_MS - 5000, ending.signal)
  if (ending.signal.aborted) return
  child?.kill('SIGKILL')
  kills++
  startChild()
})
const telling = every(30_000, async () => {
  say(
    `${Math.round((performance.now() - began) / 1000)} s: ${await effectsOf(lab.mongo).countDocuments()} effects, lag ${await lag(lab.kafka)}`,
  )
})

const sequences = new Map<string, number>()
const sent: string[] = []
while (sent.length < events) {
  const due = Math.min(events, Math.ceil(((performance.now() - began) / (seconds * 1000)) * events))
  const batch = Array.from({ length: Math.min(100, due - sent.length) }, () => {
    const booking = `b${Math.floor(random() * BOOKINGS)}`
    const sequence = (sequences.get(booking) ?? 0) + 1
    sequences.set(booking, sequence)
    return step(booking, sequence)
  })
  if (batch.length === 0) {
    await delay(50)
    continue
  }
  await bus.publish(batch)
  sent.push(...batch.map(({ id }) => id))
}
ending.abort()
await Promise.all([churning, killing, telling])
const publishedIn = (performance.now() - began) / 1000
say(`published in ${publishedIn.toFixed(1)} s; ${joins} joins, ${leaves} leaves, ${kills} kills; lag now ${await lag(lab.kafka)}`)
const drained = await secondsToDrain(lab.kafka, 300)

const effects = await effectsOf(lab.mongo).find().toArray()
const told = new Set(sent)
const twice = effects.filter(({ runs }) => runs > 1)
const everybody = [...members, ...gone]
const sum = async (result: string) => (await Promise.all(everybody.map((one) => one.count(result)))).reduce((all, one) => all + one, 0)
say(`deliveries that the inbox recognised as repeated: ${await sum('duplicate')} (of the members in this process)`)
say(`handled in this process ${await sum('done')}, the rest in the one that was killed ${kills} times`)

must(`lag is 0 within ${DRAIN_SECONDS} s of the last event`, drained <= DRAIN_SECONDS, `${drained.toFixed(1)} s`)
must(
  'every event has had its effect',
  effects.length === events && effects.every(({ _id }) => told.has(_id)),
  `${effects.length} of ${events}`,
)
must(
  'no handler ran twice for an event, except where a kill came between effect and note',
  twice.length <= kills * 3,
  `${twice.length} with ${kills} kills`,
)
const wrong = await disordered(lab.mongo)
must('the steps of every booking came in order', wrong.length === 0, `${sequences.size} bookings, ${wrong.length} out of order`)
must('nothing was put aside', (await deadLetters(lab.kafka)).length === 0)
must('no consumer died', fatal.length === 0, fatal.map(String))

child?.kill('SIGKILL')
await Promise.all([bus.stop(), ...members.map((one) => one.stop())])
sayLoad()
await lab.stop()
process.exit(holdsAll() ? 0 : 1)
