/**
 * On real Kafka and MongoDB, events of 400 bookings go through a group whose members join and leave every two seconds; every 30 seconds a
 * member that is a process of its own is killed with SIGKILL.
 */
import type { Bus } from '@passerelle/kit/bus'
import { delay } from '@passerelle/kit/runtime'
import { every, moment, must, say, seededRandom } from './campaign.ts'
import { checkEffects, connectLabBus, joinGroup, lag, openLab, secondsToDrain, startProcess, stepper } from './kafka-lab.ts'
import type { Run } from './stage.ts'

const CHURN_MS = 2000
const KILL_MS = 30_000
const MOST_MEMBERS = 5
const DRAIN_SECONDS = 30

export async function run({ bookings: events, minutes, seed, folder }: Run): Promise<void> {
  const lab = await openLab(folder)
  const random = seededRandom(seed)
  const seconds = minutes * 60
  const members: Bus[] = []
  let left = 0
  const nextStep = stepper(400, random)
  const sent: string[] = []
  let kills = 0

  const join = async () => {
    moment('member joins')
    members.push(await joinGroup(lab))
  }
  const leave = async () => {
    const [member] = members.splice(Math.floor(random() * members.length), 1)
    if (!member) return
    left++
    moment('member leaves')
    await member.stop()
  }

  const ending = new AbortController()

  await join()
  await join()
  let child = startProcess('member', lab)
  const bus = await connectLabBus(lab)
  const began = performance.now()
  const churning = every(CHURN_MS, ending.signal, () => {
    // Not awaited: a member that leaves takes its time, and the next one comes meanwhile.
    const joins = members.length < 2 || (members.length < MOST_MEMBERS && random() < 0.5)
    void (joins ? join() : leave())
  })
  const killing = every(KILL_MS, ending.signal, async () => {
    child.kill('SIGKILL')
    kills++
    moment('member killed')
    child = startProcess('member', lab)
    say(`kill ${kills}: ${sent.length} published, lag ${await lag(lab.kafka)}`)
  })

  while (sent.length < events) {
    const due = Math.min(events, Math.ceil(((performance.now() - began) / (seconds * 1000)) * events))
    const batch = Array.from({ length: Math.min(100, due - sent.length) }, nextStep)
    if (batch.length === 0) await delay(50)
    else await bus.publish(batch)
    sent.push(...batch.map(({ id }) => id))
  }
  ending.abort()
  await Promise.all([churning, killing])
  say(`published; ${left} members left, ${kills} kills; lag now ${await lag(lab.kafka)}`)
  const drained = await secondsToDrain(lab.kafka, 300)

  must(`lag is 0 within ${DRAIN_SECONDS} s of the last event`, drained <= DRAIN_SECONDS, `${drained.toFixed(1)} s`)
  await checkEffects(lab, sent, { mayRepeat: kills * 3 })
}
