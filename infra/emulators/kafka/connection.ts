/** One client connection: cuts the stream into requests and answers them one after the other, as the protocol demands. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Broker } from './api/request.ts'
import { handlerOf } from './api/table.ts'
import { Reader } from './wire/reader.ts'
import { Writer } from './wire/writer.ts'

/** Apache Kafka's `socket.request.max.bytes`. */
const MAX_REQUEST_BYTES = 104_857_600

/** Serves `socket` until either side closes it. A request that makes no sense ends this connection and nothing else. */
export function serve(broker: Broker, socket: Socket): void {
  const gone = new AbortController()
  const frames = new Frames()
  let turn: Promise<unknown> = Promise.resolve()
  const drop = (error: unknown) => {
    if (gone.signal.aborted || socket.destroyed) return
    const { message } = error as Error
    broker.report(`closed a connection: ${error instanceof RangeError ? `malformed request (${message})` : message}`)
    socket.destroy()
  }
  socket.on('data', (chunk) => {
    try {
      for (const frame of frames.cut(chunk)) turn = turn.then(() => answer(broker, frame, socket, gone.signal)).catch(drop)
    } catch (error) {
      drop(error)
    }
  })
  socket.on('close', () => gone.abort())
}

/** Resolves when the socket can take more, so that a slow reader does not fill our memory. */
async function answer(broker: Broker, frame: Buffer, socket: Socket, signal: AbortSignal): Promise<void> {
  if (socket.destroyed) return
  const body = new Reader(frame)
  const [key, version, correlationId] = [body.int16(), body.int16(), body.int32()]
  const handle = handlerOf(key, version)
  const clientId = body.nullableString() ?? ''
  const response = new Writer().int32(correlationId)
  const outcome = await handle(broker, { version, clientId, body, response, signal })
  if (outcome === 'silent' || socket.destroyed) return
  if (!socket.write(response.finish())) await once(socket, 'drain', { signal })
}

/** Collects chunks until whole requests are there: four bytes of length, then so many bytes. */
class Frames {
  #chunks: Buffer[] = []
  #held = 0
  #needed = 4

  cut(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk)
    this.#held += chunk.length
    const whole: Buffer[] = []
    while (this.#held >= this.#needed) {
      const all = Buffer.concat(this.#chunks)
      const length = all.readInt32BE(0)
      if (length < 8 || length > MAX_REQUEST_BYTES) throw new RangeError(`a request of ${length} bytes`)
      this.#needed = 4 + length
      this.#chunks = [all]
      if (this.#held < this.#needed) break
      whole.push(all.subarray(4, this.#needed))
      this.#chunks = [all.subarray(this.#needed)]
      this.#held -= this.#needed
      this.#needed = 4
    }
    return whole
  }
}
