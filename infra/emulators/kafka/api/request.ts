/** What a request handler is given, and how it answers. */
import type { DataFile } from '../../data-file.ts'
import type { GroupCoordinator } from '../groups/coordinator.ts'
import type { Log } from '../log.ts'
import type { Reader } from '../wire/reader.ts'
import type { Writer } from '../wire/writer.ts'

/** The only broker of its cluster: leader of every partition, controller, coordinator of every group. */
export const NODE_ID = 1

export type Broker = {
  host: string
  port: number
  file: DataFile
  log: Log
  coordinator: GroupCoordinator
  /** One line for whoever watches the broker. */
  report: (line: string) => void
}

export type Request = {
  version: number
  clientId: string
  body: Reader
  response: Writer
  /** Aborted when the connection is gone. */
  signal: AbortSignal
}

/** Reads `request.body`, writes `request.response`; 'silent' when the protocol wants no answer. */
export type Handler = (broker: Broker, request: Request) => undefined | 'silent' | Promise<undefined | 'silent'>
