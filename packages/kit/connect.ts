/**
 * Connections to other services, which are made soon or not at all: the address of a replica that has gone may answer nothing, and the
 * system would try it for minutes.
 */
import { Agent as HttpAgent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Agent as FetchAgent } from 'undici'
import { clearTimer, setTimer } from './runtime.ts'

/** In a cluster a connection takes about a millisecond; one lost packet is sent again after 1 s. */
const CONNECT_MS = 1500

/** For `fetch`: it fails with UND_ERR_CONNECT_TIMEOUT. */
export const connectDispatcher = new FetchAgent({ connect: { timeout: CONNECT_MS } })

/** For `node:http`: requests fail with ETIMEDOUT. */
export class ConnectAgent extends HttpAgent {
  override createConnection(...given: Parameters<HttpAgent['createConnection']>): ReturnType<HttpAgent['createConnection']> {
    const socket = super.createConnection(...given) as Socket
    const timer = setTimer(
      () => socket.destroy(Object.assign(new Error(`no connection within ${CONNECT_MS} ms`), { code: 'ETIMEDOUT', syscall: 'connect' })),
      CONNECT_MS,
    )
    const stop = () => clearTimer(timer)
    socket.once('connect', stop).once('close', stop)
    return socket
  }
}

/** Whether somebody takes a connection at `http://host:port`, within the same time. Nothing is sent. */
export function canConnect(origin: string): Promise<boolean> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    const socket = connect(Number(port || 80), hostname.replace(/^\[|\]$/g, ''))
    const timer = setTimer(() => end(false), CONNECT_MS)
    const end = (isTaken: boolean) => {
      clearTimer(timer)
      socket.destroy()
      resolve(isTaken)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
