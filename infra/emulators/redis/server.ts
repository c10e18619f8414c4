/**
 * A Redis server for development and tests: it speaks RESP2 to unmodified clients and forgets everything when it stops.
 * Production runs Redis itself.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Server } from './command.ts'
import { DATABASES } from './commands/connection.ts'
import { unsubscribeAll } from './commands/pub-sub.ts'
import { endTransaction, watchName } from './commands/transactions.ts'
import { execute } from './dispatch.ts'
import { Keyspace, Memory } from './keyspace.ts'
import { ProtocolError, RedisError, type Reply, RequestReader, silent } from './resp.ts'
import { Session } from './session.ts'

const DEFAULT_MEMORY = 64 * 1024 * 1024
const EXPIRY_EVERY_MS = 100

export type RedisEmulator = { url: string; port: number; stop(): Promise<void> }

/**
 * @param options.port 0, the default, takes any free port.
 * @param options.maxMemoryBytes least recently used keys go when values take more than this (64 MiB); an estimate, not the heap.
 * @throws when NODE_ENV is production, or when the port is taken.
 */
export const startRedisEmulator = async (
  options: { port?: number; host?: string; maxMemoryBytes?: number } = {},
): Promise<RedisEmulator> => {
  if (process.env.NODE_ENV === 'production') throw new Error('the Redis emulator is for development and tests: set REDIS_URL in production')
  const host = options.host ?? '127.0.0.1'
  const memory = new Memory(options.maxMemoryBytes ?? DEFAULT_MEMORY)
  const watchers: Server['watchers'] = new Map()
  const server: Server = {
    memory,
    databases: Array.from({ length: DATABASES }, (_, database) => {
      return new Keyspace(memory, (key) => {
        if (watchers.size === 0) return
        for (const session of watchers.get(watchName(database, key)) ?? []) session.stale = true
      })
    }),
    sessions: new Set(),
    channels: new Map(),
    patterns: new Map(),
    watchers,
    startedAt: Date.now(),
    port: 0,
    commandCount: 0,
    connectionCount: 0,
  }

  const listener = createServer({ noDelay: true }, (socket) => serve(server, socket))
  await new Promise<void>((resolve, reject) => listener.once('error', reject).listen(options.port ?? 0, host, resolve))
  server.port = (listener.address() as AddressInfo).port
  const expiry = setInterval(() => {
    for (const database of server.databases) database.expireSome()
  }, EXPIRY_EVERY_MS)
  expiry.unref()

  const stop = () =>
    new Promise<void>((resolve) => {
      clearInterval(expiry)
      listener.close(() => resolve())
      for (const session of server.sessions) session.socket.destroy()
    })
  return { url: `redis://${host}:${server.port}`, port: server.port, stop }
}

const serve = (server: Server, socket: Socket): void => {
  const session = new Session(++server.connectionCount, socket)
  const reader = new RequestReader()
  const context = { server, session, keyspace: server.databases[0] as Keyspace }
  server.sessions.add(session)
  socket.on('data', (chunk) => {
    try {
      for (const request of reader.read(chunk)) {
        const reply: Reply = execute(context, request)
        if (reply !== silent) session.send(reply)
        if (session.closing) return
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      session.closing = true
      session.send(new RedisError(`ERR Protocol error: ${error.message}`))
    }
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    unsubscribeAll(context)
    endTransaction(context)
    server.sessions.delete(session)
  })
}
