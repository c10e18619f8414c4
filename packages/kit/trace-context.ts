/** Carries a trace over what a request leaves behind: events in an outbox, mails in a queue. Without tracing all of it does nothing. */
import { type Attributes, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

/** The current span as a W3C `traceparent`. */
export function currentTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent
}

export type TracedWork = {
  /** Where the work began; without it the work belongs to no trace. */
  traceparent: string | null | undefined
  name: string
  kind: 'consumer' | 'client'
  attributes?: Attributes
}

const KINDS = { consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT }

/** Does the work as a span of the trace that it began in. */
export async function inTrace<T>({ traceparent, name, kind, attributes = {} }: TracedWork, work: () => Promise<T>): Promise<T> {
  if (!traceparent) return work()
  const origin = propagation.extract(ROOT_CONTEXT, { traceparent })
  return trace.getTracer('passerelle').startActiveSpan(name, { kind: KINDS[kind], attributes }, origin, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}
