/** Spans as OTLP/JSON brings them, kept in memory by their trace: the newest traces only. */

export type Span = {
  spanId: string
  parentSpanId: string
  name: string
  service: string
  startMs: number
  endMs: number
  isError: boolean
  attributes: Record<string, string>
}
export type TraceSummary = {
  traceId: string
  name: string
  startMs: number
  ms: number
  spans: number
  services: string[]
  isError: boolean
  /** Spans whose parent never came: zero in a connected trace. */
  unlinked: number
}

type Value = Record<string, unknown>
type OtlpSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  status?: { code?: number }
  attributes?: { key: string; value: Value }[]
}
export type OtlpTraces = {
  resourceSpans?: { resource?: { attributes?: { key: string; value: Value }[] }; scopeSpans?: { spans?: OtlpSpan[] }[] }[]
}

const ERROR = 2
const ms = (nanoseconds: string) => Number(BigInt(nanoseconds) / 1000n) / 1000
const text = (value: Value | undefined) => String(Object.values(value ?? {})[0] ?? '')

export function traceStore(most = 500) {
  const traces = new Map<string, Span[]>()

  return {
    add({ resourceSpans = [] }: OtlpTraces): void {
      for (const { resource, scopeSpans = [] } of resourceSpans) {
        const service = text(resource?.attributes?.find(({ key }) => key === 'service.name')?.value)
        for (const span of scopeSpans.flatMap(({ spans = [] }) => spans)) {
          const own = traces.get(span.traceId) ?? []
          traces.set(span.traceId, own)
          own.push({
            spanId: span.spanId,
            parentSpanId: span.parentSpanId ?? '',
            name: span.name,
            service,
            startMs: ms(span.startTimeUnixNano),
            endMs: ms(span.endTimeUnixNano),
            isError: span.status?.code === ERROR,
            attributes: Object.fromEntries((span.attributes ?? []).map(({ key, value }) => [key, text(value)])),
          })
        }
      }
      for (const id of traces.keys()) {
        if (traces.size <= most) break
        traces.delete(id)
      }
    },

    /** Newest first. */
    list: (): TraceSummary[] => [...traces].map(([traceId, spans]) => summary(traceId, spans)).sort((a, b) => b.startMs - a.startMs),

    /** In the order of a tree: each span before those below it. */
    spans: (traceId: string): Span[] => inOrder(traces.get(traceId) ?? []),
  }
}

export type TraceStore = ReturnType<typeof traceStore>

function summary(traceId: string, spans: readonly Span[]): TraceSummary {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const [first] = inOrder(spans)
  const startMs = Math.min(...spans.map((span) => span.startMs))
  return {
    traceId,
    name: first?.name ?? '',
    startMs,
    ms: Math.max(...spans.map((span) => span.endMs)) - startMs,
    spans: spans.length,
    services: [...new Set(spans.map(({ service }) => service))],
    isError: spans.some(({ isError }) => isError),
    unlinked: spans.filter(({ parentSpanId }) => parentSpanId !== '' && !ids.has(parentSpanId)).length,
  }
}

function inOrder(spans: readonly Span[]): Span[] {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const below = Map.groupBy(
    [...spans].sort((a, b) => a.startMs - b.startMs),
    ({ parentSpanId }) => (ids.has(parentSpanId) ? parentSpanId : ''),
  )
  const walk = (parent: string): Span[] => (below.get(parent) ?? []).flatMap((span) => [span, ...walk(span.spanId)])
  return walk('')
}
