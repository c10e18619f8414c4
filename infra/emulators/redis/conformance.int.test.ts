/** What the product needs from Redis, through the unmodified client. Runs on the emulator, or on a real server when REDIS_URL is set. */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RedisEmulator, startRedisEmulator } from './server.ts'

let emulator: RedisEmulator | undefined
let url: string
let redis: Redis
const opened: Redis[] = []
const prefix = `conformance:${randomUUID()}:`
let counter = 0
/** A key that no other case uses. */
const key = (name = 'key') => `${prefix}${counter}:${name}`

const open = (options = {}) => {
  const client = new Redis(url, { maxRetriesPerRequest: 1, ...options })
  opened.push(client)
  return client
}

beforeAll(async () => {
  if (!process.env.REDIS_URL) emulator = await startRedisEmulator()
  url = process.env.REDIS_URL ?? (emulator as RedisEmulator).url
  console.log(`Redis conformance on ${emulator ? 'the emulator' : 'the real server'} ${url}`)
  redis = open()
})
beforeEach(() => {
  counter += 1
})
afterAll(async () => {
  for (const name of await scanned(`${prefix}*`)) await redis.del(name)
  for (const client of opened) client.disconnect()
  await emulator?.stop()
})

/** Every key that a whole scan names. */
async function scanned(pattern: string): Promise<Set<Buffer>> {
  const seen = new Map<string, Buffer>()
  let cursor = '0'
  do {
    const [next, keys] = await redis.scanBuffer(cursor, 'MATCH', pattern, 'COUNT', 20)
    for (const name of keys) seen.set(name.toString('latin1'), name)
    cursor = next.toString()
  } while (cursor !== '0')
  return new Set(seen.values())
}

const names = async (pattern: string) => [...(await scanned(pattern))].map(String).sort()

/** Sends bytes as they are and gathers the answer until `ending` has come or the server closes. */
function raw(request: string, ending: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port || 6379), hostname)
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
    socket.on('data', (chunk) => {
      answer += chunk
      if (answer.endsWith(ending)) socket.destroy()
    })
    socket.write(request, 'latin1')
  })
}

describe('connection', () => {
  it('answers PING, takes a client name and says when it is ready', async () => {
    expect(await redis.ping()).toBe('PONG')
    expect(await redis.ping('still there')).toBe('still there')
    expect(await redis.client('SETNAME', 'search-1')).toBe('OK')
    expect(await redis.info()).toContain('loading:0\r\n')
    expect(await redis.call('HELLO', '2', 'SETNAME', 'me')).toEqual(expect.arrayContaining(['proto', 2]))
  })

  it('keeps numbered databases apart', async () => {
    const other = open({ db: 3 })
    await redis.set(key(), 'in 0')
    expect(await other.get(key())).toBeNull()
    await other.set(key(), 'in 3', 'EX', 60)
    expect(await redis.get(key())).toBe('in 0')
    await other.del(key())
    await expect(redis.select(99)).rejects.toThrow('ERR DB index is out of range')
  })

  it('refuses wrong numbers of arguments, and a password that nobody has set', async () => {
    await expect(redis.call('GET')).rejects.toThrow("ERR wrong number of arguments for 'get' command")
    await expect(redis.call('MSET', key(), '1', key())).rejects.toThrow("ERR wrong number of arguments for 'mset' command")
    await expect(redis.call('AUTH', 'secret')).rejects.toThrow('ERR AUTH <password> called without any password configured')
  })
})

describe('bytes on the wire', () => {
  it('answers pipelined requests byte for byte', async () => {
    const name = key()
    const get = (of: string) => `*2\r\n$3\r\nGET\r\n$${of.length}\r\n${of}\r\n`
    const set = `*3\r\n$3\r\nSET\r\n$${name.length}\r\n${name}\r\n$4\r\na\r\nb\r\n`
    const incr = `*2\r\n$4\r\nINCR\r\n$${name.length}\r\n${name}\r\n`
    const answer = await raw(`${set}${get(name)}${get(key('none'))}${incr}*1\r\n$4\r\nPING\r\n`, 'PONG\r\n')
    expect(answer).toBe('+OK\r\n$4\r\na\r\nb\r\n$-1\r\n-ERR value is not an integer or out of range\r\n+PONG\r\n')
  })

  it('closes a connection that does not speak the protocol, saying why', async () => {
    expect(await raw('*1\r\nPING\r\n', 'never')).toBe("-ERR Protocol error: expected '$', got 'P'\r\n")
    expect(await raw('*x\r\n', 'never')).toBe('-ERR Protocol error: invalid multibulk length\r\n')
    expect(await raw('*1\r\n$-5\r\n', 'never')).toBe('-ERR Protocol error: invalid bulk length\r\n')
  })

  it('carries any bytes in keys and values, and values of several megabytes', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at))
    const name = Buffer.concat([Buffer.from(key()), bytes])
    await redis.set(name, bytes)
    expect(await redis.getBuffer(name)).toEqual(bytes)
    expect([...(await scanned(key('*')))]).toEqual([name])
    const large = Buffer.alloc(5_000_000, bytes)
    await redis.set(key('large'), large)
    expect((await redis.getBuffer(key('large')))?.equals(large)).toBe(true)
    await redis.set(key('text'), 'Zürich – 東京')
    expect(await redis.get(key('text'))).toBe('Zürich – 東京')
  })
})

describe('values', () => {
  it('sets, gets and deletes, one and several', async () => {
    expect(await redis.get(key())).toBeNull()
    expect(await redis.type(key())).toBe('none')
    expect(await redis.set(key(), 'one')).toBe('OK')
    expect(await redis.get(key())).toBe('one')
    expect(await redis.type(key())).toBe('string')
    expect(await redis.mset(key('a'), '1', key('b'), '2')).toBe('OK')
    expect(await redis.mget(key('a'), key('none'), key('b'))).toEqual(['1', null, '2'])
    expect(await redis.del(key(), key('a'), key('none'))).toBe(2)
    expect(await redis.mget(key(), key('a'), key('b'))).toEqual([null, null, '2'])
  })

  it('takes a lock once, until it expires: SET NX PX', async () => {
    expect(await redis.set(key(), 'me', 'PX', 60_000, 'NX')).toBe('OK')
    expect(await redis.set(key(), 'you', 'PX', 60_000, 'NX')).toBeNull()
    expect(await redis.get(key())).toBe('me')
    expect(await redis.set(key(), 'me', 'PX', 20)).toBe('OK')
    await expect.poll(() => redis.set(key(), 'you', 'PX', 60_000, 'NX')).toBe('OK')
  })

  it('expires with EX and PX, and a plain SET takes the expiry away', async () => {
    await redis.set(key('ex'), 'x', 'EX', 100)
    await redis.set(key('px'), 'x', 'PX', 100_000)
    for (const name of ['ex', 'px']) {
      expect(await redis.pttl(key(name)), name).toBeGreaterThan(90_000)
      expect(await redis.pttl(key(name)), name).toBeLessThanOrEqual(100_000)
    }
    await redis.set(key('px'), 'y')
    expect(await redis.pttl(key('px'))).toBe(-1)
  })

  it('refuses contradictory and impossible expiries', async () => {
    await expect(redis.call('SET', key(), 'x', 'EX', '0')).rejects.toThrow("ERR invalid expire time in 'set' command")
    await expect(redis.call('SET', key(), 'x', 'EX', '1', 'PX', '1')).rejects.toThrow('ERR syntax error')
    await expect(redis.call('SET', key(), 'x', 'EX', 'soon')).rejects.toThrow('ERR value is not an integer or out of range')
    await expect(redis.call('SET', key(), 'x', 'SOON')).rejects.toThrow('ERR syntax error')
    expect(await redis.get(key())).toBeNull()
  })

  it('counts within 64 bits, keeping the time to live', async () => {
    await redis.set(key(), '10', 'EX', 100)
    expect(await redis.incr(key())).toBe(11)
    expect(await redis.incrby(key(), -16)).toBe(-5)
    expect(await redis.pttl(key())).toBeGreaterThan(90_000)
    await redis.set(key('big'), '9223372036854775806')
    await redis.incr(key('big'))
    expect(await redis.get(key('big'))).toBe('9223372036854775807')
    await expect(redis.incr(key('big'))).rejects.toThrow('ERR increment or decrement would overflow')
    await redis.set(key('padded'), '007')
    await expect(redis.incr(key('padded'))).rejects.toThrow('ERR value is not an integer or out of range')
  })

  it('sets an expiry on a key, with NX only where there is none', async () => {
    expect(await redis.pexpire(key(), 5)).toBe(0)
    expect(await redis.pttl(key())).toBe(-2)
    await redis.set(key(), 'x')
    expect(await redis.pexpire(key(), 100_000, 'NX')).toBe(1)
    expect(await redis.pexpire(key(), 500_000, 'NX')).toBe(0)
    expect(await redis.expire(key(), 50)).toBe(1)
    expect(await redis.pttl(key())).toBeLessThanOrEqual(50_000)
    expect(await redis.pexpire(key(), -1)).toBe(1)
    expect(await redis.get(key())).toBeNull()
  })
})

describe('sets', () => {
  it('keep each member once and say how many are new', async () => {
    const name = key()
    expect(await redis.sadd(name, 'a', 'b', 'a')).toBe(2)
    expect(await redis.sadd(name, 'b', 'c')).toBe(1)
    expect((await redis.smembers(name)).sort()).toEqual(['a', 'b', 'c'])
    expect(await redis.smembers(key('none'))).toEqual([])
    expect(await redis.type(name)).toBe('set')
  })

  it('keep their time to live when members are added, and go with it', async () => {
    const name = key()
    await redis.sadd(name, 'a')
    await redis.pexpire(name, 60_000)
    await redis.sadd(name, 'b')
    expect(await redis.pttl(name)).toBeGreaterThan(0)
    await redis.del(name)
    expect(await redis.smembers(name)).toEqual([])
  })

  it('are not strings, and strings are not sets', async () => {
    const [set, string] = [key('set'), key('string')]
    await redis.sadd(set, 'a')
    await redis.set(string, 'b')
    await expect(redis.get(set)).rejects.toThrow('WRONGTYPE')
    await expect(redis.incr(set)).rejects.toThrow('WRONGTYPE')
    await expect(redis.sadd(string, 'a')).rejects.toThrow('WRONGTYPE')
    await expect(redis.smembers(string)).rejects.toThrow('WRONGTYPE')
    expect(await redis.mget(set, string)).toEqual([null, 'b'])
  })
})

describe('SCAN', () => {
  it('names every key that matches and stays', async () => {
    const all = Array.from({ length: 300 }, (_, at) => key(`scan:${String(at).padStart(3, '0')}`))
    await redis.mset(...all.flatMap((name) => [name, 'x']))
    await redis.set(key('other'), 'x')
    expect(await names(key('scan:*'))).toEqual(all)
  })

  it('reads * and ? and a backslash in its pattern, and everything else as it stands', async () => {
    await redis.mset(key('one'), '1', key('two'), '2', key('t*o'), '3', key('t.o'), '4')
    expect(await names(key('t?o'))).toEqual([key('t*o'), key('t.o'), key('two')])
    expect(await names(key('t\\*o'))).toEqual([key('t*o')])
    expect(await names(key('t.o'))).toEqual([key('t.o')])
    expect(await names(key('*e'))).toEqual([key('one')])
  })
})

describe('transactions', () => {
  it('runs all of MULTI in one go and answers each result', async () => {
    const answers = await redis.multi().incr(key()).pexpire(key(), 60_000, 'NX').pttl(key()).exec()
    expect(answers?.slice(0, 2)).toEqual([
      [null, 1],
      [null, 1],
    ])
    expect(answers?.[2]?.[1]).toBeGreaterThan(50_000)
  })

  it('goes on after a command that fails while running', async () => {
    const answers = await redis.multi().set(key(), 'word').incr(key()).get(key()).exec()
    expect(answers?.map(([error, value]) => error?.message ?? value)).toEqual(['OK', 'ERR value is not an integer or out of range', 'word'])
  })

  it('runs nothing when a command was refused while queueing', async () => {
    const client = open()
    await client.multi({ pipeline: false })
    await client.set(key(), 'x')
    await expect(client.call('GET')).rejects.toThrow('ERR wrong number of arguments')
    await expect(client.exec()).rejects.toThrow('EXECABORT Transaction discarded because of previous errors.')
    expect(await client.get(key())).toBeNull()
  })

  it('refuses MULTI inside MULTI and EXEC without', async () => {
    const client = open()
    await expect(client.call('EXEC')).rejects.toThrow('ERR EXEC without MULTI')
    await client.multi({ pipeline: false })
    await expect(client.call('MULTI')).rejects.toThrow('ERR MULTI calls can not be nested')
  })
})
