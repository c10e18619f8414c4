/** A TCP proxy on loopback that holds back every answer for a while. */
import { connect, createServer, type Socket } from 'node:net'

export type DelayProxy = { delayMs: number; stop(): void }

export async function startDelayProxy(port: number, target: number): Promise<DelayProxy> {
  const open = new Set<Socket>()
  const proxy: DelayProxy = {
    delayMs: 0,
    stop() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: target, host: '127.0.0.1', noDelay: true })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => {
      const { delayMs } = proxy
      if (delayMs === 0) client.write(bytes)
      else setTimeout(() => client.destroyed || client.write(bytes), delayMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return proxy
}
