import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { beforeEach, describe, expect, test } from 'vitest'
import { privateSpans } from './trace-privacy.ts'

const exporter = new InMemorySpanExporter()
const provider = new TracerProvider({ spanProcessors: [privateSpans(new SimpleSpanProcessor({ exporter }))] })
const tracer = provider.getTracer('test')
beforeEach(() => exporter.reset())

const PRIVATE = {
  'url.full': 'https://example.org/api/bookings/bk_1?email=a@example.org',
  'url.path': '/api/bookings/bk_1',
  'url.query': 'email=a@example.org',
  'http.url': 'https://example.org/api/bookings/bk_1',
  'http.target': '/api/bookings/bk_1',
  'client.address': '203.0.113.7',
  'network.peer.address': '203.0.113.7',
  'user_agent.original': 'Browser',
  'http.user_agent': 'Browser',
  'db.query.text': 'find a@example.org',
  'messaging.kafka.message.key': 'bk_1',
  'an.attribute.of.tomorrow': 'a@example.org',
}

async function exported(kind: SpanKind, attributes: Record<string, string | number>) {
  const span = tracer.startSpan('GET /api/bookings/:id', { kind, attributes })
  span.recordException(new Error('E11000 { email: "a@example.org" }'))
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'E11000 { email: "a@example.org" }' })
  span.end()
  await provider.forceFlush()
  return exporter.getFinishedSpans()[0]
}

describe('a span that leaves', () => {
  test('has the route, the method and the status, and none of the addresses, statements and messages', async () => {
    const kept = { 'http.route': '/api/bookings/:id', 'http.request.method': 'GET', 'http.response.status_code': 500 }
    const span = await exported(SpanKind.SERVER, { ...PRIVATE, ...kept, 'server.address': 'what.the.visitor.wrote' })
    expect(span?.name).toBe('GET /api/bookings/:id')
    expect(span?.attributes).toEqual(kept)
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR })
    expect(span?.events).toMatchObject([{ name: 'exception', attributes: { 'exception.type': 'Error' } }])
    expect(Object.keys(span?.events[0]?.attributes ?? {})).toEqual(['exception.type'])
    expect(trace.isSpanContextValid(span!.spanContext())).toBe(true)
  })

  test('names the host that is called, where it is a call', async () => {
    const span = await exported(SpanKind.CLIENT, { ...PRIVATE, 'server.address': 'api.duffel.com', 'server.port': 443 })
    expect(span?.attributes).toEqual({ 'server.address': 'api.duffel.com', 'server.port': 443 })
  })
})
