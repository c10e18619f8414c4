/** The Duffel simulator: the flight supplier's API over HTTP on the loopback interface, for development and tests. */
import express, { type RequestHandler } from 'express'
import { ControlRefusal, createControl, listenLocally } from '../control.ts'
import { type Webhook, WebhookSender } from '../webhooks.ts'
import { changeSchedule } from './airline-changes.ts'
import { openCases, readCase } from './cases.ts'
import { allowance, checkHeaders, unknownRoute, writeError } from './envelope.ts'
import { ApiError, errorBodyForStatus } from './errors.ts'
import { legsOf } from './generator/offers.ts'
import { flightKey } from './generator/seat-maps.ts'
import { randomText } from './hash.ts'
import { countArrivals, ledgerOf } from './ledger.ts'
import { findOffer } from './offers.ts'
import { duffelRoutes } from './routes.ts'
import { openState } from './state.ts'
import type { World } from './world.ts'

export type DuffelSimulatorOptions = {
  /** 0 takes any free port. */
  port?: number
  /** Loopback by default; containers listen for their neighbours. */
  host?: string
  /** SQLite file; absent: everything is forgotten when the simulator stops. */
  dataFile?: string
  /** Fixes the flights, prices and seats of every search. */
  seed?: number
  /** How long a search or an order takes; other requests take a quarter of it. */
  latencyMs?: number
  /** Takes tokens of live mode only. */
  live?: boolean
  /** Where signed notices go. */
  webhook?: Webhook
}

export const startDuffelSimulator = async (
  options: DuffelSimulatorOptions = {},
): Promise<{ url: string; port: number; stop: () => Promise<void> }> => {
  const { seed = 1, latencyMs = 0, live = false } = options
  const state = openState(options.dataFile)
  const sender = options.webhook && new WebhookSender(state.documents, options.webhook, 'x-duffel-signature')
  const world: World = {
    state,
    cases: openCases(state),
    seed,
    drafts: new Map(),
    notify: (type, object, key) => {
      const created_at = control.clock.now().toISOString()
      const about = { api_version: 'v2', type, data: { object }, live_mode: live, idempotency_key: key, created_at }
      sender?.enqueue({ id: `wev_0000${randomText(18)}`, ...about })
      // After the transaction that it was written in.
      setImmediate(() => sender?.wake())
    },
    now: () => control.clock.now().getTime(),
  }
  const control = createControl({
    seed,
    clockOffsetMs: Number(state.documents.setting('clockOffsetMs') ?? 0),
    onClock: (offsetMs) => state.documents.setSetting('clockOffsetMs', String(offsetMs)),
    ledger: () => ledgerOf(world),
    reset: () => {
      state.documents.wipe()
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
  app.use(allowance)
  app.use(express.json({ limit: '1mb' }))
  app.use(control.faults)
  app.use(checkHeaders(live ? 'duffel_live_' : 'duffel_test_'))
  app.use(duffelRoutes(world, { search: wait(latencyMs), order: wait(latencyMs), read: wait(latencyMs / 4) }))
  app.use(unknownRoute)
  app.use(writeError)
  const server = await listenLocally(app, options.port ?? 0, options.host)
  sender?.wake()
  return {
    url: server.url,
    port: server.port,
    stop: async () => {
      await server.stop()
      await sender?.stop()
      state.documents.close()
    },
  }
}

/** POST `/_sim/cases`. A seat that is named on an offer is taken at once; other cases wait. */
const runCase = (world: World, body: unknown): unknown => {
  const name = (body as { case?: unknown } | null)?.case
  if (name === 'clear') world.cases.clear()
  if (name === 'list' || name === 'clear') return { waiting: world.cases.list() }
  if (name === 'schedule-change') return changeNow(world, body as Record<string, unknown>)
  const one = readCase(body)
  if (one.designator !== undefined) {
    if (one.case !== 'seat-taken' || one.offerId === undefined) throw new ControlRefusal('designator goes with seat-taken and offerId')
    const flights = legsOf(offerOf(world, one.offerId).draft).map(({ leg }) => flightKey(leg.flight))
    for (const flight of flights) world.state.sellSeat(flight, one.designator)
    return { taken: flights.map((flight) => ({ flight, designator: one.designator })) }
  }
  if (one.offerId !== undefined) offerOf(world, one.offerId)
  world.cases.add(one)
  return { case: one, waiting: world.cases.list() }
}

/** `{ case: 'schedule-change', order, minutes, slice? }`: the airline moves a slice of an order that exists, at once. */
const changeNow = (world: World, { order: id, minutes, slice = 0 }: Record<string, unknown>) => {
  const order = world.state.orderById(String(id))
  const change = order && Number.isInteger(minutes) ? changeSchedule(world, order, Number(minutes), Number(slice)) : undefined
  if (!change) throw new ControlRefusal('schedule-change names an order that exists, its minutes, and one of its slices')
  return change
}

const offerOf = (world: World, id: string) => {
  try {
    return findOffer(world, id)
  } catch (error) {
    if (error instanceof ApiError) throw new ControlRefusal('no such offer')
    throw error
  }
}
