/** `make observe`: the local system, one process per service, with its traces and metrics on a page of this machine. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startViewer } from './viewer.ts'

const addresses = join(resolve(process.env.DATA_DIR || '.data'), 'run', 'addresses.json')
const viewer = await startViewer({
  port: Number(process.env.OBSERVE_PORT || 8095),
  processes: () => (existsSync(addresses) ? JSON.parse(readFileSync(addresses, 'utf8')) : {}),
  forwardTo: process.env.OTEL_EXPORTER_OTLP_ENDPOINT,
})
console.log(`Traces and metrics: ${viewer.url}`)
process.env.OTEL_EXPORTER_OTLP_ENDPOINT = viewer.url
process.env.OTEL_BSP_SCHEDULE_DELAY ||= '1000'
await import('../processes.ts')
