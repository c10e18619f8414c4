/** The HTTP server of a process: deadlines for slow clients, JSON errors even for unreadable requests, and a graceful close. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError, type ErrorCode } from '@passerelle/contracts/error'
import { networkOf } from '@passerelle/contracts/rules/network'
import { delay, every, nowMs, randomId } from './runtime.ts'

export type HttpServer = {
  server: Server
  port: number
  url: string
  /** From now on every response closes its connection. */
  drain(): void
  close(): Promise<void>
}

export type ListenOptions = {
  /** Sent to clients, which close idle connections before it, so that none is closed under a new request. */
  keepAliveMs?: number
  /** Of all clients together; more are refused. */
  maxConnections?: number
  /** Slow requests that one network may have. Only where clients connect directly: behind a proxy all of them are one network. */
  slowPerNetwork?: number
  /** Other processes listen on the same port: the kernel gives each connection to one of them. */
  sharesPort?: boolean
}

/** The current response of a connection. A property of it, which costs a request less than a WeakMap does. */
const CURRENT = Symbol('response')
type Connection = Duplex & { [CURRENT]?: ServerResponse }

/** Deadlines of the headers and of the whole request. Node checks them once in the interval, by default every 30 s. */
const ARRIVAL = { headersTimeout: 5000, requestTimeout: 10_000, connectionsCheckingInterval: 1000 }

/** Slow headers and bodies are cut off; a request that cannot be parsed still gets a JSON error. */
export async function listen(app: RequestListener, host: string, port: number, options: ListenOptions = {}): Promise<HttpServer> {
  const { keepAliveMs = 5000, maxConnections = 4096, slowPerNetwork, sharesPort = false } = options
  let draining = false
  const server = createServer(
    // Node would answer a request without Host by itself, in plain text.
    { ...ARRIVAL, keepAliveTimeout: keepAliveMs, maxHeaderSize: 16 * 1024, requireHostHeader: false },
    (request, response) => {
      ;(request.socket as Connection)[CURRENT] = response
      if (draining) response.setHeader('connection', 'close')
      if (lacksHost(request)) return answer(response, 'VALIDATION_ERROR', 'The request has no Host header.')
      app(request, response)
    },
  )
  server.maxConnections = maxConnections
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = (socket as Connection)[CURRENT]
    // A response has begun, or belongs to an earlier request: anything written now would be taken for a part of it.
    const isInUse = response && !response.writableFinished && (response.headersSent || response.req.complete)
    if (isInUse) return void socket.destroy()
    sendRawError(socket, CLIENT_ERRORS[error.code ?? ''] ?? 'VALIDATION_ERROR')
  })
  server.on('checkExpectation', (_request, response) => answer(response, 'EXPECTATION_FAILED'))
  server.on('connect', (_request, socket: Socket) => sendRawError(socket, 'METHOD_NOT_ALLOWED'))
  const endWatch = slowPerNetwork === undefined ? () => undefined : limitSlowRequests(server, slowPerNetwork)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, reusePort: sharesPort }, resolve)
  })
  const actual = (server.address() as AddressInfo).port
  return {
    server,
    port: actual,
    url: `http://${host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host}:${actual}`,
    drain: () => {
      draining = true
    },
    async close() {
      endWatch()
      await closeGracefully(server)
    },
  }
}

const CLIENT_ERRORS: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined
}

function answer(response: ServerResponse, code: ErrorCode, message?: string): void {
  const { status, headers, text } = rawError(code, message)
  response.writeHead(status, headers).end(text)
}

/** Longer than any request may take. */
const CLOSE_MS = 30_000

/** Running requests finish; keep-alive connections are closed as soon as they are idle, or closing would wait for a minute. */
async function closeGracefully(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const endSweep = every(100, () => server.closeIdleConnections())
  server.closeIdleConnections()
  const enough = new AbortController()
  await Promise.race([closed, delay(CLOSE_MS, enough.signal).then(() => enough.signal.aborted || server.closeAllConnections())])
  enough.abort()
  endSweep()
}

/** The error as JSON with its headers, ready to be sent. */
function rawError(code: ErrorCode, message?: string): { status: number; headers: Record<string, string>; text: string } {
  const error = new AppError(code, message === undefined ? {} : { message })
  const text = JSON.stringify(error.toBody(randomId()))
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  }
  return { status: error.status, headers, text }
}

/** Answers where there is no response object: the request could not be read, or Node hands over a bare socket. Ends the connection. */
function sendRawError(socket: Duplex, code: ErrorCode, message?: string): void {
  if (!socket.writable) return void socket.destroy()
  const { status, headers, text } = rawError(code, message)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} Error\r\n${lines.join('')}\r\n${text}`, () => socket.destroy())
}

const SLOW_MS = 1000
const SLOW_CHECK_MS = 1000

type Arrival = {
  /** When the current request began to arrive; null when there is none. */
  since: number | null
  /** The request whose headers have arrived. */
  request: IncomingMessage | null
  /** Bytes read from the connection when its last request was complete. */
  bytes: number
}

/**
 * Requests that arrive byte by byte cost their sender nothing and this process a connection each. Of one network's slow requests the
 * oldest past `perNetwork` are ended. A request that arrives within a second never counts, so a crowd behind one address is not affected.
 * @returns a function that ends the watch
 */
function limitSlowRequests(server: Server, perNetwork: number): () => void {
  const arrivals = new Map<Socket, Arrival>()
  server.on('connection', (socket) => {
    arrivals.set(socket, { since: nowMs(), request: null, bytes: 0 })
    socket.once('close', () => arrivals.delete(socket))
  })
  server.on('request', (request) => {
    const arrival = arrivals.get(request.socket)
    if (!arrival) return
    arrival.request = request
    arrival.since ??= nowMs()
  })
  return every(SLOW_CHECK_MS, () => {
    const now = nowMs()
    const slow = [...arrivals].filter(([socket, arrival]) => isSlow(socket, arrival, now))
    for (const sockets of Map.groupBy(slow, ([socket]) => networkOf(socket.remoteAddress ?? null)).values()) {
      const oldestFirst = sockets.sort(([, a], [, b]) => (a.since ?? now) - (b.since ?? now))
      for (const [socket] of oldestFirst.slice(0, Math.max(0, sockets.length - perNetwork))) sendRawError(socket, 'REQUEST_TIMEOUT')
    }
  })
}

function isSlow(socket: Socket, arrival: Arrival, now: number): boolean {
  if (arrival.request?.complete) Object.assign(arrival, { since: null, request: null, bytes: socket.bytesRead })
  // The next request on a keep-alive connection: its first bytes have arrived, its headers have not.
  if (arrival.since === null && socket.bytesRead > arrival.bytes) arrival.since = now
  return arrival.since !== null && now - arrival.since > SLOW_MS
}
