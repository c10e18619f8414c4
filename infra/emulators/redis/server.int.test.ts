/** What belongs to the emulator alone: memory, start and stop, and its refusals. */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type RedisEmulator, startRedisEmulator } from './server.ts'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const start = async (options?: Parameters<typeof startRedisEmulator>[0]): Promise<RedisEmulator> => {
  const emulator = await startRedisEmulator(options)
  ending.push(() => emulator.stop())
  return emulator
}

const open = (url: string, options = {}) => {
  const client = new Redis(url, { maxRetriesPerRequest: 1, ...options })
  ending.push(() => client.disconnect())
  return client
}

const stat = async (redis: Redis, name: string) => Number(new RegExp(`${name}:(\\d+)`).exec(await redis.info())?.[1])

describe('memory', () => {
  it('gives up the least recently used keys when full, and keeps what is read', async () => {
    const redis = open((await start({ maxMemoryBytes: 1024 * 1024 })).url)
    const block = Buffer.alloc(10_000, 'x')
    for (let at = 0; at < 100; at++) await redis.set(`early:${at}`, block)
    for (let at = 0; at < 500; at++) {
      await redis.get('early:0')
      await redis.set(`late:${at}`, block)
    }
    expect(await redis.exists('early:0')).toBe(1)
    expect(await redis.exists('early:1')).toBe(0)
    expect(await redis.exists('late:499')).toBe(1)
    expect(await redis.exists('late:0')).toBe(0)
    expect(await stat(redis, 'used_memory')).toBeLessThan(1024 * 1024 + 20_000)
    expect(await stat(redis, 'evicted_keys')).toBe(600 - (await redis.dbsize()))
    expect(await redis.config('GET', 'maxmemory*', 'maxmemory', 'maxmemory-policy')).toEqual(
      expect.arrayContaining(['maxmemory', String(1024 * 1024), 'maxmemory-policy', 'allkeys-lru']),
    )
  })

  it('accounts for every kind of value: nothing is left when all keys are gone', async () => {
    const redis = open((await start()).url)
    await redis.set('s', 'value')
    await redis.append('s', ' and more')
    await redis.set('s', 'short')
    await redis.hset('h', { a: '1', b: '22' })
    await redis.hset('h', 'a', '333')
    await redis.hincrby('h', 'n', 1)
    await redis.hdel('h', 'b')
    await redis.sadd('t', 'a', 'b', 'c')
    await redis.spop('t')
    await redis.smove('t', 'u', (await redis.srandmember('t')) as string)
    await redis.rpush('l', 'a', 'b', 'b', 'c', 'd')
    await redis.lset('l', 0, 'longer')
    await redis.lrem('l', 1, 'b')
    await redis.linsert('l', 'AFTER', 'b', 'x')
    await redis.lmove('l', 'm', 'LEFT', 'RIGHT')
    await redis.ltrim('l', 0, 1)
    await redis.zadd('z', 1, 'a', 2, 'b', 3, 'c')
    await redis.zadd('z', 5, 'a')
    await redis.zpopmin('z')
    await redis.rename('z', 'y')
    expect(await stat(redis, 'used_memory')).toBeGreaterThan(500)
    await redis.hdel('h', 'a', 'n')
    await redis.srem('t', 'a', 'b', 'c')
    await redis.srem('u', 'a', 'b', 'c')
    await redis.ltrim('l', 1, 0)
    await redis.lpop('m')
    await redis.zrem('y', 'a', 'b', 'c')
    await redis.del('s')
    expect(await redis.dbsize()).toBe(0)
    expect(await stat(redis, 'used_memory')).toBe(0)
  })

  it('gives back the room of expired keys that nobody reads', async () => {
    const redis = open((await start()).url)
    const pipeline = redis.pipeline()
    for (let at = 0; at < 2000; at++) pipeline.set(`short:${at}`, 'x', 'PX', 10)
    await pipeline.set('stays', 'x').exec()
    await expect.poll(() => redis.dbsize(), { timeout: 5000 }).toBe(1)
    expect(await stat(redis, 'expired_keys')).toBe(2000)
  })

  it('empties one database with FLUSHDB and all with FLUSHALL', async () => {
    const { url } = await start()
    const [first, second] = [open(url), open(url, { db: 1 })]
    await first.set('a', '1')
    await second.set('b', '1')
    expect(await first.flushdb()).toBe('OK')
    expect([await first.dbsize(), await second.dbsize()]).toEqual([0, 1])
    expect(await first.flushall('ASYNC')).toBe('OK')
    expect(await second.dbsize()).toBe(0)
    await expect(first.call('FLUSHALL', 'NOW')).rejects.toThrow('ERR syntax error')
  })
})

describe('start and stop', () => {
  it('refuses to run in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    try {
      await expect(startRedisEmulator()).rejects.toThrow('for development and tests')
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('says so when the port is taken', async () => {
    const { port } = await start()
    await expect(startRedisEmulator({ port })).rejects.toThrow('EADDRINUSE')
  })

  it('makes clients that open with RESP3 fall back to RESP2', async () => {
    const redis = open((await start()).url)
    await expect(redis.call('HELLO', '3')).rejects.toThrow('NOPROTO unsupported protocol version')
    expect(await redis.call('HELLO', '2', 'SETNAME', 'me')).toEqual(expect.arrayContaining(['proto', 2]))
    expect(await redis.client('GETNAME')).toBe('me')
  })

  it('lets clients reconnect to a new server on the same port, which remembers nothing', async () => {
    const first = await start()
    const redis = open(first.url, { retryStrategy: () => 20, maxRetriesPerRequest: null })
    await redis.set('a', '1')
    await first.stop()
    await start({ port: first.port })
    expect(await redis.get('a')).toBeNull()
  })

  it('puts requests together from any pieces', async () => {
    const { port } = await start()
    const socket = connect(port, '127.0.0.1')
    ending.push(() => socket.destroy())
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    for (const byte of '*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$4\r\n\r\n\r\n\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\nPING\r\n') {
      socket.write(byte)
      await pause(1)
    }
    await expect.poll(() => answer).toBe('+OK\r\n$4\r\n\r\n\r\n\r\n+PONG\r\n')
  })

  it('refuses Lua, which services must not use', async () => {
    const redis = open((await start()).url)
    await expect(redis.eval('return 1', 0)).rejects.toThrow("ERR unknown command 'eval'")
  })
})
