/** This release and an earlier one on the same servers, as while one replaces the other: each goes on with what the other has begun. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SagaState } from '@passerelle/booking/domain/state'
import { mark, say } from './campaign.ts'
import { checkOut } from './earlier-release.ts'
import { type Play, play, type Run } from './stage.ts'

type Release = 'this' | 'earlier'
type Written = { time: string; bookingId: string; from: string; by: Release }

const handover = (state: string, by: Release) => `${state} taken over by ${by === 'this' ? 'this' : 'the earlier'} release`

/** States in which a booking that one release has written was gone on with by the other, both ways. */
const STATES = ['ORDERING', 'ORDER_UNKNOWN', 'CONFIRMED', 'ORDER_CANCELLED'] as const satisfies readonly SagaState[]
export const passedOn: readonly string[] = STATES.flatMap((state) => [handover(state, 'this'), handover(state, 'earlier')])

/** Replica 1 of every service is of this release, replica 2 of the earlier one. */
export const twoReleases = (scene: Play) => async (run: Run) => {
  const { commit, root } = checkOut(process.env.FROM, run.folder)
  say(`beside the release of ${commit}`)
  await play(run, { ...scene, environment: { ...scene.environment, SECOND_RELEASE: root, LOG_LEVEL: 'info' } })
  const logs = (['this', 'earlier'] as const).map((by, i) =>
    transitionsIn(readFileSync(join(run.folder, 'logs', `booking-${i + 1}.log`), 'utf8'), by),
  )
  for (const name of handovers(logs.flat())) mark(name)
}

/** What the log of a replica of the booking service says of the transitions that it wrote. */
export function transitionsIn(log: string, by: Release): Written[] {
  const lines = log.split('\n').filter((line) => line.includes('"booking changed state"'))
  return lines.map((line) => ({ ...(JSON.parse(line) as Omit<Written, 'by'>), by }))
}

/** One mark for each time that a booking was gone on with by the other release. */
export function handovers(written: readonly Written[]): string[] {
  return [...Map.groupBy(written, ({ bookingId }) => bookingId).values()].flatMap((those) => {
    const inOrder = those.toSorted((one, other) => one.time.localeCompare(other.time))
    return inOrder.flatMap(({ from, by }, i) => (i > 0 && inOrder[i - 1]?.by !== by ? [handover(from, by)] : []))
  })
}
