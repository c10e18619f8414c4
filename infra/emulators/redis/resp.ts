/** RESP2 on the wire: requests out of a byte stream, replies into bytes. Everything is binary safe. */

/** An error reply to the client; the first word is its code. */
export class RedisError extends Error {}

/** The bytes are not the protocol: the connection cannot be used any more. */
export class ProtocolError extends Error {}

/** A `+TEXT` reply, as opposed to a bulk string. */
export class Status {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export const OK = new Status('OK')

export type Reply = Buffer | number | bigint | null | Status | RedisError | Reply[]

const CRLF = Buffer.from('\r\n')
const line = (text: string): Buffer => Buffer.from(`${text}\r\n`, 'latin1')

export function encodeReply(reply: Reply): Buffer {
  if (reply === null) return line('$-1')
  if (Buffer.isBuffer(reply)) return Buffer.concat([line(`$${reply.length}`), reply, CRLF])
  if (Array.isArray(reply)) return Buffer.concat([line(`*${reply.length}`), ...reply.map(encodeReply)])
  if (reply instanceof Status) return line(`+${reply.text}`)
  if (reply instanceof RedisError) return line(`-${reply.message.replaceAll(/[\r\n]/g, ' ')}`)
  return line(`:${reply}`)
}

const MAX_ARGUMENTS = 1024 * 1024
const MAX_BULK = 512 * 1024 * 1024
const MAX_HEADER = 64

/** Cuts a byte stream into requests: arrays of arguments. */
export class RequestReader {
  #chunks: Buffer[] = []
  #held = 0
  /** The next request cannot be complete before there are this many bytes. */
  #needed = 0;

  /** Yields every request that is complete; the rest waits for the next chunk. @throws ProtocolError */
  *read(chunk: Buffer): Generator<Buffer[]> {
    this.#chunks.push(chunk)
    this.#held += chunk.length
    if (this.#held < this.#needed) return
    let rest = Buffer.concat(this.#chunks)
    for (let request = parse(rest); ; request = parse(rest)) {
      if ('needed' in request) {
        this.#needed = request.needed
        break
      }
      rest = rest.subarray(request.end)
      if (request.args.length > 0) yield request.args
    }
    this.#chunks = [rest]
    this.#held = rest.length
  }
}

function parse(bytes: Buffer): { args: Buffer[]; end: number } | { needed: number } {
  const count = header(bytes, 0, '*', MAX_ARGUMENTS)
  if (!count) return { needed: 0 }
  const args: Buffer[] = []
  let at = count.end
  while (args.length < count.value) {
    const size = header(bytes, at, '$', MAX_BULK)
    if (!size) return { needed: 0 }
    const end = size.end + size.value
    if (bytes.length < end + CRLF.length) return { needed: end + CRLF.length }
    // A copy, so that a small argument does not keep the whole chunk alive that it came in.
    args.push(Buffer.from(bytes.subarray(size.end, end)))
    at = end + CRLF.length
  }
  return { args, end: at }
}

/** `<mark><number>\r\n`, or undefined while it is incomplete. */
function header(bytes: Buffer, at: number, mark: '*' | '$', most: number): { value: number; end: number } | undefined {
  if (at >= bytes.length) return undefined
  if (bytes[at] !== mark.charCodeAt(0)) throw new ProtocolError(`expected '${mark}', got '${String.fromCharCode(bytes[at]!)}'`)
  const end = bytes.subarray(at, at + MAX_HEADER).indexOf(CRLF)
  if (end < 0 && bytes.length - at < MAX_HEADER) return undefined
  const digits = bytes.toString('latin1', at + 1, at + end)
  if (!/^\d+$/.test(digits) || Number(digits) > most)
    throw new ProtocolError(mark === '*' ? 'invalid multibulk length' : 'invalid bulk length')
  return { value: Number(digits), end: at + end + CRLF.length }
}
