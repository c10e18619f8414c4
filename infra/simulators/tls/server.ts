/** An entrance for tests, on loopback: shows a certificate for each host that it has one for, and ends the connection for others. */
import type { AddressInfo, Socket } from 'node:net'
import { createSecureContext, createServer } from 'node:tls'
import type { TestCertificate } from './certificate.ts'

export type TlsEntrance = {
  /** `127.0.0.1:8443`. */
  address: string
  certificates: Record<string, TestCertificate>
  /** Hosts that were asked for, in their order. */
  asked: string[]
  stop(): Promise<void>
}

/** @param port 0 takes any free one */
export async function startTlsEntrance(port = 0): Promise<TlsEntrance> {
  const sockets = new Set<Socket>()
  const server = createServer({
    SNICallback(host, answer) {
      entrance.asked.push(host)
      const known = entrance.certificates[host]
      if (known) answer(null, createSecureContext(known))
      else answer(new Error(`no certificate for ${host}`))
    },
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  // A host without a certificate is part of the test.
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', listening)
  })
  const entrance: TlsEntrance = {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificates: {},
    asked: [],
    stop() {
      for (const socket of sockets) socket.destroy()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
  return entrance
}
