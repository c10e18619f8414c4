/**
 * Requests that arrive byte by byte cost their sender nothing and this process a connection each. So many at once from one network are
 * borne; of more the oldest are ended. A request that is here within a second is never counted, so a crowd behind one address is none.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '@passerelle/contracts/rules/network'
import { sendRawError } from './raw-error.ts'
import { every, nowMs } from './runtime.ts'

const SLOW_MS = 1000
const EVERY_MS = 1000

type Arrival = {
  /** Since when a request has been arriving; null: none is. */
  since: number | null
  /** The one whose headers are here. */
  request: IncomingMessage | null
  /** What had been read of the connection when the last request was complete. */
  bytes: number
}

/** @returns what ends the watch */
export function limitSlowRequests(server: Server, perNetwork: number): () => void {
  const arrivals = new Map<Socket, Arrival>()
  server.on('connection', (socket) => {
    arrivals.set(socket, { since: nowMs(), request: null, bytes: 0 })
    socket.once('close', () => arrivals.delete(socket))
  })
  server.on('request', (request) => {
    const arrival = arrivals.get(request.socket)
    if (arrival) Object.assign(arrival, { request, since: arrival.since ?? nowMs() })
  })
  return every(EVERY_MS, () => {
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
  // The next request on a connection that is kept: its first bytes are here, its headers are not.
  if (arrival.since === null && socket.bytesRead > arrival.bytes) arrival.since = now
  return arrival.since !== null && now - arrival.since > SLOW_MS
}
