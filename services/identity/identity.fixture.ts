/** The identity service with its neighbours for a test: a booking and a brand service that answer what identity asks, and a mailbox. */
import { createHash } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '@passerelle/contracts/error'
import { bookingConfirmed } from '@passerelle/contracts/events/booking'
import type { BookingContact } from '@passerelle/contracts/http/booking-contact'
import { ENDED_SESSIONS_HEADER, SESSION_HEADER, type SessionState } from '@passerelle/contracts/http/identity'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { type Caller, TOKEN_HEADER, type Tokens } from '@passerelle/kit/auth'
import { type Bus, connectBus } from '@passerelle/kit/bus'
import { kafkaClient } from '@passerelle/kit/kafka'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { connectMongo } from '@passerelle/kit/mongo'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import { delay } from '@passerelle/kit/runtime'
import { type RunningService, start } from '@passerelle/kit/service'
import { createTestKeys } from '@passerelle/kit/testing'
import { testServers } from '@passerelle/servers/test/test-servers'
import { type Mailbox, startMailbox } from '@passerelle/simulators/mailbox/server'
import express from 'express'
import type { Connection } from 'mongoose'
import { identity } from './service.ts'

export const ADMIN_PASSWORD = 'First-Admin-1234'
const silent = createLog('test', 'silent')

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export type Answer<T = Record<string, unknown>> = {
  status: number
  body: T & { error?: string; message?: string }
  headers: Headers
  /** What the gateway is told of a new session. */
  session: { token: string; id: string; maxAgeSeconds: number } | null
  endedSessions: string[]
}

export type Neighbours = {
  url: string
  bookings: Map<string, BookingContact>
  /** Both answer 503. */
  away: boolean
  /** Answers wait for it. */
  held: Promise<void> | null
  stop(): Promise<void>
}

async function startNeighbours(tokens: Tokens): Promise<Neighbours> {
  const app = express()
  const neighbours: Neighbours = { url: '', bookings: new Map(), away: false, held: null, stop: async () => undefined }
  app.use((_request, _response, next) => next(neighbours.away ? new AppError('UPSTREAM_UNAVAILABLE') : undefined))
  app.get('/internal/bookings/:id/contact', async (request, response) => {
    await tokens.verify(request.get(TOKEN_HEADER), 'booking')
    await neighbours.held
    const contact = neighbours.bookings.get(request.params.id)
    if (!contact) throw new AppError('BOOKING_NOT_FOUND')
    response.json(contact)
  })
  app.get('/internal/brands/:key', async (request, response) => {
    await tokens.verify(request.get(TOKEN_HEADER), 'brand')
    const name = request.params.key === 'default' ? defaultBrand.name : `Brand ${request.params.key}`
    response.json({
      key: request.params.key,
      version: 1,
      markupPercent: 23,
      brand: { ...defaultBrand, name, domain: request.params.key },
    })
  })
  app.use(((error: AppError, _request, response, _next) => {
    response.status(error.status ?? 500).json(error.toBody?.('neighbour') ?? { error: 'INTERNAL_ERROR', message: '', requestId: '' })
  }) as express.ErrorRequestHandler)
  const server = await new Promise<Server>((done) => {
    const listening = app.listen(0, '127.0.0.1', () => done(listening))
  })
  neighbours.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  neighbours.stop = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return neighbours
}

export type World = {
  service: RunningService
  neighbours: Neighbours
  mailbox: Mailbox
  /** A collection of the service's own database, to look at and to let time pass. */
  collection(name: 'users' | 'sessions' | 'links' | 'failures' | 'mails' | 'audit'): ReturnType<Connection['collection']>
  /** The service's own database, as an operator's command reaches it. */
  environment: Record<string, string>
  /** A second process of the service on the same database, until the world stops or it is stopped. */
  replica(environment?: Record<string, string>): Promise<RunningService>
  /** Text of every answer so far, headers included. */
  answered: string[]
  /** `at`: another process of the service. */
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown, caller?: Partial<Caller>, at?: string): Promise<Answer<T>>
  headers(caller?: Partial<Caller>, audience?: string): Promise<Record<string, string>>
  resolve(sessionId: string): Promise<Answer<SessionState>>
  /** A guest's booking as the booking service keeps it. */
  book(email: string, more?: Partial<BookingContact>): string
  /** What the booking service publishes when the airline has issued the order. */
  confirm(bookingId: string, userId?: string | null): Promise<void>
  mailsTo(email: string): Promise<{ subject: string; text: string; from: { name: string; address: string } }[]>
  /** Every event that identity has published. */
  published(): Promise<{ type: string; key: string; data: Record<string, unknown> }[]>
  stop(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const [servers, keys, mailbox] = await Promise.all([testServers(), createTestKeys(), startMailbox()])
  const { MONGO_URL, KAFKA_BROKERS, NAMESPACE } = servers.environment
  const neighbours = await startNeighbours(keys.tokens)
  const environment = {
    ...servers.environment,
    ...keys.environment('identity'),
    LOG_LEVEL: 'silent',
    BOOKING_URL: neighbours.url,
    BRAND_URL: neighbours.url,
    PUBLIC_URL: 'http://localhost:8080',
    SMTP_URL: mailbox.smtpUrl,
    FIRST_ADMIN_PASSWORD: ADMIN_PASSWORD,
  }
  const service = await start(identity, environment)
  const replicas: RunningService[] = []
  const mongo = await connectMongo(MONGO_URL, `${NAMESPACE}identity`, silent)
  const bus = await connectBus({
    brokers: KAFKA_BROKERS,
    clientId: 'booking',
    namespace: NAMESPACE,
    log: silent,
    metrics: createMetrics('test'),
    onFatal: (error) => {
      throw error
    },
  })
  const answered: string[] = []
  let bookings = 0

  const world: World = {
    service,
    neighbours,
    mailbox,
    collection: (name) => mongo.collection(name),
    answered,
    headers: (caller = {}, audience = 'identity') => keys.headers(audience, caller),
    environment,
    async replica(more = {}) {
      const one = await start(identity, { ...environment, ...more })
      replicas.push(one)
      return one
    },
    async call(method, path, body, caller = {}, at = service.url) {
      const response = await fetch(at + path, {
        method,
        headers: { ...(await world.headers(caller)), ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      answered.push(`${text} ${JSON.stringify([...response.headers])}`)
      const [word, token = '', seconds] = (response.headers.get(SESSION_HEADER) ?? '').split(' ')
      return {
        status: response.status,
        body: JSON.parse(text),
        headers: response.headers,
        session: word === 'new' ? { token, id: sha256(token), maxAgeSeconds: Number(seconds) } : null,
        endedSessions: (response.headers.get(ENDED_SESSIONS_HEADER) ?? '').split(',').filter(Boolean),
      }
    },
    resolve: (sessionId) => world.call('GET', `/internal/sessions/${sessionId}`),
    book(email, more = {}) {
      const bookingId = `bk_${++bookings}`
      neighbours.bookings.set(bookingId, {
        bookingId,
        reference: `K7TM2P${String(bookings).padStart(2, '0')}`,
        brand: 'default',
        email,
        firstName: 'Inès',
        lastName: 'Moreau',
        userId: null,
        status: 'confirmed',
        ...more,
      })
      return bookingId
    },
    confirm: (bookingId, userId = null) => publishConfirmed(bus, neighbours.bookings.get(bookingId), userId),
    async mailsTo(email) {
      const ledger = (await (await fetch(`${mailbox.url}/_sim/ledger`)).json()) as {
        messages: { to: string[]; subject: string; text: string; from: { name: string; address: string } }[]
      }
      return ledger.messages.filter((message) => message.to.some((to) => to.toLowerCase() === email.toLowerCase()))
    },
    published: () => eventsIn(KAFKA_BROKERS, `${NAMESPACE}identity.events`),
    async stop() {
      await Promise.all([service, ...replicas].map((one) => one.stop()))
      await bus.stop()
      await mongo.close()
      await Promise.all([neighbours.stop(), mailbox.stop()])
      await servers.stop()
    },
  }
  return world
}

async function publishConfirmed(bus: Bus, booking: BookingContact | undefined, userId: string | null): Promise<void> {
  if (!booking) throw new Error('no such booking')
  const { bookingId, reference, brand } = booking
  const data = { bookingId, reference, brand, mode: 'test' as const, paymentId: 'pay_1', userId, amountMinor: 27_400, currency: 'EUR' }
  await bus.publish([createOutboxEvent(bookingConfirmed, data, { sequence: 1, at: new Date(), requestId: 'test-request' })])
}

async function eventsIn(brokers: string, topic: string): ReturnType<World['published']> {
  const kafka = kafkaClient({ brokers, clientId: 'test', log: silent })
  const admin = kafka.admin()
  await admin.connect()
  // A broker that has just been told of the topic says for a moment that somebody else leads it.
  const ends = await admin.fetchTopicOffsets(topic).catch((error: { retriable?: boolean }) => {
    if (error.retriable) return []
    throw error
  })
  await admin.disconnect()
  const expected = ends.reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0)
  const found: Awaited<ReturnType<World['published']>> = []
  if (expected === 0) return found
  const consumer = kafka.consumer({ groupId: `${topic}-look-${Math.random()}`, maxWaitTimeInMs: 100 })
  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: true })
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ message }) =>
      void found.push({
        type: String(message.headers?.ce_type),
        key: String(message.key),
        data: JSON.parse(String(message.value)),
      }),
  })
  while (found.length < expected) await delay(20)
  await consumer.disconnect()
  return found
}

export async function eventually<T>(what: string, read: () => Promise<T | undefined | false | null>, seconds = 15): Promise<T> {
  for (let i = 0; i < seconds * 20; i++) {
    const value = await read()
    if (value) return value
    await delay(50)
  }
  throw new Error(`${what} did not happen within ${seconds} s`)
}
