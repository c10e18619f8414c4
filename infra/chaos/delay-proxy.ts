/** A TCP proxy on loopback that holds back every answer for a while. */
import { connect, createServer } from 'node:net'

export async function startDelayProxy(port: number, target: number): Promise<{ delayMs: number }> {
  const proxy = { delayMs: 0 }
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: target, host: '127.0.0.1', noDelay: true })
    const end = () => [client, upstream].forEach((socket) => void socket.destroy())
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => {
      if (proxy.delayMs === 0) client.write(bytes)
      else setTimeout(() => client.destroyed || client.write(bytes), proxy.delayMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return proxy
}
