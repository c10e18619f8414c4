// The listener: connections in, replies out, and the one rule that no reply leaves before its writes are on disk.
import { createServer, type Server, type Socket } from 'node:net'
import { Cursors } from './cursors.ts'
import { errorReply, runCommand } from './dispatch.ts'
import { CommandError } from './errors.ts'
import { Catalog } from './storage/catalog.ts'
import { Database, StorageError } from './storage/database.ts'
import type { Doc } from './values/bson.ts'
import { MessageReader, parseMessage, type Request, replyMessage } from './wire.ts'

/** The real server looks for expired documents each minute; waiting that long helps nobody in development. */
const TTL_INTERVAL_MS = 1000

export type MongoEmulator = {
  /** `mongodb://host:port`, without a database name. */
  url: string
  port: number
  /** Closes all connections and the data file. */
  stop(): Promise<void>
}

type Waiting = { socket: Socket; request: Request; body: Doc | Uint8Array }

class Service {
  readonly #file: Database
  readonly #catalog: Catalog
  readonly #cursors = new Cursors()
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  readonly #timer: NodeJS.Timeout
  #waiting: Waiting[] = []
  #lastConnection = 0

  constructor(dataDir: string | undefined) {
    this.#file = new Database(dataDir)
    this.#catalog = new Catalog(this.#file)
    this.#server = createServer((socket) => this.#connect(socket))
    this.#timer = setInterval(() => this.#housekeep(), TTL_INTERVAL_MS)
    this.#timer.unref()
  }

  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, resolve)
    })
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : port
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#flush()
    for (const socket of this.#sockets) socket.destroy()
    await closed
    this.#file.close()
  }

  #connect(socket: Socket): void {
    this.#sockets.add(socket)
    this.#lastConnection += 1
    const connectionId = this.#lastConnection
    const reader = new MessageReader()
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('data', (chunk) => {
      try {
        for (const message of reader.push(chunk)) this.#receive(socket, connectionId, parseMessage(message))
      } catch {
        // Not the protocol: there is no telling where the next message begins.
        socket.destroy()
      }
    })
  }

  #receive(socket: Socket, connectionId: number, request: Request): void {
    const { command: args, sequences } = request
    const call = {
      name: Object.keys(args)[0] ?? '',
      args,
      db: String(args.$db ?? 'test'),
      sequences,
      catalog: this.#catalog,
      cursors: this.#cursors,
      connectionId,
    }
    let body: Doc | Uint8Array
    try {
      body = runCommand(call)
    } catch (error) {
      this.#waiting.push({ socket, request, body: {} })
      this.#fail(error)
      return
    }
    // Commands that arrive in the same turn of the event loop share one flush to disk. Reads wait with them: they may
    // have seen what is not on disk yet.
    if (this.#file.isDirty) {
      if (this.#waiting.length === 0) setImmediate(() => this.#flush())
      this.#waiting.push({ socket, request, body })
    } else this.#send({ socket, request, body })
  }

  #send({ socket, request, body }: Waiting): void {
    if (request.wantsReply && socket.writable) socket.write(replyMessage(request, body))
  }

  #flush(): void {
    try {
      this.#file.commit()
    } catch (error) {
      this.#fail(error)
      return
    }
    const waiting = this.#waiting
    this.#waiting = []
    for (const one of waiting) this.#send(one)
  }

  /** The disk failed: nothing that waits was written, so memory goes back to what the file holds and everyone hears of it. */
  #fail(error: unknown): void {
    this.#file.rollback()
    this.#catalog.reload()
    const waiting = this.#waiting
    this.#waiting = []
    const message = error instanceof StorageError ? error.message : String(error)
    for (const { socket, request } of waiting) this.#send({ socket, request, body: errorReply(new CommandError(1, message)) })
  }

  #housekeep(): void {
    const now = new Date()
    this.#cursors.sweep(now.getTime())
    try {
      for (const collection of this.#catalog.allCollections()) collection.expire(now)
    } catch (error) {
      this.#fail(error)
      return
    }
    this.#flush()
  }
}

/**
 * Starts a development server that unmodified MongoDB clients can use.
 * @param options.port 0 or absent: any free one. @param options.dataDir folder for the data; absent: in memory only.
 * @throws Error with NODE_ENV=production, when the port is taken, or when another server uses the folder.
 */
export async function startMongoEmulator(options: { port?: number; dataDir?: string; host?: string } = {}): Promise<MongoEmulator> {
  if (process.env.NODE_ENV === 'production')
    throw new Error('The MongoDB development server does not run with NODE_ENV=production: set MONGO_URL to a real one.')
  const { port = 0, dataDir, host = '127.0.0.1' } = options
  const service = new Service(dataDir)
  try {
    const bound = await service.listen(port, host)
    return { url: `mongodb://${host}:${bound}`, port: bound, stop: () => service.stop() }
  } catch (error) {
    await service.stop()
    throw error
  }
}
