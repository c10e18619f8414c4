/** Ports of this machine for systems that are started here. */
import { connect, createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections: one of those could take the port while its owner is being started again. */
const FIRST_PORT = 20_000
const LAST_PORT = 32_000

/** A port that was given away may not be listened on yet, and looks free until it is. */
const given = new Set<number>()

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT))
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}

/** Nobody listens there, and this user may. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  return ports
}

/** Somebody on this machine takes connections there. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}
