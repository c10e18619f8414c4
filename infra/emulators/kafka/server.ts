/** A broker for development and tests: it speaks the Kafka wire protocol and keeps its log in SQLite. */
import { DataFile } from '../data-file.ts'
import { type Listener, listen, refuseProduction } from '../listener.ts'
import type { Broker } from './api/request.ts'
import { serve } from './connection.ts'
import { GroupCoordinator, OFFSETS_SCHEMA } from './groups/coordinator.ts'
import { LOG_SCHEMA, Log } from './log.ts'

const HOUSEKEEPING_MS = 5_000

export type KafkaEmulator = {
  /** `host:port`, as kafkajs wants it. */
  brokers: string
  port: number
  /** Ends every connection, writes what is accepted, and frees the log. Safe to repeat. */
  stop(): Promise<void>
}

/**
 * @param options.port 0 or absent: any free one. @param options.dataDir where the log is kept; absent: in memory.
 * @param options.report receives one line for every refused request; standard error by default.
 * @throws Error with NODE_ENV=production, when the port is taken, and when another broker has the log.
 */
export async function startKafkaEmulator(
  options: { port?: number; dataDir?: string | undefined; report?: (line: string) => void } = {},
): Promise<KafkaEmulator> {
  refuseProduction('Kafka')
  const { port = 0, dataDir, report = (line) => console.error(`kafka emulator: ${line}`) } = options
  const file = new DataFile(dataDir, 'kafka.sqlite', `${LOG_SCHEMA}; ${OFFSETS_SCHEMA}`)
  const broker: Broker = { host: '127.0.0.1', port, file, log: new Log(file), coordinator: new GroupCoordinator(file), report }
  let listener: Listener
  try {
    listener = await listen(port, (socket) => serve(broker, socket))
  } catch (error) {
    file.close()
    throw error
  }
  broker.port = listener.port
  const housekeeping = setInterval(() => {
    file.write(() => broker.log.applyRetention()).catch((error: Error) => report(error.message))
  }, HOUSEKEEPING_MS)
  return {
    brokers: listener.address,
    port: listener.port,
    async stop() {
      clearInterval(housekeeping)
      await listener.close()
      broker.coordinator.close()
      file.close()
    },
  }
}
