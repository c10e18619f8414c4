/** The whole system with visitors on it while something is done to it, and the judgement afterwards. */
import { delay } from '@passerelle/kit/runtime'
import { Visitor } from '@passerelle/local/test-visitor.fixture'
import { checkAtRest } from './at-rest.ts'
import { counted, every, mark, must, percentile, percentiles, record, say, seededRandom } from './campaign.ts'
import { clockOptions } from './clock.ts'
import type { World } from './evidence.ts'
import { type Habits, type Journey, startBookings } from './journeys.ts'
import { type Load, type Read, startSearches } from './load.ts'
import { endsAfterKills, reached } from './marks.ts'
import { type System, system } from './system.ts'
import { makeWeather, type weather } from './weather.ts'

/** What `make chaos` was given. */
export type Run = {
  seed: number
  bookings: number
  /** Bookings begun per second. */
  rate: number
  kills: number
  /** No more is begun after so long. */
  minutes: number
  /** How often each crash point is tried. */
  repeat: number
  /** How often each mark has to be reached. */
  reach: number
  folder: string
}

export type Stage = {
  local: System
  run: Run
  random(): number
  bookings: Load<Journey>
  searches: Load<Read>
  /** Aborted when no more bookings are begun. */
  ending: AbortSignal
}

export type Play = {
  mode?: 'one' | 'processes'
  /** Another system than that of processes. */
  open?(folder: string): System
  /** Each process may be given a clock that is off. */
  clocks?: boolean
  environment?: Record<string, string>
  /** Faults of the suppliers. */
  faults?: typeof weather
  habits?: Partial<Habits>
  /** As the website does, calls without an outcome are repeated; else each counts as failed. */
  insist?: boolean
  searchesPerSecond?: number
  /** Different searches; few of them make visitors meet on one offer. */
  searches?: number
  /** What is done meanwhile; it goes on until `ending` at least. */
  disturb?(stage: Stage): Promise<void>
  /** When all visitors are gone, before everything is judged. */
  after?(stage: Stage, journeys: Journey[]): Promise<void>
  /** A booking is final so many seconds after the last kill that met it. */
  finalWithinS?: number
  /** No amount is held on a card for longer. */
  heldWithinS?: number
}

/** Two replicas on real servers, unless the environment says otherwise; outcomes that were lost are resolved within the campaign. */
export async function play(run: Run, scene: Play): Promise<void> {
  const environment = {
    ...(scene.mode !== 'one' && { SERVERS: 'real', REPLICAS: '2' }),
    ...(scene.clocks && { NODE_OPTIONS: clockOptions(run.folder) }),
    ...scene.environment,
  }
  const local = scene.open?.(run.folder) ?? (await system(scene.mode ?? 'processes', run.folder, environment))
  say(`started in ${await local.start()} ms`)
  const clearUp = await makeWeather(local, scene.faults ?? [], run.reach)
  const ending = new AbortController()
  const random = seededRandom(run.seed)
  const bookings = startBookings(() => new Visitor(local.url), {
    ...{ perSecond: run.rate, most: run.bookings, random: seededRandom(run.seed + 1), searches: scene.searches ?? 2000 },
    ...{ insist: scene.insist ?? true, habits: scene.habits ?? {} },
  })
  const searches = startSearches(local.url, { perSecond: scene.searchesPerSecond ?? 1, random: seededRandom(run.seed + 2), searches: 40 })
  const stage: Stage = { local, run, random, bookings, searches, ending: ending.signal }
  const progress = every(15_000, ending.signal, () =>
    say(
      `${bookings.begun} of ${run.bookings} bookings begun, ${bookings.underWay()} under way; so far`,
      counted(record.moments.map(({ lane }) => lane)),
    ),
  )
  const disturbing = scene.disturb?.(stage)
  const outOfTime = setTimeout(() => void bookings.stop(), run.minutes * 60_000)
  await bookings.ended()
  clearTimeout(outOfTime)
  ending.abort()
  await Promise.all([disturbing, progress])
  const [journeys] = await Promise.all([bookings.stop(), searches.stop()])
  say(`all visitors are gone; ${bookings.dropped} could not begin; ms of a journey`, percentiles(journeys))
  await clearUp()
  await scene.after?.(stage, journeys)
  await judgeAll(local, journeys, scene)
  local.kill()
}

async function judgeAll(world: World, journeys: Journey[], { finalWithinS, heldWithinS }: Play): Promise<void> {
  const evidence = await checkAtRest(world, journeys)
  for (const [name, times] of reached(evidence, record.moments)) mark(name, times)
  record.bookings = evidence.bookings.map(({ createdAt, history = [] }) => ({
    from: Number(createdAt),
    history: history.map(({ at, state }) => ({ at: Number(at), state })),
  }))
  const soon = (what: string, seconds: readonly number[], limit: number | undefined) => {
    if (limit === undefined || seconds.length === 0) return
    const late = seconds.filter((one) => one > limit).length
    const figures = `${late} later of ${seconds.length}; median ${percentile(seconds, 0.5)} s, most ${percentile(seconds, 1)} s`
    must(`${what} within ${limit} s`, late === 0, figures)
  }
  const ends = endsAfterKills(evidence.bookings, record.moments).map((ms) => ms / 1000)
  soon('every booking is final after the last kill that met it,', ends, finalWithinS)
  const held = evidence.intents.flatMap(({ authorisedAt, capturedAt, canceledAt }) => {
    const end = capturedAt ?? canceledAt
    return authorisedAt && end ? [(Date.parse(end) - Date.parse(authorisedAt)) / 1000] : []
  })
  soon('every amount that is held is captured or let go', held, heldWithinS)
}

/** Begins something at the campaign's pace, `times` in all, and until no more bookings are begun. */
export async function atPace({ run, random, ending }: Stage, times: number, work: (done: number) => Promise<void> | void): Promise<void> {
  const meanMs = (Math.min(run.bookings / run.rate, run.minutes * 60) * 1000) / (times + 1)
  const began = performance.now()
  for (let done = 0; done < times && !ending.aborted; done++) {
    await delay(Math.max(0, began + meanMs * (done + 0.5 + random()) - performance.now()), ending)
    if (!ending.aborted) await work(done)
  }
}
