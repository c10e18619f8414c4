/** One client connection: cuts the stream into requests and answers them one after the other, as the protocol demands. */
import type { Socket } from 'node:net'
import type { Broker } from './api/handler.ts'
import { API_VERSIONS_KEY, findApi, writeApiVersions } from './api/table.ts'
import { ErrorCode } from './wire/error-code.ts'
import { Reader } from './wire/reader.ts'
import { Writer } from './wire/writer.ts'

/** Apache Kafka's `socket.request.max.bytes`. */
const MAX_REQUEST_BYTES = 104_857_600
/** With so many requests waiting, the client is made to wait too. */
const MAX_WAITING_REQUESTS = 32

/** Serves `socket` until either side closes it. A request that makes no sense ends this connection and nothing else. */
export function serve(broker: Broker, socket: Socket): void {
  const gone = new AbortController()
  const waiting: Buffer[] = []
  const frames = new Frames()
  let busy = false

  const drop = (reason: string) => {
    broker.report(`closed a connection from ${socket.remoteAddress}: ${reason}`)
    socket.destroy()
  }
  const answerAll = async () => {
    busy = true
    for (let frame = waiting.shift(); frame !== undefined && !socket.destroyed; frame = waiting.shift()) {
      if (waiting.length < MAX_WAITING_REQUESTS) socket.resume()
      try {
        const parts = await answer(broker, frame, socket.remoteAddress ?? '', gone.signal)
        if (parts !== undefined && !gone.signal.aborted) await send(socket, parts, gone.signal)
      } catch (error) {
        if (!gone.signal.aborted) drop(error instanceof RangeError ? `malformed request (${error.message})` : (error as Error).message)
      }
    }
    busy = false
  }

  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
    try {
      waiting.push(...frames.cut(chunk))
    } catch (error) {
      return drop((error as Error).message)
    }
    if (waiting.length >= MAX_WAITING_REQUESTS) socket.pause()
    if (!busy) void answerAll()
  })
  // A connection reset is the client's affair; 'close' follows.
  socket.on('error', () => {})
  socket.on('close', () => gone.abort())
}

/** The bytes to send back, or undefined when the request wants none. Throws when the request is not understood. */
async function answer(broker: Broker, frame: Buffer, clientHost: string, signal: AbortSignal): Promise<Buffer[] | undefined> {
  const request = new Reader(frame)
  const key = request.int16()
  const version = request.int16()
  const correlationId = request.int32()
  const response = new Writer().int32(correlationId)
  const api = findApi(key, version)
  if (api === undefined) {
    if (key !== API_VERSIONS_KEY) throw new RangeError(`request ${key} is not known in version ${version}`)
    writeApiVersions(response, ErrorCode.unsupportedVersion)
  } else {
    const clientId = request.nullableString() ?? ''
    const outcome = await api.handle(broker, { version, clientId, clientHost: `/${clientHost}`, request, response, signal })
    if (outcome === 'silent') return undefined
  }
  const length = Buffer.allocUnsafe(4)
  length.writeInt32BE(response.length)
  return [length, ...response.finish()]
}

/** Resolves when the socket can take more, so that a slow reader does not fill our memory. */
function send(socket: Socket, parts: readonly Buffer[], signal: AbortSignal): Promise<void> {
  socket.cork()
  let hasRoom = true
  for (const part of parts) hasRoom = socket.write(part)
  socket.uncork()
  if (hasRoom) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = () => {
      socket.off('drain', finish)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    socket.on('drain', finish)
    signal.addEventListener('abort', finish)
  })
}

/** Collects chunks until whole requests are there: four bytes of length, then so many bytes. */
class Frames {
  private chunks: Buffer[] = []
  private held = 0

  cut(chunk: Buffer): Buffer[] {
    this.chunks.push(chunk)
    this.held += chunk.length
    const whole: Buffer[] = []
    for (let length = this.nextLength(); length !== undefined && this.held >= 4 + length; length = this.nextLength()) {
      const all = this.joined()
      whole.push(all.subarray(4, 4 + length))
      this.chunks = [all.subarray(4 + length)]
      this.held -= 4 + length
    }
    return whole
  }

  private nextLength(): number | undefined {
    if (this.held < 4) return undefined
    const first = this.chunks[0]!.length >= 4 ? this.chunks[0]! : this.joined()
    const length = first.readInt32BE(0)
    if (length < 8 || length > MAX_REQUEST_BYTES) throw new RangeError(`a request of ${length} bytes`)
    return length
  }

  private joined(): Buffer {
    if (this.chunks.length > 1) this.chunks = [Buffer.concat(this.chunks)]
    return this.chunks[0]!
  }
}
