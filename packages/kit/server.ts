/** The listening side of a process: deadlines for slow clients, JSON even for what cannot be read, and an end that loses no answer. */
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ErrorBody, errorCatalogue } from '@passerelle/contracts/error'
import type { Express } from 'express'
import { pause } from './resilience.ts'

export type HttpServer = {
  server: Server
  port: number
  url: string
  /** From now on every answer asks the client to open its next connection elsewhere. */
  drain(): void
  close(): Promise<void>
}

/**
 * Slow headers and bodies are cut off; a request that cannot even be read still gets a JSON answer. Clients are told `keepAliveMs`
 * and give up an idle connection before that, so that none is ever closed under a request that is on its way.
 */
export async function listen(app: Express, host: string, port: number, keepAliveMs = 5000): Promise<HttpServer> {
  let draining = false
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 10_000, keepAliveTimeout: keepAliveMs, maxHeaderSize: 16 * 1024 },
    (request, response) => {
      if (draining) response.setHeader('connection', 'close')
      app(request, response)
    },
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return void socket.destroy()
    const [status, code] = CLIENT_ERRORS[error.code ?? ''] ?? [400, 'VALIDATION_ERROR']
    const body: ErrorBody = { error: code, message: errorCatalogue[code][1], requestId: randomUUID() }
    const text = JSON.stringify(body)
    socket.end(
      `HTTP/1.1 ${status} Error\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const actual = (server.address() as AddressInfo).port
  return {
    server,
    port: actual,
    url: `http://${host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host}:${actual}`,
    drain: () => {
      draining = true
    },
    close: () => closeGracefully(server),
  }
}

const CLIENT_ERRORS: Record<string, readonly [number, keyof typeof errorCatalogue]> = {
  HPE_HEADER_OVERFLOW: [431, 'VALIDATION_ERROR'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'REQUEST_TIMEOUT'],
}

/** Longer than the longest that a visitor is kept waiting for an answer. */
const LAST_ANSWERS_MS = 30_000

/** Running requests finish; idle keep-alive connections are closed as soon as they are idle, or closing would wait for a minute. */
async function closeGracefully(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const sweep = setInterval(() => server.closeIdleConnections(), 100)
  server.closeIdleConnections()
  await Promise.race([closed, pause(LAST_ANSWERS_MS).then(() => server.closeAllConnections())])
  clearInterval(sweep)
}
