/**
 * Tracing, loaded before anything else: `node --import @passerelle/kit/telemetry services/booking/main.ts`. Does nothing unless
 * OTEL_EXPORTER_OTLP_ENDPOINT is set. What may leave in a span is said in trace-privacy.ts.
 */
import { register } from 'node:module'

if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) {
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url)
  const [
    { NodeSDK },
    { BatchSpanProcessor },
    { OTLPTraceExporter },
    { HttpInstrumentation },
    { ExpressInstrumentation },
    { MongooseInstrumentation },
    { IORedisInstrumentation },
    { KafkaJsInstrumentation },
    { UndiciInstrumentation },
    { PinoInstrumentation },
    { privateSpans },
  ] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/instrumentation-http'),
    import('@opentelemetry/instrumentation-express'),
    import('@opentelemetry/instrumentation-mongoose'),
    import('@opentelemetry/instrumentation-ioredis'),
    import('@opentelemetry/instrumentation-kafkajs'),
    import('@opentelemetry/instrumentation-undici'),
    import('@opentelemetry/instrumentation-pino'),
    import('./trace-privacy.ts'),
  ])
  const sdk = new NodeSDK({
    serviceName: process.env.OTEL_SERVICE_NAME ?? 'passerelle',
    spanProcessors: [privateSpans(new BatchSpanProcessor({ exporter: new OTLPTraceExporter() }))],
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new HttpInstrumentation({ ignoreIncomingRequestHook: (request) => /^\/(livez|readyz|metrics)/.test(request.url ?? '') }),
      new ExpressInstrumentation(),
      new MongooseInstrumentation({ dbStatementSerializer: () => '' }),
      new IORedisInstrumentation({ dbStatementSerializer: (command) => command }),
      new KafkaJsInstrumentation(),
      new UndiciInstrumentation(),
      new PinoInstrumentation({ disableLogSending: true }),
    ],
  })
  sdk.start()
  process.once('beforeExit', () => void sdk.shutdown())
}
