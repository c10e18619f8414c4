/** A MongoDB server for development and tests: it speaks the wire protocol to unmodified drivers and keeps its documents in SQLite. */
import type { Socket } from 'node:net'
import { DataFile } from '../data-file.ts'
import { type Listener, listen, refuseProduction } from '../listener.ts'
import { runCommand } from './commands/dispatch.ts'
import { Cursors } from './cursors.ts'
import { CommandError } from './errors.ts'
import { Catalog, SCHEMA } from './storage/catalog.ts'
import type { Doc } from './values.ts'
import { MessageReader, parseMessage, type Request, replyMessage } from './wire.ts'

/** The real server looks for expired documents each minute; waiting that long helps nobody in development. */
const TTL_INTERVAL_MS = 2000

export type MongoEmulator = {
  /** `mongodb://host:port`, without a database name. */
  url: string
  port: number
  /** Closes all connections and the data file. Safe to repeat. */
  stop(): Promise<void>
}

/**
 * @param options.port 0 or absent: any free one. @param options.dataDir folder for the data; absent: in memory.
 * @throws Error with NODE_ENV=production, when the port is taken, and when another server uses the folder.
 */
export async function startMongoEmulator(options: { port?: number; dataDir?: string | undefined } = {}): Promise<MongoEmulator> {
  refuseProduction('MongoDB')
  const file = new DataFile(options.dataDir, 'mongo.sqlite', SCHEMA)
  const [catalog, cursors] = [new Catalog(file), new Cursors()]

  /** One command at a time; its reply is there when everything it changed is on disk. */
  const answer = ({ command, sequences }: Request): Promise<Doc | Uint8Array> => {
    const name = Object.keys(command)[0] ?? ''
    const call = { name, args: command, db: String(command.$db), sequences, catalog, cursors }
    return file.write(() => runCommand(call)).catch((error: Error) => new CommandError(1, error.message).reply())
  }
  let listener: Listener
  try {
    listener = await listen(options.port ?? 0, (socket) => serve(socket, answer))
  } catch (error) {
    file.close()
    throw error
  }
  const housekeeping = setInterval(() => {
    const now = Date.now()
    cursors.sweep(now)
    const expire = () => catalog.all().map((collection) => collection.expire(now))
    file.write(expire).catch((error: Error) => console.error(`mongo emulator: ${error.message}`))
  }, TTL_INTERVAL_MS)
  return {
    url: `mongodb://${listener.address}`,
    port: listener.port,
    async stop() {
      clearInterval(housekeeping)
      await listener.close()
      file.close()
    },
  }
}

function serve(socket: Socket, answer: (request: Request) => Promise<Doc | Uint8Array>): void {
  const reader = new MessageReader()
  socket.on('data', (chunk) => {
    try {
      for (const message of reader.push(chunk)) {
        const request = parseMessage(message)
        const reply = answer(request).then((body) => {
          if (request.wantsReply && socket.writable) socket.write(replyMessage(request, body))
        })
        reply.catch(() => socket.destroy())
      }
    } catch {
      // Not the protocol: there is no telling where the next message begins.
      socket.destroy()
    }
  })
}
