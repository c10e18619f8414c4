/** One address for the replicas of a service: each new connection goes to the next one that accepts it. */
import { connect, createServer, type Server, type Socket } from 'node:net'

export type Balancer = { port: number; stop(): Promise<void> }

export async function startBalancer(host: string, port: number, targets: readonly number[]): Promise<Balancer> {
  let next = 0
  const open = new Set<Socket>()
  const server: Server = createServer({ noDelay: true }, (client) => {
    open.add(client)
    client.on('close', () => open.delete(client))
    client.on('error', () => client.destroy())
    client.pause()
    attach(client, targets, next++, targets.length * 2)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}

/** Tries one replica after the other; a replica that is just being started refuses, and the next one is asked. */
function attach(client: Socket, targets: readonly number[], at: number, tries: number): void {
  const upstream = connect({ port: targets[at % targets.length] ?? 0, host: '127.0.0.1', noDelay: true })
  let connected = false
  upstream.once('connect', () => {
    connected = true
    client.pipe(upstream)
    upstream.pipe(client)
    client.resume()
  })
  upstream.on('error', () => {
    if (connected || tries <= 1) return void client.destroy()
    setTimeout(() => attach(client, targets, at + 1, tries - 1), tries % targets.length === 0 ? 100 : 0)
  })
  upstream.on('close', () => {
    if (connected) client.destroy()
  })
  client.on('close', () => upstream.destroy())
}
