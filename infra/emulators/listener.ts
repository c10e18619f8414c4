/** The TCP side of every emulator: development only, loopback only. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

const HOST = '127.0.0.1'

export type Listener = {
  /** `host:port`. */
  address: string
  port: number
  /** Ends every connection; resolves when the port is free. Safe to repeat. */
  close(): Promise<void>
}

/** @throws Error with NODE_ENV=production. */
export function refuseProduction(server: string): void {
  if (process.env.NODE_ENV === 'production')
    throw new Error(`The ${server} emulator is for development and tests: it does not run with NODE_ENV=production.`)
}

/** Resolves when `serve` is called for new connections. @param port 0: any free one. @throws Error when the port is taken. */
export async function listen(port: number, serve: (socket: Socket) => void): Promise<Listener> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // A connection reset is the client's affair; 'close' follows.
    socket.on('error', () => socket.destroy())
    serve(socket)
  })
  server.listen(port, HOST)
  await once(server, 'listening')
  server.on('error', (error) => console.error(`emulator on port ${port}: ${error.message}`))
  const closed = new Promise((resolve) => server.once('close', resolve))
  const bound = (server.address() as AddressInfo).port
  return {
    address: `${HOST}:${bound}`,
    port: bound,
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
