/** A development broker that speaks the Kafka wire protocol and keeps its log in SQLite. See the README for its limits. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Broker } from './api/handler.ts'
import { serve } from './connection.ts'
import { CommittedOffsets } from './groups/committed-offsets.ts'
import { GroupCoordinator } from './groups/coordinator.ts'
import { Database } from './log/database.ts'
import { MessageLog } from './log/message-log.ts'
import { Topics } from './log/topics.ts'

const HOUSEKEEPING_MS = 5_000

export type KafkaEmulatorOptions = {
  /** 0 or absent: any free port. */
  port?: number
  /** Where the log is kept; absent: in memory. */
  dataDir?: string
  /** The address to listen on, which is also the one that clients are told to use. */
  host?: string
  /** Receives one line for every refused connection and for everything else that somebody should see. Standard error by default. */
  report?: (line: string) => void
}

export type KafkaEmulator = {
  /** `host:port`, as kafkajs wants it. */
  brokers: string
  port: number
  /** Ends every connection, writes what is accepted, and frees the log. */
  stop(): Promise<void>
}

/** Resolves when the broker accepts connections. Rejects in production, when the port is taken, and when another broker has the log. */
export async function startKafkaEmulator(options: KafkaEmulatorOptions = {}): Promise<KafkaEmulator> {
  if (process.env.NODE_ENV === 'production')
    throw new Error('the Kafka emulator is for development and tests: it does not run with NODE_ENV=production')
  const { port = 0, dataDir, host = '127.0.0.1', report = (line) => console.error(`kafka emulator: ${line}`) } = options
  const database = new Database(dataDir)
  const topics = new Topics(database)
  const log = new MessageLog(database, topics)
  const offsets = new CommittedOffsets(database)
  const coordinator = new GroupCoordinator(database, offsets)
  const broker: Broker = { clusterId: await clusterId(database), host, port, database, topics, log, offsets, coordinator, report }

  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(broker, socket)
  })
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    database.close()
    throw error
  }
  server.on('error', (error) => report(error.message))
  broker.port = (server.address() as AddressInfo).port

  const housekeeping = setInterval(() => {
    const work = database.write(() => {
      log.applyRetention()
      log.forgetSilentProducers()
    })
    work.catch((error: Error) => report(`housekeeping failed: ${error.message}`))
  }, HOUSEKEEPING_MS)

  const stop = async () => {
    clearInterval(housekeeping)
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
    coordinator.close()
    database.close()
  }
  let stopped: Promise<void> | undefined
  return {
    brokers: `${host}:${broker.port}`,
    port: broker.port,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

function clusterId(database: Database): Promise<string> {
  return database.write(() => {
    database.prepare("INSERT OR IGNORE INTO settings VALUES ('cluster id', ?)").run(randomUUID())
    return String(database.prepare("SELECT value FROM settings WHERE name = 'cluster id'").get()!.value)
  })
}
