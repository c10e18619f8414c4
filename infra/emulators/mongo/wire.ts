/** Framing of the MongoDB wire protocol: OP_MSG, and OP_QUERY for the first greeting of a driver. */
import { type Doc, decode, encode } from './values.ts'

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013
const HEADER_BYTES = 16
export const MAX_MESSAGE_BYTES = 48_000_000

const CHECKSUM_PRESENT = 1
const MORE_TO_COME = 2

export type Request = {
  requestId: number
  /** The command; `$db` says where. */
  command: Doc
  /** Documents sent beside the command (`documents`, `updates`, `deletes`), undecoded, by the argument they belong to. */
  sequences: Map<string, Uint8Array[]>
  /** False when the client does not read an answer. */
  wantsReply: boolean
  /** True for OP_QUERY, which is answered by OP_REPLY. */
  legacy: boolean
}

/** @throws Error when the bytes are not a message this server understands; the connection is of no more use then. */
export function parseMessage(message: Buffer): Request {
  const requestId = message.readInt32LE(4)
  const opCode = message.readInt32LE(12)
  if (opCode === OP_MSG) return parseMsg(message, requestId)
  if (opCode === OP_QUERY) return parseQuery(message, requestId)
  throw new Error(`unsupported operation code ${opCode}`)
}

function parseMsg(message: Buffer, requestId: number): Request {
  const flags = message.readUInt32LE(HEADER_BYTES)
  const end = flags & CHECKSUM_PRESENT ? message.length - 4 : message.length
  let command: Doc | undefined
  const sequences = new Map<string, Uint8Array[]>()
  for (let at = HEADER_BYTES + 4; at < end; ) {
    const kind = message[at]!
    const size = message.readInt32LE(at + 1)
    const next = at + 1 + size
    if (size < 5 || next > end) throw new Error('a section is longer than its message')
    if (kind === 0) command = decode(message.subarray(at + 1, next))
    else if (kind === 1) {
      const name = cString(message, at + 5)
      sequences.set(name.text, splitDocuments(message.subarray(name.end, next)))
    } else throw new Error(`unknown kind of section: ${kind}`)
    at = next
  }
  if (!command) throw new Error('a message without a command')
  return { requestId, command, sequences, wantsReply: (flags & MORE_TO_COME) === 0, legacy: false }
}

function parseQuery(message: Buffer, requestId: number): Request {
  const namespace = cString(message, HEADER_BYTES + 4)
  const document = message.subarray(namespace.end + 8)
  const command = decode(document.subarray(0, document.readInt32LE(0)))
  return { requestId, command: { ...command, $db: 'admin' }, sequences: new Map(), wantsReply: true, legacy: true }
}

function splitDocuments(section: Buffer): Uint8Array[] {
  const documents: Uint8Array[] = []
  for (let at = 0; at < section.length; ) {
    const size = section.readInt32LE(at)
    if (size < 5 || at + size > section.length) throw new Error('a document is longer than its section')
    documents.push(section.subarray(at, at + size))
    at += size
  }
  return documents
}

function cString(buffer: Buffer, start: number): { text: string; end: number } {
  const end = buffer.indexOf(0, start)
  if (end < 0) throw new Error('a name without an end')
  return { text: buffer.toString('utf8', start, end), end: end + 1 }
}

/** Cuts a stream of bytes into whole messages. */
export class MessageReader {
  #chunks: Buffer[] = []
  #held = 0
  #needed = HEADER_BYTES

  /** The messages that are complete now. @throws Error on an impossible length. */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk)
    this.#held += chunk.length
    const messages: Buffer[] = []
    while (this.#held >= this.#needed) {
      const all = Buffer.concat(this.#chunks)
      const size = all.readInt32LE(0)
      if (size < HEADER_BYTES || size > MAX_MESSAGE_BYTES) throw new Error(`a message of ${size} bytes`)
      this.#needed = size
      this.#chunks = [all]
      if (this.#held < size) break
      messages.push(all.subarray(0, size))
      this.#chunks = [all.subarray(size)]
      this.#held -= size
      this.#needed = HEADER_BYTES
    }
    return messages
  }
}

/** @param body the reply as BSON bytes, or as a document. */
export function replyMessage({ requestId, legacy }: Request, body: Uint8Array | Doc): Buffer {
  const bytes = body instanceof Uint8Array ? body : encode(body)
  // OP_MSG: flags and the kind of its only section. OP_REPLY: flags, cursor, position, and that there is one document.
  const prefix = Buffer.alloc(legacy ? 20 : 5)
  if (legacy) prefix.writeInt32LE(1, 16)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeInt32LE(HEADER_BYTES + prefix.length + bytes.length, 0)
  header.writeInt32LE(requestId, 8)
  header.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12)
  return Buffer.concat([header, prefix, bytes])
}
