// Framing of the MongoDB wire protocol: OP_MSG, and OP_QUERY for the first greeting of older handshakes.
import { type Doc, decodeTyped, encode } from './values/bson.ts'

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013
const HEADER_BYTES = 16
export const MAX_MESSAGE_BYTES = 48_000_000

const CHECKSUM_PRESENT = 1
const MORE_TO_COME = 2

export type Request = {
  requestId: number
  /** The command, typed; `$db` says where. */
  command: Doc
  /** Documents sent beside the command (`documents`, `updates`, `deletes`), undecoded, by the argument they belong to. */
  sequences: Map<string, Uint8Array[]>
  /** False when the client does not read an answer. */
  wantsReply: boolean
  /** True for OP_QUERY, which is answered by OP_REPLY. */
  legacy: boolean
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
    if (kind === 0) command = decodeTyped(message.subarray(at + 1, next))
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
  const command = decodeTyped(document.subarray(0, document.readInt32LE(0)))
  const dot = namespace.text.indexOf('.')
  return { requestId, command: { ...command, $db: namespace.text.slice(0, dot) }, sequences: new Map(), wantsReply: true, legacy: true }
}

/** @throws Error when the bytes are not a message this server understands; the connection is of no more use then. */
export function parseMessage(message: Buffer): Request {
  const requestId = message.readInt32LE(4)
  const opCode = message.readInt32LE(12)
  if (opCode === OP_MSG) return parseMsg(message, requestId)
  if (opCode === OP_QUERY) return parseQuery(message, requestId)
  throw new Error(`unsupported operation code ${opCode}`)
}

/** Cuts a stream of bytes into whole messages. */
export class MessageReader {
  #chunks: Buffer[] = []
  #length = 0

  /** The messages that are complete now. @throws Error on an impossible length. */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    const messages: Buffer[] = []
    while (this.#length >= HEADER_BYTES) {
      const size = this.#peekSize()
      if (size < HEADER_BYTES || size > MAX_MESSAGE_BYTES) throw new Error(`a message of ${size} bytes`)
      if (this.#length < size) break
      const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
      messages.push(all.subarray(0, size))
      this.#chunks = all.length > size ? [all.subarray(size)] : []
      this.#length -= size
    }
    return messages
  }

  #peekSize(): number {
    if (this.#chunks[0]!.length < 4) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#chunks[0]!.readInt32LE(0)
  }
}

let lastReplyId = 0

function header(bodyBytes: number, responseTo: number, opCode: number): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES)
  lastReplyId = (lastReplyId + 1) & 0x7fffffff
  buffer.writeInt32LE(HEADER_BYTES + bodyBytes, 0)
  buffer.writeInt32LE(lastReplyId, 4)
  buffer.writeInt32LE(responseTo, 8)
  buffer.writeInt32LE(opCode, 12)
  return buffer
}

/** @param body the reply as BSON bytes, or as a document. */
export function replyMessage(request: Pick<Request, 'requestId' | 'legacy'>, body: Uint8Array | Doc): Buffer {
  const bytes = body instanceof Uint8Array ? body : encode(body)
  if (!request.legacy) return Buffer.concat([header(5 + bytes.length, request.requestId, OP_MSG), Buffer.alloc(5), bytes])
  const prefix = Buffer.alloc(20)
  prefix.writeInt32LE(8, 0) // "await capable", as every server of the last ten years says
  prefix.writeInt32LE(1, 16) // one document
  return Buffer.concat([header(20 + bytes.length, request.requestId, OP_REPLY), prefix, bytes])
}
