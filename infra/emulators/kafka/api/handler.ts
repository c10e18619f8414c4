/** What a request handler is given, and how it answers. */
import type { CommittedOffsets } from '../groups/committed-offsets.ts'
import type { GroupCoordinator } from '../groups/coordinator.ts'
import type { Database } from '../log/database.ts'
import type { MessageLog } from '../log/message-log.ts'
import type { Topics } from '../log/topics.ts'
import type { Reader } from '../wire/reader.ts'
import type { Writer } from '../wire/writer.ts'

/** The only broker of its cluster: leader of every partition, controller, coordinator of every group. */
export const NODE_ID = 1

export type Broker = {
  clusterId: string
  host: string
  port: number
  database: Database
  topics: Topics
  log: MessageLog
  offsets: CommittedOffsets
  coordinator: GroupCoordinator
  /** One line for whoever watches the broker. */
  report: (line: string) => void
}

export type Call = {
  version: number
  clientId: string
  clientHost: string
  request: Reader
  response: Writer
  /** Aborted when the connection is gone. */
  signal: AbortSignal
}

/** Reads `call.request`, writes `call.response`; resolves with 'silent' when the protocol wants no answer. */
export type Handler = (broker: Broker, call: Call) => undefined | 'silent' | Promise<undefined | 'silent'>

export const TRANSACTIONS_REFUSED = 'transactions are not supported by the Kafka emulator: use an idempotent producer, or a real broker'
