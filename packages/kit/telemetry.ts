/**
 * Tracing, loaded before anything else: `node --import ./packages/kit/telemetry.ts services/booking/main.ts`. Does nothing unless
 * OTEL_EXPORTER_OTLP_ENDPOINT is set.
 */
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) {
  const { register } = await import('import-in-the-middle/register-hooks.mjs')
  register()
  await import('./tracing.ts')
}

export {}
