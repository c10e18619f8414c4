/** The booking and payment services with two replicas each, and what is around them, in one process. */
import type { BookingRecord } from '@passerelle/booking/domain/booking'
import { AppError } from '@passerelle/contracts/error'
import type { Contract, Route } from '@passerelle/contracts/route'
import { DEFAULT_BRAND_KEY, defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { toAppError } from '@passerelle/kit/failures'
import { Reply } from '@passerelle/kit/http'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { startRelay } from '@passerelle/kit/outbox'
import type { ServiceDefinition } from '@passerelle/kit/service'
import { startWorker } from '@passerelle/kit/worker'
import type { Payment } from '@passerelle/payment/domain/payment'
import mongoose, { type Connection } from 'mongoose'
import { MemoryBus } from './bus.ts'
import { CONFIGURATION } from './configuration.ts'
import type { Mounted } from './edges/http.ts'
import type { Process } from './events.ts'
import { Outside } from './outside.ts'
import { type Carry, MemoryDatabases, memoryConnection } from './store.ts'
import type { World } from './world.ts'

export type StoredBooking = BookingRecord & { outboxPending?: boolean }
export type StoredPayment = Omit<Payment, 'id'> & { _id: string; outboxPending?: boolean }

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
  readonly databases = new MemoryDatabases()
  readonly bus: MemoryBus
  readonly outside: Outside
  /** What operators would be told. */
  readonly alarms: string[] = []
  /** States of bookings and payments that were reached, and how. */
  readonly transitions = new Set<string>()
  readonly #world: World
  readonly #definitions: readonly ServiceDefinition[]
  readonly #alive: Process[] = []
  readonly #handlers = new Map<Process, Mounted[]>()
  readonly #states = new Map<string, string>()

  constructor(world: World, definitions: readonly ServiceDefinition[]) {
    running = this
    this.#world = world
    this.#definitions = definitions
    this.bus = new MemoryBus(world)
    this.outside = new Outside(world, this)
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
      if (state === 'FAILED') this.outside.judgeTicket(_id, 'that was written')
      this.transitions.add(`${db}: ${before ?? ''} -> ${state}`)
      this.#world.tell(`${_id} ${before ? `${before} -> ` : ''}${state}`)
    }
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
    if (api.service === 'search') return asJson(this.outside.search(name, input as never))
    if (api.service === 'brand') return asJson({ key: DEFAULT_BRAND_KEY, version: 1, brand: defaultBrand })
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
