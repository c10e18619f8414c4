/**
 * A strict, stateful stand-in for Stripe's API, for development and tests: the unmodified `stripe` client talks to it over HTTP.
 * README.md lists what it knows; `../control.ts` what tests can do to it.
 */
import { randomUUID } from 'node:crypto'
import express from 'express'
import { createControl, listenLocally } from '../control.ts'
import { openDocuments } from '../documents.ts'
import { type Webhook, WebhookSender } from '../webhooks.ts'
import { runCase } from './cases.ts'
import { errorBodyOf } from './error.ts'
import { hostedFields } from './hosted-fields.ts'
import { createInProgressGuard } from './idempotency.ts'
import { ledgerOf } from './ledger.ts'
import { expireHolds } from './payment-intents.ts'
import { answer } from './requests.ts'
import { API_VERSION, createEmitter, createIds, type World } from './world.ts'

export type StripeSimulator = { url: string; port: number; stop(): Promise<void> }

/**
 * @param options.port 0, the default, takes any free port.
 * @param options.dataFile a SQLite file that keeps everything across restarts and kills; absent: in memory.
 * @param options.webhook where signed events go.
 * @param options.live accepts keys of live mode only, and serves hosted fields.
 * @param options.seed fixes ids and the dice of faults; absent: ids differ from run to run.
 */
export const startStripeSimulator = async (
  options: { port?: number; host?: string; dataFile?: string; webhook?: Webhook; live?: boolean; seed?: string | number } = {},
): Promise<StripeSimulator> => {
  const documents = openDocuments(options.dataFile)
  const sender = options.webhook && new WebhookSender(documents, options.webhook, 'stripe-signature')
  const seed = options.seed ?? randomUUID()
  const requests = new Map<string, number>()

  const control = createControl({
    seed,
    ledger: () => {
      documents.transaction(() => expireHolds(world))
      return ledgerOf(documents, requests)
    },
    reset: () => {
      documents.wipe()
      requests.clear()
      world.storedErrors = 0
    },
    cases: (body) => {
      const result = runCase(world, body)
      sender?.wake()
      return result
    },
    clockOffsetMs: Number(documents.setting('clock') ?? 0),
    onClock: (offsetMs) => {
      documents.transaction(() => {
        documents.setSetting('clock', String(offsetMs))
        expireHolds(world)
      })
      sender?.wake()
    },
    errorBody: errorBodyOf,
    // The event of the next request is sent `ms` later.
    effects: ['webhook-late'],
  })

  const world: World = {
    documents,
    livemode: options.live ?? false,
    now: () => Math.floor(control.clock.now().getTime() / 1000),
    newId: createIds(seed, documents),
    emit: createEmitter(() => world, sender && ((event) => sender.enqueue(event, control.take('webhook-late')?.ms))),
    storedErrors: 0,
    request: undefined,
  }

  const app = express()
  const inProgress = createInProgressGuard()
  app.disable('x-powered-by').disable('etag')
  app.use(control.router)
  app.set('query parser', 'extended')
  app.use(express.urlencoded({ extended: true, limit: '1mb' }))
  app.use((req, res, next) => {
    const name = `${req.method} ${req.path.replace(/(?<=\/)pi_[^/]+/, ':id')}`
    requests.set(name, (requests.get(name) ?? 0) + 1)
    res.locals.requestId = `req_${randomUUID().replaceAll('-', '').slice(0, 14)}`
    res.set({ 'request-id': res.locals.requestId, 'stripe-version': req.get('stripe-version') ?? API_VERSION })
    next()
  })
  app.use(inProgress.guard)
  app.use(control.faults)
  if (world.livemode) app.use(hostedFields(world, () => sender?.wake()))
  app.use((req, res) => {
    const idempotencyKey = req.get('idempotency-key')
    const result = answer(world, {
      method: req.method,
      path: req.path,
      form: req.method === 'GET' ? req.query : (req.body ?? (Number(req.get('content-length') ?? 0) === 0 ? {} : undefined)),
      authorization: req.get('authorization'),
      idempotencyKey,
      requestId: res.locals.requestId,
    })
    if (idempotencyKey !== undefined) inProgress.done(idempotencyKey)
    sender?.wake()
    res.status(result.status).set(result.headers).type('json').send(result.body)
  })
  app.use(((error, _req, res, _next) => {
    console.error(error)
    res.status(error.status ?? 500).json(errorBodyOf(error.status ?? 500))
  }) as express.ErrorRequestHandler)

  const listener = await listenLocally(app, options.port, options.host).catch((error) => {
    documents.close()
    throw error
  })
  sender?.wake()
  const shutDown = async () => {
    await listener.stop()
    await sender?.stop()
    documents.close()
  }
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= shutDown()
    return stopped
  }
  return { url: listener.url, port: listener.port, stop }
}
