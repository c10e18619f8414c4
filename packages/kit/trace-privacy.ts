/**
 * What a trace may contain: method, route, status, table and topic names, and the hosts that are called. URLs with their ids and queries,
 * visitors' IP addresses and browsers, statements, error messages and stacks are removed. An allow-list, because instrumentations add
 * attributes with every version.
 */
import type { Context } from '@opentelemetry/api'
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace'

const ALLOWED = new Set([
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'url.scheme',
  'network.protocol.version',
  'error.type',
  'exception.type',
  'express.name',
  'express.type',
  'db.system.name',
  'db.namespace',
  'db.collection.name',
  'db.operation.name',
  'messaging.system',
  'messaging.operation.name',
  'messaging.operation.type',
  'messaging.destination.name',
  'messaging.destination.partition.id',
  'messaging.consumer.group.name',
  'messaging.batch.message_count',
])
/** Of an outgoing call it is ours or a supplier's; of an incoming one it is the visitor's Host header. */
const CLIENT_ONLY = new Set(['server.address', 'server.port'])
/** SpanKind.CLIENT and PRODUCER, by number: importing the API here would come before the instrumentations. */
const OUTGOING = new Set([2, 3])

type Attributes = ReadableSpan['attributes']

function allowed(attributes: Attributes, isOutgoing: boolean): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => ALLOWED.has(name) || (isOutgoing && CLIENT_ONLY.has(name))))
}

/** The span without anything that is not allowed. */
function withoutPersonalData(span: ReadableSpan): ReadableSpan {
  const isOutgoing = OUTGOING.has(span.kind)
  const change: Partial<ReadableSpan> = {
    attributes: allowed(span.attributes, isOutgoing),
    status: { code: span.status.code },
    events: span.events.map((event) => ({ ...event, attributes: allowed(event.attributes ?? {}, false) })),
    links: span.links.map((link) => ({ ...link, attributes: {} })),
  }
  // Everything else, methods included, stays.
  return Object.create(span, Object.fromEntries(Object.entries(change).map(([name, value]) => [name, { value, enumerable: true }])))
}

/** Passes spans on to `next` without what is not allowed. */
export function privateSpans(next: SpanProcessor): SpanProcessor {
  return {
    onStart: (span: Span, context: Context) => next.onStart(span, context),
    onEnd: (span) => next.onEnd(withoutPersonalData(span)),
    forceFlush: () => next.forceFlush(),
    shutdown: () => next.shutdown(),
  }
}
