/**
 * Tracing, loaded before anything else: `node --import ./packages/kit/telemetry.ts services/booking/main.ts`. Does nothing unless
 * OTEL_EXPORTER_OTLP_ENDPOINT is set. trace-privacy.ts decides what a span may contain.
 */
import { basename, dirname } from 'node:path'

if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) {
  const { register } = await import('import-in-the-middle/register-hooks.mjs')
  register()
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
    // services/booking/main.ts is "booking".
    serviceName: process.env.OTEL_SERVICE_NAME ?? basename(dirname(process.argv[1] ?? 'passerelle/')),
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
