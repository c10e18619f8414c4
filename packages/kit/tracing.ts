/** Starts tracing, once the module hooks are registered. trace-privacy.ts decides what a span may contain. */
import { basename, dirname } from 'node:path'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis'
import { KafkaJsInstrumentation } from '@opentelemetry/instrumentation-kafkajs'
import { MongooseInstrumentation } from '@opentelemetry/instrumentation-mongoose'
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace'
import { privateSpans } from './trace-privacy.ts'

const sdk = new NodeSDK({
  // services/booking/main.ts is "booking".
  serviceName: process.env.OTEL_SERVICE_NAME ?? basename(dirname(process.argv[1] ?? 'passerelle/')),
  spanProcessors: [privateSpans(new BatchSpanProcessor({ exporter: new OTLPTraceExporter() }))],
  metricReaders: [],
  logRecordProcessors: [],
  instrumentations: [
    new HttpInstrumentation({ ignoreIncomingRequestHook: (request) => /^\/(livez|readyz|metrics)/.test(request.url ?? '') }),
    new ExpressInstrumentation(),
    // Workers that look for something to do several times a second are no traces.
    new MongooseInstrumentation({ dbStatementSerializer: () => '', requireParentSpan: true }),
    new IORedisInstrumentation({ dbStatementSerializer: (command) => command }),
    new KafkaJsInstrumentation(),
    new UndiciInstrumentation(),
    new PinoInstrumentation({ disableLogSending: true }),
  ],
})
sdk.start()
process.once('beforeExit', () => void sdk.shutdown())
