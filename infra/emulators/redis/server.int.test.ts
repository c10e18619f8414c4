/** What belongs to the emulator alone: memory, and what it refuses. */
import { connect } from 'node:net'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, it } from 'vitest'
import { type RedisEmulator, startRedisEmulator } from './server.ts'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

async function start(options?: Parameters<typeof startRedisEmulator>[0]): Promise<RedisEmulator> {
  const emulator = await startRedisEmulator(options)
  ending.push(() => emulator.stop())
  return emulator
}

function open(url: string, options = {}): Redis {
  const client = new Redis(url, { maxRetriesPerRequest: 1, ...options })
  ending.push(() => client.disconnect())
  return client
}

describe('memory', () => {
  it('drops the keys that were written longest ago when it is full', async () => {
    const redis = open((await start({ maxMemoryBytes: 1024 * 1024 })).url)
    for (let at = 0; at < 200; at++) await redis.set(`block:${at}`, Buffer.alloc(10_000, 'x'))
    const kept = await Promise.all([90, 110, 199].map(async (at) => (await redis.get(`block:${at}`)) !== null))
    expect(kept).toEqual([false, true, true])
  })

  it('empties one database with FLUSHDB and all with FLUSHALL', async () => {
    const { url } = await start()
    const [first, second] = [open(url), open(url, { db: 1 })]
    await first.set('a', '1')
    await second.set('b', '1')
    expect(await first.flushdb()).toBe('OK')
    expect([await first.get('a'), await second.get('b')]).toEqual([null, '1'])
    expect(await first.flushall('ASYNC')).toBe('OK')
    expect(await second.get('b')).toBeNull()
  })
})

describe('requests', () => {
  it('are put together from any pieces', async () => {
    const { port } = await start()
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    ending.push(() => socket.destroy())
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    for (const byte of '*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$4\r\n\r\n\r\n\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n*1\r\n$4\r\nPING\r\n')
      await new Promise<void>((resolve) => socket.write(byte, () => resolve()))
    await expect.poll(() => answer).toBe('+OK\r\n$4\r\n\r\n\r\n\r\n+PONG\r\n')
  })

  it.each([
    'LPUSH list x',
    'EVAL return 0',
    'SUBSCRIBE channel',
    'CONFIG GET *',
    'constructor',
    'SET a 1 KEEPTTL',
    'PEXPIRE a 1 GT',
    'SCAN 0 TYPE string',
    'SCAN 0 MATCH [ab]*',
    'CLIENT LIST',
    'HELLO 2 AUTH default secret',
  ])('that the product does not send are refused: %s', async (request) => {
    const redis = open((await start()).url)
    const [name, ...args] = request.split(' ') as [string, ...string[]]
    await expect(redis.call(name, ...args)).rejects.toThrow(/^ERR not implemented here: .*make servers/)
  })

  it('in RESP3 are refused in the way after which clients go on in RESP2', async () => {
    const redis = open((await start()).url)
    await expect(redis.call('HELLO', '3')).rejects.toThrow('NOPROTO unsupported protocol version')
  })
})
