import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { kafkaClient } from './kafka.ts'
import { createLog } from './log.ts'

/** The first byte of a TLS handshake; a request of Kafka begins with its length, whose first byte is zero. */
const HANDSHAKE = 0x16

test.each([
  ['in TLS with KAFKA_TLS', true, HANDSHAKE],
  ['in plain without', false, 0],
])('brokers are spoken to %s', async (_, tls, byte) => {
  const first = Promise.withResolvers<number | undefined>()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (bytes) => {
      first.resolve(bytes[0])
      socket.destroy()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const brokers = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const admin = kafkaClient({ brokers, clientId: 'test', log: createLog('test', 'silent'), tls }).admin({ retry: { retries: 0 } })
  await expect(admin.connect()).rejects.toThrow()
  expect(await first.promise).toBe(byte)
  server.close()
})
