/** Damaged requests, for servers that must live through them. */
import { once } from 'node:events'
import { connect } from 'node:net'

const ROUNDS = 100
const AT_ONCE = 20

/** Sends two thousand of these requests, each with up to four wrong bytes from `from` on: the same ones in every run. */
export async function sendDamaged(port: number, samples: readonly Buffer[], from: number): Promise<void> {
  let seed = 12_345
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % below
  }
  for (let round = 0; round < ROUNDS; round++) {
    const closed = Array.from({ length: AT_ONCE }, () => {
      const bytes = Buffer.from(samples[random(samples.length)]!)
      for (let damage = random(4); damage >= 0; damage--) bytes[from + random(bytes.length - from)] = random(256)
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.resume()
      socket.end(bytes)
      return once(socket, 'close')
    })
    await Promise.all(closed)
  }
}
