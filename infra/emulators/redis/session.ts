import type { Socket } from 'node:net'
import type { Command } from './command.ts'
import { encodeReply, type Reply } from './resp.ts'

export type Queued = { command: Command; args: Buffer[] }

/** A subscriber that does not read must not fill the memory of the server. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024

/** One connection: what it selected, watches, queued and listens to. */
export class Session {
  readonly id: number
  readonly socket: Socket
  name = ''
  database = 0
  /** Commands between MULTI and EXEC; undefined outside of a transaction. */
  queue: Queued[] | undefined
  /** A command was refused while queueing: EXEC must not run the others. */
  spoiled = false
  watched = new Set<string>()
  /** A watched key has changed. */
  stale = false
  channels = new Set<string>()
  patterns = new Set<string>()
  closing = false
  private unsent: Buffer[] = []
  private flushPlanned = false

  constructor(id: number, socket: Socket) {
    this.id = id
    this.socket = socket
  }

  get isSubscriber() {
    return this.channels.size + this.patterns.size > 0
  }

  /** Replies of one turn leave together, in the order in which they were sent. */
  send(reply: Reply): void {
    this.unsent.push(encodeReply(reply))
    if (this.flushPlanned) return
    this.flushPlanned = true
    queueMicrotask(() => this.flush())
  }

  private flush(): void {
    this.flushPlanned = false
    const bytes = this.unsent.length === 1 ? (this.unsent[0] as Buffer) : Buffer.concat(this.unsent)
    this.unsent = []
    if (this.socket.destroyed) return
    if (this.socket.writableLength > MAX_UNREAD_BYTES) this.socket.destroy()
    else if (this.closing) this.socket.end(bytes)
    else this.socket.write(bytes)
  }
}
