/** A Redis server for development and tests: it speaks RESP2 to unmodified clients and forgets everything when it stops. */
import type { Socket } from 'node:net'
import { listen, refuseProduction } from '../listener.ts'
import { execute, type Session } from './commands.ts'
import { Keyspace } from './keyspace.ts'
import { encodeReply, ProtocolError, RedisError, type Reply, RequestReader } from './resp.ts'

const DATABASES = 16
const DEFAULT_MEMORY = 64 * 1024 * 1024
const EXPIRY_EVERY_MS = 1000

export type RedisEmulator = { url: string; port: number; stop(): Promise<void> }

/**
 * @param options.port 0, the default, takes any free port. @param options.maxMemoryBytes of each numbered database (64 MiB).
 * @throws Error with NODE_ENV=production, and when the port is taken.
 */
export async function startRedisEmulator(options: { port?: number; maxMemoryBytes?: number } = {}): Promise<RedisEmulator> {
  refuseProduction('Redis')
  const databases = Array.from({ length: DATABASES }, () => new Keyspace(options.maxMemoryBytes ?? DEFAULT_MEMORY))
  const listener = await listen(options.port ?? 0, (socket) =>
    serve(socket, { databases, database: 0, queue: undefined, isSpoiled: false }),
  )
  const expiry = setInterval(() => {
    for (const database of databases) database.keys()
  }, EXPIRY_EVERY_MS).unref()
  return {
    url: `redis://${listener.address}`,
    port: listener.port,
    stop() {
      clearInterval(expiry)
      return listener.close()
    },
  }
}

function serve(socket: Socket, session: Session): void {
  const reader = new RequestReader()
  socket.on('data', (chunk) => {
    const replies: Reply[] = []
    let isLost = false
    try {
      for (const request of reader.read(chunk)) replies.push(execute(session, request))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      replies.push(new RedisError(`ERR Protocol error: ${error.message}`))
      isLost = true
    }
    if (replies.length > 0) socket.write(Buffer.concat(replies.map(encodeReply)))
    if (isLost) socket.end()
  })
}
