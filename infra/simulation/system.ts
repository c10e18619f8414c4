/** The booking and payment services with two replicas each, and what is around them, in one process. */
import { createHmac } from 'node:crypto'
import { quote } from '@passerelle/booking/domain/booking.fixture'
import { AppError } from '@passerelle/contracts/error'
import type { Contract, Route } from '@passerelle/contracts/route'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { Reply, toAppError } from '@passerelle/kit/http'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { startRelay } from '@passerelle/kit/outbox'
import type { ServiceDefinition } from '@passerelle/kit/service'
import { testCaller } from '@passerelle/kit/testing'
import { startWorker } from '@passerelle/kit/worker'
import mongoose, { type Connection } from 'mongoose'
import { memoryAirline, PENALTY } from './airline.ts'
import { MemoryBus } from './bus.ts'
import { memoryCardProvider } from './card-provider.ts'
import type { Mounted } from './edges/http.ts'
import { type LedgerIntent, type LedgerMail, Ledgers } from './ledgers.ts'
import { type Carry, MemoryDatabases, memoryConnection } from './store.ts'
import type { Process, World } from './world.ts'

export type StoredBooking = {
  _id: string
  version: number
  state: string
  paymentId: string
  orderId: string | null
  open: boolean
  pendingCancellation: boolean
  outboxPending?: boolean
  charge: { minor: number; currency: string }
  refund: { kind: string; minor: number; refundedAt: Date | null } | null
  idempotencyKey: string
  attentionSince?: Date | null
}
export type StoredPayment = {
  _id: string
  state: string
  bookingId: string | null
  amountMinor: number
  outboxPending?: boolean
  dueAt: Date | null
  refund: { failed: boolean } | null
  closed: boolean
}

const WEBHOOK_SECRET = 'whsec_simulation'
const KEY = Buffer.alloc(32, 7).toString('base64')
const URLS = {
  SEARCH_URL: 'http://search',
  PAYMENT_URL: 'http://payment',
  BRAND_URL: 'http://brand',
  PUBLIC_URL: 'https://flights.example',
}
/** Shorter than in production, so that a run has fewer idle hours. */
const CONFIGURATION: Record<string, object> = {
  booking: {
    ...URLS,
    DOCUMENT_KEY: KEY,
    DUFFEL_TEST_TOKEN: 'duffel_test_simulation',
    ORDER_LONGEST_MS: 30_000,
    SMTP_URL: 'smtp://mail',
    MAIL_FROM: 'desk@flights.example',
  },
  payment: {
    ...URLS,
    HASH_KEY: KEY,
    STRIPE_TEST_KEY: 'sk_test_simulation',
    STRIPE_TEST_WEBHOOK_SECRET: WEBHOOK_SECRET,
    HOLD_IDLE_SECONDS: 40,
    HOLD_SECONDS: 150,
  },
}
const REPLICAS = 2

const metrics = createMetrics('simulation')
let running: System | undefined

/** Connections and models are the same for every run; only what is stored is new. */
const connections = new Map<string, Connection>()
function connectionOf(name: string): Connection {
  const known = connections.get(name)
  if (known) return known
  const source = { databases: () => system().databases, carry: ((...given) => system().carry(...given)) as Carry }
  const made = memoryConnection(name, source)
  connections.set(name, made)
  return made
}

export class System {
  readonly ledgers = new Ledgers()
  readonly databases = new MemoryDatabases()
  readonly bus: MemoryBus
  readonly airline
  readonly cards
  /** What operators would be told. */
  readonly alarms: string[] = []
  /** States of bookings and payments that were reached, and how. */
  readonly transitions = new Set<string>()
  readonly #world: World
  readonly #definitions: readonly ServiceDefinition[]
  readonly #alive: Process[] = []
  readonly #handlers = new Map<Process, Mounted[]>()
  readonly #states = new Map<string, string>()
  #requotes = 0

  constructor(world: World, definitions: readonly ServiceDefinition[]) {
    running = this
    this.#world = world
    this.#definitions = definitions
    this.bus = new MemoryBus(world)
    const about = { ledgers: this.ledgers, now: () => world.now, behaviourAt: (point: string) => world.behaviourAt(point) }
    this.airline = memoryAirline({ ...about, onOrder: ({ id, bookingId }) => this.#judgeTicket(bookingId, `${id} was made`) })
    this.cards = memoryCardProvider({
      ...about,
      emit: (type, intent) => this.#sendWebhook(type, intent),
      onCapture: (intent) => this.#judgeCapture(intent),
    })
    world.onCrash = (process) => {
      this.#alive.splice(this.#alive.indexOf(process), 1)
      world.after(500 + world.chance.next() * 6000, () => this.#start(process.service, process.replica))
    }
  }

  startAll(): void {
    for (const { name } of this.#definitions) for (let replica = 1; replica <= REPLICAS; replica++) this.#start(name, replica)
  }

  named(name: string): Process | undefined {
    return this.#alive.find((process) => process.name === name)
  }

  get bookings(): StoredBooking[] {
    return this.databases.all('booking', 'bookings')
  }

  get payments(): StoredPayment[] {
    return this.databases.all('payment', 'payments')
  }

  #start(name: string, replica: number): void {
    const definition = this.#definitions.find((one) => one.name === name) as ServiceDefinition
    const skewMs = this.#world.chance.int(-300, 300)
    const process: Process = { name: `${name}-${replica}`, service: name, replica, alive: true, skewMs, frozenUntil: 0, onDeath: [] }
    this.#alive.push(process)
    void this.#world
      .in(process, () => this.#serve(definition, process))
      .catch((error) => {
        this.#world.tell(`${process.name} did not start: ${error}`)
        this.#world.crash(process)
      })
  }

  /** What `start` of the kit does, without sockets. */
  async #serve(definition: ServiceDefinition, process: Process): Promise<void> {
    const write = (line: string) => {
      const { msg, ...about } = JSON.parse(line) as Record<string, unknown>
      this.alarms.push(String(msg))
      this.#world.tell(`${process.name} alarms: ${msg} ${String(about.rule ?? about.state ?? '')}`)
    }
    const log = createLog(definition.name, 'error', { write })
    const mongo = connectionOf(definition.name)
    const config = definition.config.parse(CONFIGURATION[definition.name]) as never
    const parts = await definition.setup({
      config,
      log,
      metrics,
      mongo,
      cache: undefined as never,
      tokens: undefined as never,
      http: undefined as never,
    })
    this.#prepareIndexes(definition.name, mongo)
    await parts.prepare?.()
    this.#handlers.set(process, parts.routers as unknown as Mounted[])
    for (const consumer of parts.consumers ?? []) this.bus.consume(consumer, mongo, { log, metrics })
    for (const worker of parts.workers ?? []) startWorker(worker, log)
    for (const outbox of parts.outboxes ?? []) startRelay(outbox, this.bus.publisher(definition.name), log, metrics)
  }

  #prepareIndexes(db: string, mongo: Connection): void {
    for (const model of Object.values(mongo.models))
      for (const [key, options] of model.schema.indexes()) {
        const { unique, partialFilterExpression } = options
        const name = Object.entries(key).flat().join('_')
        this.databases.command(db, 'createIndexes', model.collection.name, {
          indexes: [{ key, name, ...(unique && { unique }), ...(partialFilterExpression && { partialFilterExpression }) }],
        })
      }
  }

  carry: Carry = ({ db, collection, operation, filter }, run) =>
    this.#world.cross(
      `${db}.${collection}.${kindOf(operation, filter)}`,
      () => {
        const reply = run()
        if (!operation.startsWith('find') || operation === 'findOneAndUpdate') this.#noteStates(db, collection)
        return reply
      },
      { lost: () => new mongoose.mongo.MongoNetworkError('the connection was lost'), latency: [0.5, 6] },
    )

  #noteStates(db: string, collection: string): void {
    if (collection !== 'bookings' && collection !== 'payments') return
    for (const { _id, state } of this.databases.all<{ _id: string; state: string }>(db, collection)) {
      const before = this.#states.get(_id)
      if (before === state) continue
      this.#states.set(_id, state)
      this.#world.stir()
      if (state === 'FAILED') this.#judgeTicket(_id, 'that was written')
      this.transitions.add(`${db}: ${before ?? ''} -> ${state}`)
      this.#world.tell(`${_id} ${before ? `${before} -> ` : ''}${state}`)
    }
  }

  receiveMail(mail: LedgerMail): void {
    this.#world.tell(`mail ${mail.key}`)
    this.ledgers.mails.push(mail)
  }

  /** A call over HTTP, to any replica that listens. */
  call(api: Contract, name: string, input: { caller: object } & object): Promise<unknown> {
    const route = api.routes[name] as Route
    const lost = (how: 'reset' | 'timeout') => new AppError(how === 'timeout' ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNAVAILABLE')
    return this.#world.cross(`${api.service}.${name}`, () => this.#handle(api, name, input), {
      lost,
      timeoutMs: route.timeoutMs ?? 15_000,
      repeatable: true,
    })
  }

  async #handle(api: Contract, name: string, input: object): Promise<unknown> {
    if (api.service === 'search') return asJson(this.#search(name, input as never))
    if (api.service === 'brand') return asJson({ key: 'default', version: 1, brand: defaultBrand })
    const replicas = this.#alive.filter((process) => process.service === api.service && this.#handlers.has(process))
    if (replicas.length === 0) throw new AppError('UPSTREAM_UNAVAILABLE')
    const target = this.#world.chance.pick(replicas)
    const handler = this.#handlers.get(target)?.find((mounted) => mounted.api === api)?.handlers[name]
    if (!handler) throw new Error(`${api.service} has no ${name}`)
    const log = createLog(api.service, 'silent')
    const died = new Promise<never>((_, reject) => target.onDeath.push(() => reject(new AppError('UPSTREAM_UNAVAILABLE'))))
    const call = {
      log,
      header: () => undefined,
      signal: new AbortController().signal,
      idempotencyKey: null,
      params: undefined,
      query: undefined,
      body: undefined,
      ...input,
    }
    try {
      const result = await Promise.race([this.#world.in(target, () => handler(call)), died])
      return asJson(result)
    } catch (error) {
      const known = toAppError(error)
      throw known.code === 'INTERNAL_ERROR' ? new AppError('UPSTREAM_UNAVAILABLE', { cause: known }) : known
    }
  }

  #search(name: string, { params }: { params: { id: string } }): unknown {
    if (name !== 'quote' && name !== 'requote') return undefined
    if (name === 'requote') this.#requotes += 1
    const offerId = `off_${params.id}${name === 'requote' ? `_${this.#requotes}` : ''}`
    const conditions = { ...quote.offer.conditions, refund: { allowed: true, penalty: PENALTY } }
    return { ...quote, offer: { ...quote.offer, id: params.id, conditions }, supplier: { ...quote.supplier, offerId } }
  }

  /** The provider tells of what happened: some time later, in any order, and now and then twice. */
  #sendWebhook(type: string, intent: LedgerIntent): void {
    const { chance } = this.#world
    const id = `evt_${intent.id}_${type}`
    const payload = JSON.stringify({
      id,
      object: 'event',
      type,
      data: { object: { object: 'payment_intent', id: intent.id, metadata: { payment_id: intent.paymentId } } },
    })
    const deliver = () => void this.deliverWebhook(payload)
    this.#world.after(50 + chance.next() ** 3 * 20_000, deliver)
    if (chance.is(0.2)) this.#world.after(50 + chance.next() * 30_000, deliver)
  }

  async deliverWebhook(payload: string): Promise<void> {
    const { paymentApi } = await import('@passerelle/contracts/http/payment')
    // The signature's age is judged by the machine's own clock.
    const at = Math.floor(Date.now() / 1000)
    const signature = `t=${at},v1=${createHmac('sha256', WEBHOOK_SECRET).update(`${at}.${payload}`).digest('hex')}`
    const input = { caller: testCaller(), params: { mode: 'test' }, body: Buffer.from(payload), header: () => signature }
    await this.call(paymentApi, 'webhook', input).catch(() => undefined)
  }

  /** I1, at the only moment at which it can be judged. */
  #judgeCapture({ id, paymentId }: LedgerIntent): void {
    const bookingId = this.payments.find(({ _id }) => _id === paymentId)?.bookingId
    const order = this.ledgers.orders.find((one) => one.bookingId === bookingId && one.cancelledAt === null)
    this.#world.tell(`${id} is captured`)
    if (!order) this.ledgers.breaches.push(`I1 ${id} was captured while booking ${bookingId} had no order`)
  }

  /** I6 without the help of the sweep for orders that no booking stands for. */
  #judgeTicket(bookingId: string, when: string): void {
    const booking = this.bookings.find(({ _id }) => _id === bookingId)
    const order = this.ledgers.orders.find((one) => one.bookingId === bookingId && one.cancelledAt === null)
    if (booking?.state === 'FAILED' && order)
      this.ledgers.breaches.push(`I6 booking ${bookingId} was FAILED with the live ${order.id} when ${when}`)
  }
}

export function system(): System {
  if (!running) throw new Error('there is no simulation under way')
  return running
}

function kindOf(operation: string, filter: object): string {
  if (operation.startsWith('find') && operation !== 'findOneAndUpdate') return 'read'
  if (operation.startsWith('insert')) return 'insert'
  if ('version' in filter) return 'change'
  if ('leaseUntil' in filter || 'dueAt' in filter || 'nextAt' in filter) return 'claim'
  return 'write'
}

/** As it comes over the wire. */
function asJson(result: unknown): unknown {
  if (!(result instanceof Reply)) return result === undefined ? undefined : JSON.parse(JSON.stringify(result))
  const { content } = result
  const body =
    'json' in content ? JSON.parse(String(content.json)) : 'body' in content ? JSON.parse(JSON.stringify(content.body)) : undefined
  return result.status !== undefined && result.status >= 400 ? Promise.reject(new AppError(body.error, { message: body.message })) : body
}
