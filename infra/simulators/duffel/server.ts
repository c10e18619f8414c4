/** The Duffel simulator: the flight supplier's API over HTTP on the loopback interface, for development and tests. */
import express, { type RequestHandler } from 'express'
import { ControlRefusal, createControl, listenLocally } from '../control.ts'
import { type Case, openCases, readCase } from './cases.ts'
import { allowance, checkHeaders, unknownRoute, writeError } from './envelope.ts'
import { ApiError, errorBodyForStatus } from './errors.ts'
import { legsOf } from './generator/offers.ts'
import { flightKey } from './generator/seat-maps.ts'
import { randomText } from './hash.ts'
import { countArrivals, ledgerOf } from './ledger.ts'
import { currencies } from './money.ts'
import { findOffer } from './offers.ts'
import { findOrder } from './orders.ts'
import { duffelRoutes } from './routes.ts'
import { openState } from './state.ts'
import type { World } from './world.ts'

export type DuffelSimulatorOptions = {
  /** 0 takes any free port. */
  port?: number
  /** Loopback unless told; containers listen for their neighbours. */
  host?: string
  /** SQLite file; absent: everything is forgotten when the simulator stops. */
  dataFile?: string
  /** Fixes the flights, prices and seats of every search. */
  seed?: number
  /** How long a search or an order takes; other requests take a quarter of it. */
  latencyMs?: number
  /** EUR, USD, GBP or JPY: for searches that start outside Japan, the United Kingdom and the United States. */
  currency?: string
  /** Requests in a minute before 429. */
  requestsPerMinute?: number
}

export const startDuffelSimulator = async (
  options: DuffelSimulatorOptions = {},
): Promise<{ url: string; port: number; stop: () => Promise<void> }> => {
  const { seed = 1, latencyMs = 0, currency = 'EUR', requestsPerMinute = 60_000 } = options
  if (!currencies.includes(currency)) throw new Error(`currency is one of ${currencies.join(', ')}`)
  const state = openState(options.dataFile)
  const world: World = { state, cases: openCases(state), seed, currency, drafts: new Map(), now: () => control.clock.now().getTime() }
  const control = createControl({
    seed,
    clockOffsetMs: Number(state.getMeta('clockOffsetMs') ?? 0),
    onClock: (offsetMs) => void state.setMeta('clockOffsetMs', String(offsetMs)),
    ledger: () => ledgerOf(world),
    reset: () => {
      state.wipe()
      world.cases.clear()
      world.drafts.clear()
    },
    cases: (body) => runCase(world, body),
    errorBody: (status) => errorBodyForStatus(status, `F${randomText(19)}`),
  })
  const wait =
    (ms: number): RequestHandler =>
    async (_req, _res, next) => {
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
      next()
    }

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(control.router)
  app.use(countArrivals(world))
  app.use(allowance(requestsPerMinute))
  app.use(express.json({ limit: '1mb' }))
  app.use(control.faults)
  app.use(checkHeaders)
  app.use(duffelRoutes(world, { search: wait(latencyMs), order: wait(latencyMs), read: wait(latencyMs / 4) }))
  app.use(unknownRoute)
  app.use(writeError)
  const server = await listenLocally(app, options.port ?? 0, options.host)
  return {
    url: server.url,
    port: server.port,
    stop: async () => {
      await server.stop()
      state.close()
    },
  }
}

/** POST `/_sim/cases`. A seat that is named on an offer, and a schedule change of an order, happen at once; other cases wait. */
const runCase = (world: World, body: unknown): unknown => {
  const name = (body as { case?: unknown } | null)?.case
  if (name === 'clear') world.cases.clear()
  if (name === 'list' || name === 'clear') return { waiting: world.cases.list() }
  const one = readCase(body, Number(world.state.getMeta('nextCase') ?? 1))
  world.state.setMeta('nextCase', String(one.id + 1))
  try {
    if (one.case === 'seat-taken' && one.designator !== undefined) return takeSeat(world, one)
    if (one.case === 'schedule-change') return changeSchedule(world, one)
    if (one.offerId !== undefined) findOffer(world, one.offerId)
  } catch (error) {
    if (error instanceof ApiError) throw new ControlRefusal('no such offer or order')
    throw error
  }
  world.cases.add(one)
  return { case: one, waiting: world.cases.list() }
}

const takeSeat = (world: World, one: Case) => {
  if (one.offerId === undefined) throw new ControlRefusal('a named seat needs offerId')
  const flights = legsOf(findOffer(world, one.offerId).draft).map(({ leg }) => flightKey(leg.flight))
  const taken = one.segment === undefined ? flights : flights.slice(one.segment, one.segment + 1)
  for (const flight of taken) world.state.sellSeat(flight, one.designator!, null)
  return { taken: taken.map((flight) => ({ flight, designator: one.designator })) }
}

const changeSchedule = (world: World, one: Case) => {
  if (one.orderId === undefined) throw new ControlRefusal('schedule-change needs orderId')
  const order = findOrder(world, one.orderId)
  world.state.updateOrder({ ...order, facts: { ...order.facts, scheduleChange: true } })
  return { changed: order.id }
}
