/** What campaigns do to the whole system. Everything done is a moment of the record: with its time, it says which states it met. */
import { delay } from '@passerelle/kit/runtime'
import { killServer, realServers } from '@passerelle/servers/real-servers'
import { counted, moment, must, say } from './campaign.ts'
import { setClocks } from './clock.ts'
import { withReader } from './evidence.ts'
import { atPace, type Stage } from './stage.ts'
import { addressOf } from './system.ts'

/** As often as they stand here. */
const TARGETS = ['booking', 'booking', 'booking', 'payment', 'payment', 'search', 'identity', 'brand', 'gateway']
const names = ['brand', 'identity', 'search', 'payment', 'booking', 'gateway']
export const replicas = names.flatMap((name) => [`${name}-1`, `${name}-2`])

/** `kill -9` of one of the two processes of a service; whatever else the campaign does, the other one lives. */
export function killService({ local, random }: Stage): void {
  const name = TARGETS[Math.floor(random() * TARGETS.length)] ?? ''
  const pid = local.pidOf(`${name}-${1 + Math.floor(random() * 2)}`)
  if (!pid) return
  moment(`kill ${name}`)
  process.kill(pid, 'SIGKILL')
}

/** `kill -9` of a real server, which stays away for a while. */
export async function outage({ local }: Stage, server: 'mongo' | 'kafka' | 'redis', awayMs: number): Promise<void> {
  const at = Date.now()
  await killServer(local.folder, server)
  await delay(awayMs)
  await realServers(local.folder)
  moment(`${server} away`, at, Date.now() - at)
}

/** Processes are killed, and every fifth time a server, each in turn. */
export async function killAnything(stage: Stage): Promise<void> {
  const servers = ['mongo', 'kafka', 'redis'] as const
  await atPace(stage, stage.run.kills, async (done) => {
    const server = done % 5 === 4 ? servers[Math.floor(done / 5) % servers.length] : undefined
    if (server) await outage(stage, server, stage.random() * 5000)
    else killService(stage)
  })
}

/** SIGTERM to each replica in turn, the next one once its successor is ready and the balancer has seen it. */
export async function restartInTurn({ local, ending, bookings }: Stage): Promise<void> {
  for (const replica of replicas) await local.ready(replica)
  await delay(5000)
  while (!ending.aborted) {
    for (const replica of replicas) {
      const before = local.pidOf(replica)
      if (!before) throw new Error(`${replica} is not running`)
      const at = Date.now()
      process.kill(before, 'SIGTERM')
      while (local.pidOf(replica) === before || local.pidOf(replica) === undefined) await delay(100)
      await local.ready(replica)
      moment(`stop ${replica.split('-')[0]}`, at, Date.now() - at)
      say(`${replica} ended and came back ready in ${Date.now() - at} ms; ${bookings.done.length} journeys`)
      await delay(1000)
    }
  }
}

const JUMP_MS = 600_000
const MOST_SKEW_MS = 1000

/** Clocks of replicas are up to a second off, and every third time one jumps ten minutes forth, and back after three seconds. */
export async function disturbClocks(stage: Stage): Promise<void> {
  const { local, random, run } = stage
  const portOf = (replica: string) => new URL(addressOf(local.folder, replica).adminUrl).port
  const offsets: Record<string, number> = {}
  await atPace(stage, run.kills, async (done) => {
    const jumps = done % 3 === 2
    const jumping = `${names.at(-2 - (Math.floor(done / 3) % names.length)) ?? names.at(-1)}-${1 + Math.floor(random() * 2)}`
    const replica = jumps ? jumping : (replicas[Math.floor(random() * replicas.length)] ?? '')
    const skew = Math.round((random() * 2 - 1) * MOST_SKEW_MS)
    const at = Date.now()
    if (jumps) {
      setClocks(local.folder, { ...offsets, [portOf(replica)]: JUMP_MS })
      await delay(3000)
    }
    offsets[portOf(replica)] = skew
    setClocks(local.folder, offsets)
    moment(jumps ? `clock of ${replica.split('-')[0]} jumps` : 'clock skewed', at, Date.now() - at)
  })
  setClocks(local.folder, {})
}

/** One replica believes that it is next year: every flight has landed. */
export async function letFlightsLand({ local }: Stage): Promise<void> {
  const replica = new URL(addressOf(local.folder, 'booking-1').adminUrl).port
  const landed = () => withReader(local, async ({ now }) => (await now()).bookings.every(({ state }) => state !== 'CONFIRMED') || undefined)
  setClocks(local.folder, { [replica]: 400 * 86_400_000 })
  moment('clock of booking a year ahead')
  for (let i = 0; i < 90 && !(await landed()); i++) await delay(1000)
  setClocks(local.folder, {})
}

/** No call that visitors made failed. */
export function mustBeUnnoticed({ bookings, searches }: Stage): void {
  const failed = searches.done.filter(({ status }) => status !== 200).length
  must('no search failed', failed === 0, `${failed} of ${searches.done.length}`)
  const calls = bookings.done.flatMap(({ failures }) => failures)
  must('no call of a booking failed', calls.length === 0, calls.length === 0 ? `${bookings.done.length} journeys` : counted(calls))
  must('nothing was dropped', bookings.dropped + searches.dropped === 0, bookings.dropped + searches.dropped)
}
