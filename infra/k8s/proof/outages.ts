/** Stores that go away one after the other, and all pods at once: nobody restarts a service, and everything comes back without a hand. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must, say } from '@passerelle/chaos/campaign'
import type { Journey } from '@passerelle/chaos/journeys'
import { allReady, kubectl, list, nameOf, type Pod, pods, restartsOf, until } from './cluster.ts'
import { answering, bookOnce } from './entrance.ts'
import { during, effectsOnce, figures } from './traffic.ts'

const STORES = ['mongo', 'kafka', 'redis']

export async function stores(): Promise<string> {
  const journeys: Journey[] = []
  const told: string[] = []
  for (const store of STORES) {
    const before = restartsOf(await pods())
    const traffic = await during(async () => {
      const began = performance.now()
      await kubectl(`delete pod --selector app.kubernetes.io/name=${store}`, { seconds: 120 })
      await booked()
      const back = Math.round((performance.now() - began) / 1000)
      await allReady(240)
      const endedInPlace = await endInPlace(store)
      told.push(`${store} back and a booking after ${back} s, after its process ended in its pod ${endedInPlace} s`)
    }, true)
    const restarts = restartsOf(await pods()) - before
    must(`${store} away: no service was restarted`, restarts === 0, restarts)
    say(`${store} away`, figures(traffic))
    journeys.push(...traffic.journeys)
  }
  return `${told.join(', ')}; ${await effectsOnce(journeys)}`
}

/** Its container is started again in the same pod, as after a crash or a reboot of the node. @returns seconds until a booking went through */
async function endInPlace(store: string): Promise<number> {
  const ofStore = async () =>
    (await list<Pod>(`pods --selector app.kubernetes.io/name=${store}`)).filter(({ metadata }) => !metadata.deletionTimestamp)
  const before = await ofStore()
  const began = performance.now()
  await kubectl(`exec ${before.map(nameOf)[0]} -- sh -c`, { last: 'kill 1' })
  await until(`${store} is started again`, 120, async () => restartsOf(await ofStore()) > restartsOf(before) || undefined)
  await booked()
  const seconds = Math.round((performance.now() - began) / 1000)
  await allReady(240)
  must(`${store}: the same pod goes on`, (await ofStore()).map(nameOf).join() === before.map(nameOf).join())
  return seconds
}

const booked = () => until('a booking goes through', 240, async () => ((await bookOnce()).status === 0 ? true : undefined))

/** Every pod of the namespace at once; the volumes stay. */
export async function everything(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'k8s-proof-'))
  const file = join(folder, 'booking.json')
  try {
    must('a booking before', (await bookOnce(file)).status === 0)
    const began = performance.now()
    await kubectl('delete pods --all', { seconds: 180 })
    const gone = Math.round((performance.now() - began) / 1000)
    const seconds = await allReady(480)
    await answering()
    const restarts = restartsOf(await pods())
    must('no service was restarted while the stores came up', restarts === 0, restarts)
    const again = await bookOnce(file)
    must('the booking is still confirmed, and another one goes through', again.status === 0, again.stdout.trim() || again.stderr.trim())
    return `gone after ${gone} s, ready ${seconds} s later, ${restarts} restarts; ${await effectsOnce()}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
