/** RESP2 on the wire: reading requests out of a byte stream and writing replies. Everything is binary safe. */

/** An error that the client is told; the first word is its code (`ERR`, `WRONGTYPE`, ...). */
export class RedisError extends Error {}

/** A `+TEXT` reply, as opposed to a bulk string. */
export class Status {
  text: string
  constructor(text: string) {
    this.text = text
  }
}

export const ok = new Status('OK')
/** The nil array (`*-1`), which EXEC and the counted pops answer; plain `null` is the nil bulk string (`$-1`). */
export const nilArray = Symbol('nil array')
/** No reply at all: the command has already written what it had to say (subscriptions). */
export const silent = Symbol('silent')

/** A string is written as a bulk string of its latin1 bytes. */
export type Reply = Buffer | string | number | bigint | null | Status | RedisError | typeof nilArray | typeof silent | Reply[]

const crlf = Buffer.from('\r\n')

export const encodeReply = (reply: Reply): Buffer => {
  const parts: Buffer[] = []
  write(reply, parts)
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

const line = (text: string) => Buffer.from(`${text}\r\n`, 'latin1')
const oneLine = (text: string) => text.replaceAll(/[\r\n]/g, ' ')

const write = (reply: Reply, parts: Buffer[]): void => {
  if (reply === silent) return
  if (reply === null) parts.push(line('$-1'))
  else if (reply === nilArray) parts.push(line('*-1'))
  else if (typeof reply === 'number' || typeof reply === 'bigint') parts.push(line(`:${reply}`))
  else if (typeof reply === 'string') parts.push(line(`$${reply.length}`), Buffer.from(reply, 'latin1'), crlf)
  else if (Buffer.isBuffer(reply)) parts.push(line(`$${reply.length}`), reply, crlf)
  else if (reply instanceof Status) parts.push(line(`+${reply.text}`))
  else if (reply instanceof RedisError) parts.push(line(`-${oneLine(reply.message)}`))
  else {
    parts.push(line(`*${(reply as Reply[]).length}`))
    for (const item of reply as Reply[]) write(item, parts)
  }
}

const MAX_ARGUMENTS = 1024 * 1024
const MAX_BULK = 512 * 1024 * 1024
const MAX_LINE = 64 * 1024

/** Cuts a byte stream into requests (arrays of arguments). A ProtocolError means that the connection cannot be used any more. */
export class RequestReader {
  private chunks: Buffer[] = []
  private total = 0
  /** Nothing can be made of the bytes at hand before there are this many. */
  private needed = 1
  private remaining = 0
  private request: Buffer[] = [];

  /** Yields every complete request; what is left waits for the next chunk. */
  *read(chunk: Buffer): Generator<Buffer[]> {
    this.chunks.push(chunk)
    this.total += chunk.length
    if (this.total < this.needed) return
    const bytes = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks)
    let at = 0
    this.needed = 1
    try {
      while (at < bytes.length) {
        const end = bytes.indexOf('\r\n', at)
        const newline = this.remaining === 0 && bytes[at] !== 0x2a ? bytes.indexOf('\n', at) : -1
        if (end < 0 && newline < 0) {
          if (bytes.length - at > MAX_LINE) throw new ProtocolError('too big inline request')
          return
        }
        if (this.remaining === 0 && bytes[at] !== 0x2a) {
          const words = bytes.toString('latin1', at, newline).split(/\s+/).filter(Boolean)
          at = newline + 1
          if (words.length > 0) yield words.map((word) => Buffer.from(word, 'latin1'))
          continue
        }
        const header = bytes.toString('latin1', at + 1, end)
        const count = /^-?\d+$/.test(header) ? Number(header) : Number.NaN
        if (this.remaining === 0) {
          if (Number.isNaN(count) || count > MAX_ARGUMENTS) throw new ProtocolError('invalid multibulk length')
          at = end + 2
          this.remaining = Math.max(0, count)
          this.request = []
          continue
        }
        if (bytes[at] !== 0x24) throw new ProtocolError(`expected '$', got '${String.fromCharCode(bytes[at] as number)}'`)
        if (Number.isNaN(count) || count < 0 || count > MAX_BULK) throw new ProtocolError('invalid bulk length')
        const next = end + 2 + count + 2
        if (bytes.length < next) {
          this.needed = next - at
          return
        }
        // A copy, so that a small argument does not keep the whole chunk that it came in alive.
        this.request.push(Buffer.from(bytes.subarray(end + 2, end + 2 + count)))
        at = next
        this.remaining -= 1
        if (this.remaining === 0) yield this.request
      }
    } finally {
      this.chunks = at < bytes.length ? [bytes.subarray(at)] : []
      this.total = bytes.length - at
    }
  }
}

export class ProtocolError extends Error {}
