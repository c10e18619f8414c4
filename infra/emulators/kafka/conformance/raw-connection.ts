/** Requests byte by byte, for what no client would send. */
import { connect, type Socket } from 'node:net'
import { Writer } from '../wire/writer.ts'

/** One request with its length in front, correlation id 7, client id 'raw'. */
export function frame(key: number, version: number, body: (writer: Writer) => void): Buffer {
  const writer = new Writer().int16(key).int16(version).int32(7).string('raw')
  body(writer)
  const bytes = Buffer.concat(writer.finish())
  const length = Buffer.alloc(4)
  length.writeInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Sends bytes and resolves with everything that comes back until the broker closes or `answers` frames are there. */
export async function exchange(port: number, bytes: Buffer, answers: number): Promise<{ socket: Socket; frames: Buffer[] }> {
  const socket = connect(port, '127.0.0.1')
  let held = Buffer.alloc(0)
  const frames: Buffer[] = []
  socket.write(bytes)
  await new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk])
      while (held.length >= 4 && held.length >= 4 + held.readInt32BE(0)) {
        frames.push(held.subarray(4, 4 + held.readInt32BE(0)))
        held = held.subarray(4 + held.readInt32BE(0))
      }
      if (frames.length >= answers) resolve()
    })
  })
  return { socket, frames }
}
