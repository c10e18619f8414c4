/** One page with the traces and metrics of a local system: it takes OTLP over HTTP, reads `/metrics`, and keeps nothing on disk. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type OtlpTraces, type TraceStore, traceStore } from './traces.ts'

export type ViewerOptions = {
  port: number
  /** Where processes answer `/metrics`, by their names; asked each time. */
  processes(): Record<string, { adminUrl: string }>
  /** A collector that gets everything too. */
  forwardTo?: string | undefined
}
export type Viewer = { url: string; traces: TraceStore; stop(): Promise<void> }

const LARGEST = 8 * 1024 * 1024
const ANSWER_MS = 2000
const page = new URL('page.html', import.meta.url)

export async function startViewer({ port, processes, forwardTo }: ViewerOptions): Promise<Viewer> {
  const traces = traceStore()

  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await read(request)
    if (!request.headers['content-type']?.startsWith('application/json')) return answer(response, 415, { error: 'OTLP as JSON only' })
    traces.add(JSON.parse(body.toString()) as OtlpTraces)
    answer(response, 200, {})
    if (!forwardTo) return
    await fetch(`${forwardTo.replace(/\/$/, '')}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch(() => undefined)
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (request.method === 'POST' && pathname === '/v1/traces') return receive(request, response)
    if (request.method !== 'GET') return answer(response, 405, { error: 'METHOD_NOT_ALLOWED' })
    if (pathname === '/') {
      const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:"
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
      return void response.end(readFileSync(page))
    }
    if (pathname === '/traces') return answer(response, 200, traces.list())
    if (pathname.startsWith('/traces/')) return answer(response, 200, traces.spans(pathname.slice('/traces/'.length)))
    if (pathname === '/metrics') return answer(response, 200, await readMetrics(processes()))
    answer(response, 404, { error: 'NOT_FOUND' })
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => answer(response, 400, { error: 'VALIDATION_ERROR' }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    traces,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > LARGEST) throw new Error('too large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(JSON.stringify(body))
}

export type Series = { process: string; name: string; labels: string; value: number }

/** Every series of every process that answers, without Node's own and the buckets. */
async function readMetrics(processes: Record<string, { adminUrl: string }>): Promise<Series[]> {
  const read = async ([name, { adminUrl }]: [string, { adminUrl: string }]) => {
    try {
      const answered = await fetch(`${adminUrl}/metrics`, { signal: AbortSignal.timeout(ANSWER_MS) })
      return parseMetrics(name, await answered.text())
    } catch {
      return []
    }
  }
  return (await Promise.all(Object.entries(processes).map(read))).flat()
}

/** Prometheus' text format, as far as a table needs it. */
export function parseMetrics(process: string, text: string): Series[] {
  return text.split('\n').flatMap((line) => {
    const [, name = '', labels = '', value = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (!name || name.endsWith('_bucket') || /^(nodejs|process)_/.test(name)) return []
    const shown = labels.replace(/,?service="[^"]*"/, '').replace(/^,/, '')
    return [{ process, name, labels: shown, value: Number(value) }]
  })
}
