/** Twenty visitors book on a traced system: each booking has to be one connected trace, over services, bus and mail. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startViewer, type Viewer } from '@passerelle/local/observe/viewer'
import { party, testCard, Visitor } from '@passerelle/local/test-visitor.fixture'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type System, system } from './system.ts'

const JOURNEYS = 20
const telemetry = new URL('../../packages/kit/telemetry.ts', import.meta.url).pathname

let viewer: Viewer
let local: System
const dataDir = mkdtempSync(join(tmpdir(), 'passerelle-trace-'))
beforeAll(async () => {
  viewer = await startViewer({ port: 0, processes: () => ({}) })
  local = await system('one', dataDir, {
    NODE_OPTIONS: `--import ${telemetry}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: viewer.url,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  })
  await local.start()
}, 180_000)
afterAll(async () => {
  local?.kill()
  rmSync(dataDir, { recursive: true, force: true })
  await viewer?.stop()
}, 60_000)

const hex = (length: number) => Array.from({ length }, () => Math.floor(Math.random() * 16).toString(16)).join('')

/** Books, and returns the id of the trace that the booking request began. */
async function book(index: number): Promise<string> {
  const visitor = new Visitor(local.url)
  const date = new Date(Date.now() + (30 + index) * 86_400_000).toISOString().slice(0, 10)
  const offer = await visitor.offer(`origin=CDG&destination=LIS&departureDate=${date}`)
  const traceId = hex(32)
  const { total, currency } = offer.price
  const request = {
    offerId: offer.id,
    passengers: party(offer),
    seats: [],
    paymentDetails: { amount: total, currency, cardDetails: testCard },
  }
  const booked = await visitor.call('POST', '/api/bookings', request, { traceparent: `00-${traceId}-${hex(16)}-01` })
  expect(booked.status).toBe(201)
  return traceId
}

/** What every booking does: the gateway, each service that it passes, the bus, and the mail. */
const STEPS = [
  'POST /api/bookings',
  'POST /internal/sessions',
  'POST /internal/offers/:id/quote',
  'POST /internal/payments',
  'process booking.events by identity',
  'process booking.events by booking-mail',
  'mail confirmed',
  'mail welcome',
]

test('a booking is one connected trace over gateway, services, bus and mail: all of twenty', { timeout: 300_000 }, async () => {
  const ids: string[] = []
  for (let i = 0; i < JOURNEYS; i++) ids.push(await book(i))
  const linked = () =>
    ids.filter((id) => {
      const steps = viewer.traces.spans(id).map(({ name, attributes }) => {
        const group = attributes['messaging.consumer.group.name']
        return group ? `${name} by ${group}` : name
      })
      // The visitor's own span is the only one that is not here.
      const unlinked = viewer.traces.list().find(({ traceId }) => traceId === id)?.unlinked
      return unlinked === 1 && STEPS.every((step) => steps.includes(step))
    }).length
  await expect.poll(linked, { timeout: 60_000, interval: 500 }).toBe(JOURNEYS)
})
