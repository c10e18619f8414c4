/** Visitors who search and book through the entrance while something is done to the cluster, and what the suppliers' ledgers say then. */
import { checkAtRest } from '@passerelle/chaos/at-rest'
import { must, percentiles, say } from '@passerelle/chaos/campaign'
import { ledgersOf, type World } from '@passerelle/chaos/evidence'
import { type Journey, startBookings, type Traveller } from '@passerelle/chaos/journeys'
import { startSearches } from '@passerelle/chaos/load'
import { delay } from '@passerelle/kit/runtime'
import { Visitor } from '@passerelle/local/test-visitor.fixture'
import { forward, kubectl } from './cluster.ts'

/** The entrance of the overlay `local`, with the controller's own certificate. */
export const baseUrl = process.env.BASE_URL || 'https://localhost:30843'
const searchesPerSecond = Number(process.env.SEARCHES || 3)
const bookingsPerSecond = Number(process.env.BOOKINGS || 0.3)
/** A call that takes longer has failed. */
const CALL_MS = 60_000

export type Traffic = { searches: number; calls: number; journeys: Journey[]; failed: number; reasons: Record<string, number> }

type Failure = { at: number; what: string }

/** Each call of a journey, with a deadline; `failed` hears of those without success. */
function traveller(failed: (failure: Failure) => void): Traveller {
  const visitor = new Visitor(baseUrl)
  return {
    async call<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
      const at = performance.now()
      const what = `${method} ${path.split(/[?]|oft_/)[0]}`
      const noAnswer = delay(CALL_MS).then(() => Promise.reject(new Error('no answer')))
      try {
        const answer = await Promise.race([visitor.call<T>(method, path, body, headers), noAnswer])
        if (answer.status >= 300) failed({ at, what: `${what} ${answer.status}` })
        return answer
      } catch (error) {
        failed({ at, what: `${what} ${(error as Error).cause ?? error}` })
        throw error
      }
    },
  }
}

const clock = (at: number) => new Date(performance.timeOrigin + at).toISOString().slice(11, 19)

/** @param insist a call without an outcome is made again with the same key, as the website does; else it counts as failed */
export async function during(work: () => Promise<unknown>, insist = false): Promise<Traffic> {
  const random = Math.random
  const failures: Failure[] = []
  const newcomer = () => traveller((failure) => failures.push(failure))
  const bookings = startBookings(newcomer, { perSecond: bookingsPerSecond, random, searches: 800, insist })
  const searches = startSearches(baseUrl, { perSecond: searchesPerSecond, random, searches: 400 })
  const both = () => Promise.all([bookings.stop(), searches.stop()])
  try {
    await delay(3000)
    await work()
    await delay(3000)
  } catch (error) {
    await both()
    throw error
  }
  const [journeys, searched] = await both()
  const unanswered = searched.filter(({ status }) => status !== 200)
  const reasons: Record<string, number> = {}
  for (const reason of [...unanswered.map(({ status }) => `search ${status}`), ...journeys.flatMap(({ failures }) => failures)])
    reasons[reason] = (reasons[reason] ?? 0) + 1
  const failed = Object.values(reasons).reduce((sum, count) => sum + count, 0)
  say(`traffic: ${searched.length} searches, ${journeys.length} journeys, failed ${failed}`, reasons)
  for (const { at, ms, status, reason } of unanswered) failures.push({ at, what: `search ${status} after ${Math.round(ms)} ms, ${reason}` })
  for (const { at, what } of failures.toSorted((a, b) => a.at - b.at).slice(0, 30)) console.log(`          begun ${clock(at)}: ${what}`)
  say('ms of searches', percentiles(searched))
  if (bookings.dropped + searches.dropped > 0) say('not begun, because too many were under way', bookings.dropped + searches.dropped)
  return { searches: searched.length, calls: searched.length + journeys.length * 4, journeys, failed, reasons }
}

/** Nobody met a failure, and the suppliers did everything once. @returns the figures */
export async function mustBeUnnoticed(work: () => Promise<unknown>): Promise<string> {
  const traffic = await during(work)
  must('no request failed', traffic.failed === 0, traffic.reasons)
  return `${figures(traffic)}, ${await effectsOnce(traffic.journeys)}`
}

export const figures = ({ searches, journeys, failed }: Traffic) =>
  `${failed} failed of ${searches} searches and ${journeys.length} journeys`

/** Waits for rest and holds the databases against the ledgers of airline, cards and mail. @returns the figures */
export async function effectsOnce(journeys?: readonly Journey[]): Promise<string> {
  const simulators = await forward('service/simulators', [8091, 8092, 8093])
  const mongo = await forward('pod/mongo-0', [27017])
  try {
    const password = (await kubectl('exec mongo-0 -- cat /secrets/root')).trim()
    const [duffel = '', stripe = '', mailbox = ''] = simulators.ports.map((port) => `http://127.0.0.1:${port}`)
    const world: World & { url: string } = {
      url: baseUrl,
      ledgers: ledgersOf(duffel, stripe, mailbox),
      mongoUrl: () => `mongodb://root:${password}@127.0.0.1:${mongo.ports[0]}/?directConnection=true&authSource=admin`,
    }
    const { bookings, orders, captures } = await checkAtRest(world, journeys)
    return `${bookings.length} bookings, ${orders.length} orders, ${captures.length} captures in all`
  } finally {
    simulators.close()
    mongo.close()
  }
}
