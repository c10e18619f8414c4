/**
 * What leaves in a trace: method, route, status, table and topic names, and the hosts that are called. Addresses with their ids and
 * queries, visitors' addresses and browsers, statements, messages of errors and their stacks (which quote them) do not. A list of what is
 * allowed, because instrumentations add attributes with every version.
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
/** Of a call that goes out it is ours or a supplier's; of one that comes in it is what the visitor wrote as Host. */
const CLIENT_ONLY = new Set(['server.address', 'server.port'])
/** SpanKind.CLIENT and PRODUCER of the API, by number: an import of it here would come before the instrumentations. */
const OUTGOING = new Set([2, 3])

type Attributes = ReadableSpan['attributes']

function allowed(attributes: Attributes, isOutgoing: boolean): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => ALLOWED.has(name) || (isOutgoing && CLIENT_ONLY.has(name))))
}

/** The span as it may leave. */
export function withoutPersonalData(span: ReadableSpan): ReadableSpan {
  const isOutgoing = OUTGOING.has(span.kind)
  const change: Partial<ReadableSpan> = {
    attributes: allowed(span.attributes, isOutgoing),
    status: { code: span.status.code },
    events: span.events.map((event) => ({ ...event, attributes: allowed(event.attributes ?? {}, false) })),
    links: span.links.map((link) => ({ ...link, attributes: {} })),
  }
  // Everything else, methods included, stays what it is.
  return Object.create(span, Object.fromEntries(Object.entries(change).map(([name, value]) => [name, { value, enumerable: true }])))
}

/** Hands spans on to `next` as they may leave. */
export function privateSpans(next: SpanProcessor): SpanProcessor {
  return {
    onStart: (span: Span, context: Context) => next.onStart(span, context),
    onEnd: (span) => next.onEnd(withoutPersonalData(span)),
    forceFlush: () => next.forceFlush(),
    shutdown: () => next.shutdown(),
  }
}
