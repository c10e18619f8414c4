/**
 * Connections to other services, which are made soon or not at all: the address of a replica that has gone may answer nothing, and the
 * system would try it for minutes.
 */
import { Agent as HttpAgent } from 'node:http'
import type { Socket } from 'node:net'
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
