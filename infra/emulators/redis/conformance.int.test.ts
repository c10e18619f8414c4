/** What the services may rely on, through the unmodified client. Runs on the emulator, or on a real server when REDIS_URL is set. */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RedisEmulator, startRedisEmulator } from './server.ts'

let emulator: RedisEmulator | undefined
let url: string
let redis: Redis
const opened: Redis[] = []
const prefix = `conformance:${randomUUID()}:`
let counter = 0
/** A key that no other case uses; `{}` keeps the keys of one case together. */
const key = (name = 'key') => `${prefix}${counter}:${name}`
const fresh = () => {
  counter += 1
}

const open = () => {
  const client = new Redis(url, { maxRetriesPerRequest: 1 })
  opened.push(client)
  return client
}

beforeAll(async () => {
  if (!process.env.REDIS_URL) emulator = await startRedisEmulator()
  url = process.env.REDIS_URL ?? (emulator as RedisEmulator).url
  console.log(process.env.REDIS_URL ? `conformance on the real server ${url}` : `conformance on the emulator ${url}`)
  redis = open()
})

afterAll(async () => {
  let cursor = '0'
  do {
    const [next, keys] = await redis.scanBuffer(cursor, 'MATCH', `${prefix}*`, 'COUNT', 1000)
    if (keys.length > 0) await redis.del(...keys)
    cursor = next.toString()
  } while (cursor !== '0')
  for (const client of opened) client.disconnect()
  await emulator?.stop()
})

/** Sends bytes as they are and gathers the answer until `ending` has come. */
const raw = (request: string, ending: string): Promise<string> =>
  new Promise((resolve, reject) => {
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

describe('connection', () => {
  it('answers PING and ECHO', async () => {
    expect(await redis.ping()).toBe('PONG')
    expect(await redis.ping('still there')).toBe('still there')
    expect(await redis.echo('hello')).toBe('hello')
  })

  it('keeps a client name and counts clients', async () => {
    const client = open()
    expect(await client.client('SETNAME', 'search-1')).toBe('OK')
    expect(await client.client('GETNAME')).toBe('search-1')
    expect(await client.client('ID')).toBeGreaterThan(0)
    await expect(client.client('SETNAME', 'two words')).rejects.toThrow('ERR Client names cannot contain spaces')
  })

  it('keeps numbered databases apart', async () => {
    fresh()
    const other = new Redis(url, { db: 3 })
    opened.push(other)
    await redis.set(key(), 'in 0')
    expect(await other.get(key())).toBeNull()
    await other.set(key(), 'in 3', 'EX', 60)
    expect(await redis.get(key())).toBe('in 0')
    await other.del(key())
    await expect(redis.select(99)).rejects.toThrow('ERR DB index is out of range')
  })

  it('refuses unknown commands and wrong numbers of arguments in the words of Redis', async () => {
    await expect(redis.call('NOPE', 'a', 'b')).rejects.toThrow("ERR unknown command 'NOPE', with args beginning with: 'a' 'b' ")
    await expect(redis.call('constructor')).rejects.toThrow("ERR unknown command 'constructor', with args beginning with: ")
    await expect(redis.call('GET')).rejects.toThrow("ERR wrong number of arguments for 'get' command")
    await expect(redis.call('CLIENT', 'NOPE')).rejects.toThrow("ERR unknown subcommand 'NOPE'. Try CLIENT HELP.")
  })

  it('answers AUTH without a configured password with an error', async () => {
    await expect(redis.call('AUTH', 'secret')).rejects.toThrow('ERR AUTH <password> called without any password configured')
  })

  it('tells its state with INFO and CONFIG GET', async () => {
    expect(await redis.info()).toMatch(/loading:0\r\n[\s\S]*role:master/)
    expect(await redis.config('GET', 'databases')).toEqual(['databases', '16'])
  })
})

describe('bytes on the wire', () => {
  it('speaks RESP2 byte for byte, pipelined and inline', async () => {
    fresh()
    const name = key()
    const set = `*3\r\n$3\r\nSET\r\n$${name.length}\r\n${name}\r\n$4\r\na\r\nb\r\n`
    const answer = await raw(`${set}GET ${name}\r\nEXISTS nothing:here\r\nGET nothing:here\r\nPING\r\n`, 'PONG\r\n')
    expect(answer).toBe('+OK\r\n$4\r\na\r\nb\r\n:0\r\n$-1\r\n+PONG\r\n')
  })

  it('answers EXEC of an aborted transaction with the nil array and empty lists with the empty array', async () => {
    fresh()
    const name = key()
    await redis.set(name, '1')
    const answer = await raw(
      `WATCH ${name}\r\nSET ${name} 2\r\nMULTI\r\nGET ${name}\r\nEXEC\r\nLRANGE none:x 0 -1\r\nLPOP none:x 2\r\nPING\r\n`,
      'PONG\r\n',
    )
    expect(answer).toBe('+OK\r\n+OK\r\n+OK\r\n+QUEUED\r\n*-1\r\n*0\r\n*-1\r\n+PONG\r\n')
  })

  it('lets a RESP2 subscriber only subscribe, unsubscribe, ping and quit', async () => {
    const channel = `${prefix}raw`
    const answer = await raw(`SUBSCRIBE ${channel}\r\nGET x\r\nPING\r\nUNSUBSCRIBE\r\nPING\r\n`, '+PONG\r\n')
    const list = '(P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET'
    expect(answer).toBe(
      `*3\r\n$9\r\nsubscribe\r\n$${channel.length}\r\n${channel}\r\n:1\r\n` +
        `-ERR Can't execute 'get': only ${list} are allowed in this context\r\n` +
        '*2\r\n$4\r\npong\r\n$0\r\n\r\n' +
        `*3\r\n$11\r\nunsubscribe\r\n$${channel.length}\r\n${channel}\r\n:0\r\n+PONG\r\n`,
    )
  })

  it('closes a connection that does not speak the protocol, saying why', async () => {
    expect(await raw('*1\r\nPING\r\n', 'never')).toBe("-ERR Protocol error: expected '$', got 'P'\r\n")
    expect(await raw('*x\r\n', 'never')).toBe('-ERR Protocol error: invalid multibulk length\r\n')
    expect(await raw('*1\r\n$-5\r\n', 'never')).toBe('-ERR Protocol error: invalid bulk length\r\n')
  })

  it('says goodbye to QUIT after answering what came before', async () => {
    expect(await raw('PING\r\nQUIT\r\nPING\r\n', 'never')).toBe('+PONG\r\n+OK\r\n')
  })

  it('carries any bytes in keys and values, and values of several megabytes', async () => {
    fresh()
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at))
    const name = Buffer.concat([Buffer.from(key()), bytes])
    await redis.set(name, bytes)
    expect(await redis.getBuffer(name)).toEqual(bytes)
    await redis.hset(key('hash'), bytes, bytes)
    expect(await redis.hgetallBuffer(key('hash'))).toEqual({ [bytes.toString()]: bytes })
    await redis.sadd(key('set'), bytes)
    expect(await redis.smembersBuffer(key('set'))).toEqual([bytes])
    const large = Buffer.alloc(5_000_000, bytes)
    await redis.set(key('large'), large)
    expect((await redis.getBuffer(key('large')))?.equals(large)).toBe(true)
    await redis.set(key('text'), 'Zürich – 東京')
    expect(await redis.get(key('text'))).toBe('Zürich – 東京')
    expect(await redis.strlen(key('text'))).toBe(Buffer.byteLength('Zürich – 東京'))
  })

  it('answers a thousand pipelined commands in order, errors among them', async () => {
    fresh()
    const pipeline = redis.pipeline()
    for (let at = 0; at < 1000; at++) pipeline.incr(key())
    pipeline.lpush(key(), 'x').get(key())
    const answers = await pipeline.exec()
    expect(answers?.slice(0, 1000).map(([, value]) => value)).toEqual(Array.from({ length: 1000 }, (_, at) => at + 1))
    expect(answers?.[1000]?.[0]?.message).toBe('WRONGTYPE Operation against a key holding the wrong kind of value')
    expect(answers?.[1001]).toEqual([null, '1000'])
  })
})

describe('strings', () => {
  it('sets, gets, and answers null for what is not there', async () => {
    fresh()
    expect(await redis.get(key())).toBeNull()
    expect(await redis.set(key(), 'one')).toBe('OK')
    expect(await redis.get(key())).toBe('one')
    expect(await redis.mget(key(), key('none'))).toEqual(['one', null])
    expect(await redis.mset(key('a'), '1', key('b'), '2')).toBe('OK')
    expect(await redis.mget(key('a'), key('b'))).toEqual(['1', '2'])
    expect(await redis.msetnx(key('b'), '3', key('c'), '4')).toBe(0)
    expect(await redis.exists(key('c'))).toBe(0)
  })

  it('takes a lock once: SET NX PX', async () => {
    fresh()
    expect(await redis.set(key(), 'me', 'PX', 60_000, 'NX')).toBe('OK')
    expect(await redis.set(key(), 'you', 'PX', 60_000, 'NX')).toBeNull()
    expect(await redis.get(key())).toBe('me')
    expect(await redis.set(key('none'), 'x', 'XX')).toBeNull()
    expect(await redis.set(key(), 'again', 'XX')).toBe('OK')
    expect(await redis.pttl(key())).toBe(-1)
    expect(await redis.setnx(key(), 'x')).toBe(0)
    expect(await redis.setnx(key('new'), 'x')).toBe(1)
  })

  it('gives the old value with GET, GETSET and GETDEL, and keeps the time to live with KEEPTTL', async () => {
    fresh()
    expect(await redis.set(key(), 'one', 'EX', 100, 'GET')).toBeNull()
    expect(await redis.set(key(), 'two', 'KEEPTTL', 'GET')).toBe('one')
    expect(await redis.ttl(key())).toBeGreaterThan(90)
    expect(await redis.getset(key(), 'three')).toBe('two')
    expect(await redis.ttl(key())).toBe(-1)
    expect(await redis.call('SET', key(), 'four', 'NX', 'GET')).toBe('three')
    expect(await redis.getdel(key())).toBe('three')
    expect(await redis.get(key())).toBeNull()
  })

  it('expires with EX, PX, EXAT, PXAT, SETEX and PSETEX', async () => {
    fresh()
    const now = Date.now()
    await redis.set(key('ex'), 'x', 'EX', 100)
    await redis.set(key('px'), 'x', 'PX', 100_000)
    await redis.set(key('exat'), 'x', 'EXAT', Math.ceil(now / 1000) + 100)
    await redis.set(key('pxat'), 'x', 'PXAT', now + 100_000)
    await redis.setex(key('setex'), 100, 'x')
    await redis.psetex(key('psetex'), 100_000, 'x')
    for (const name of ['ex', 'px', 'exat', 'pxat', 'setex', 'psetex']) {
      expect(await redis.pttl(key(name)), name).toBeGreaterThan(90_000)
      expect(await redis.pttl(key(name)), name).toBeLessThanOrEqual(101_000)
    }
    await redis.psetex(key('short'), 20, 'x')
    await pause(60)
    expect(await redis.get(key('short'))).toBeNull()
  })

  it('refuses contradictory and impossible expiries', async () => {
    fresh()
    await expect(redis.call('SET', key(), 'x', 'EX', '0')).rejects.toThrow("ERR invalid expire time in 'set' command")
    await expect(redis.call('SETEX', key(), '-1', 'x')).rejects.toThrow("ERR invalid expire time in 'setex' command")
    await expect(redis.call('SET', key(), 'x', 'EX', '1', 'PX', '1')).rejects.toThrow('ERR syntax error')
    await expect(redis.call('SET', key(), 'x', 'EX', '1', 'KEEPTTL')).rejects.toThrow('ERR syntax error')
    await expect(redis.call('SET', key(), 'x', 'NX', 'XX')).rejects.toThrow('ERR syntax error')
    await expect(redis.call('SET', key(), 'x', 'EX')).rejects.toThrow('ERR syntax error')
    await expect(redis.call('SET', key(), 'x', 'EX', 'soon')).rejects.toThrow('ERR value is not an integer or out of range')
    expect(await redis.exists(key())).toBe(0)
  })

  it('changes the time to live while reading with GETEX', async () => {
    fresh()
    await redis.set(key(), 'x')
    expect(await redis.getex(key(), 'EX', 100)).toBe('x')
    expect(await redis.ttl(key())).toBeGreaterThan(90)
    expect(await redis.getex(key())).toBe('x')
    expect(await redis.ttl(key())).toBeGreaterThan(90)
    expect(await redis.getex(key(), 'PERSIST')).toBe('x')
    expect(await redis.ttl(key())).toBe(-1)
    await expect(redis.call('GETEX', key(), 'NOPE')).rejects.toThrow('ERR syntax error')
  })

  it('counts up and down within 64 bits, keeping the time to live', async () => {
    fresh()
    await redis.set(key(), '10', 'EX', 100)
    expect(await redis.incr(key())).toBe(11)
    expect(await redis.incrby(key(), 5)).toBe(16)
    expect(await redis.decr(key())).toBe(15)
    expect(await redis.decrby(key(), 20)).toBe(-5)
    expect(await redis.ttl(key())).toBeGreaterThan(90)
    await redis.set(key('big'), '9223372036854775806')
    await redis.incr(key('big'))
    expect(await redis.get(key('big'))).toBe('9223372036854775807')
    await expect(redis.incr(key('big'))).rejects.toThrow('ERR increment or decrement would overflow')
    await redis.set(key('word'), 'word')
    await expect(redis.incr(key('word'))).rejects.toThrow('ERR value is not an integer or out of range')
    await redis.set(key('padded'), '007')
    await expect(redis.incr(key('padded'))).rejects.toThrow('ERR value is not an integer or out of range')
  })

  it('adds decimals exactly', async () => {
    fresh()
    await redis.set(key(), '0.1')
    expect(await redis.incrbyfloat(key(), '0.2')).toBe('0.3')
    expect(await redis.incrbyfloat(key(), '-1.3')).toBe('-1')
    await redis.set(key(), '5.0e3')
    expect(await redis.incrbyfloat(key(), '2.0e2')).toBe('5200')
    await expect(redis.incrbyfloat(key(), 'much')).rejects.toThrow('ERR value is not a valid float')
  })

  it('appends, measures and cuts', async () => {
    fresh()
    expect(await redis.append(key(), 'Hello')).toBe(5)
    expect(await redis.append(key(), ' World')).toBe(11)
    expect(await redis.strlen(key())).toBe(11)
    expect(await redis.getrange(key(), -5, -1)).toBe('World')
    expect(await redis.getrange(key(), 0, 4)).toBe('Hello')
    expect(await redis.getrange(key(), 50, 60)).toBe('')
  })
})

describe('keys', () => {
  it('deletes, unlinks and counts what exists, repeated keys twice', async () => {
    fresh()
    await redis.mset(key('a'), '1', key('b'), '2', key('c'), '3')
    expect(await redis.exists(key('a'), key('a'), key('none'))).toBe(2)
    expect(await redis.del(key('a'), key('none'))).toBe(1)
    expect(await redis.unlink(key('b'), key('c'))).toBe(2)
    expect(await redis.exists(key('a'), key('b'), key('c'))).toBe(0)
  })

  it('honours NX, XX, GT and LT of EXPIRE', async () => {
    fresh()
    await redis.set(key(), 'x')
    expect(await redis.expire(key(), 100, 'XX')).toBe(0)
    expect(await redis.expire(key(), 100, 'GT')).toBe(0)
    expect(await redis.pexpire(key(), 100_000, 'NX')).toBe(1)
    expect(await redis.pexpire(key(), 500_000, 'NX')).toBe(0)
    expect(await redis.expire(key(), 50, 'GT')).toBe(0)
    expect(await redis.expire(key(), 200, 'GT')).toBe(1)
    expect(await redis.expire(key(), 300, 'LT')).toBe(0)
    expect(await redis.expire(key(), 150, 'LT')).toBe(1)
    expect(await redis.expire(key(), 400, 'XX')).toBe(1)
    expect(await redis.ttl(key())).toBe(400)
    await expect(redis.call('EXPIRE', key(), '1', 'NX', 'GT')).rejects.toThrow('ERR NX and XX, GT or LT options at the same time')
    await expect(redis.call('EXPIRE', key(), '1', 'GT', 'LT')).rejects.toThrow('ERR GT and LT options at the same time')
    await expect(redis.call('EXPIRE', key(), '1', 'SOON')).rejects.toThrow('ERR Unsupported option')
  })

  it('tells -2 for a missing key and -1 for one without expiry; PERSIST takes it away; a past instant deletes', async () => {
    fresh()
    expect(await redis.ttl(key())).toBe(-2)
    expect(await redis.pttl(key())).toBe(-2)
    expect(await redis.expire(key(), 5)).toBe(0)
    await redis.set(key(), 'x')
    expect(await redis.ttl(key())).toBe(-1)
    expect(await redis.persist(key())).toBe(0)
    await redis.expireat(key(), Math.floor(Date.now() / 1000) + 100)
    expect(await redis.persist(key())).toBe(1)
    expect(await redis.expireat(key(), 1)).toBe(1)
    expect(await redis.exists(key())).toBe(0)
    await redis.set(key(), 'x')
    expect(await redis.expire(key(), -1)).toBe(1)
    expect(await redis.exists(key())).toBe(0)
  })

  it('names types and refuses operations on the wrong one', async () => {
    fresh()
    await redis.set(key('string'), 'x')
    await redis.hset(key('hash'), 'f', 'v')
    await redis.rpush(key('list'), 'x')
    await redis.sadd(key('set'), 'x')
    await redis.zadd(key('zset'), 1, 'x')
    for (const type of ['string', 'hash', 'list', 'set', 'zset']) expect(await redis.type(key(type))).toBe(type)
    expect(await redis.type(key('none'))).toBe('none')
    const wrong = 'WRONGTYPE Operation against a key holding the wrong kind of value'
    await expect(redis.get(key('hash'))).rejects.toThrow(wrong)
    await expect(redis.hget(key('string'), 'f')).rejects.toThrow(wrong)
    await expect(redis.sadd(key('list'), 'x')).rejects.toThrow(wrong)
    await expect(redis.zadd(key('set'), 1, 'x')).rejects.toThrow(wrong)
    await expect(redis.lpush(key('zset'), 'x')).rejects.toThrow(wrong)
    await expect(redis.set(key('hash'), 'x', 'GET')).rejects.toThrow(wrong)
    expect(await redis.mget(key('hash'), key('string'))).toEqual([null, 'x'])
    expect(await redis.set(key('hash'), 'x')).toBe('OK')
  })

  it('renames with the time to live', async () => {
    fresh()
    await redis.set(key('a'), 'x', 'EX', 100)
    await redis.set(key('b'), 'y')
    expect(await redis.rename(key('a'), key('b'))).toBe('OK')
    expect(await redis.get(key('b'))).toBe('x')
    expect(await redis.ttl(key('b'))).toBeGreaterThan(90)
    await redis.set(key('c'), 'z')
    expect(await redis.renamenx(key('b'), key('c'))).toBe(0)
    expect(await redis.renamenx(key('b'), key('d'))).toBe(1)
    await expect(redis.rename(key('none'), key('x'))).rejects.toThrow('ERR no such key')
  })

  it('finds keys by pattern with KEYS', async () => {
    fresh()
    await redis.mset(key('one'), '1', key('two'), '2', key('[x]'), '3')
    expect((await redis.keys(key('*'))).sort()).toEqual([key('[x]'), key('one'), key('two')].sort())
    expect(await redis.keys(key('t?o'))).toEqual([key('two')])
    expect((await redis.keys(key('[a-t]*'))).sort()).toEqual([key('one'), key('two')])
    expect(await redis.keys(key('[^o]*o'))).toEqual([key('two')])
    expect(await redis.keys(key('\\[x\\]'))).toEqual([key('[x]')])
  })

  it('scans every key that stays, while others come and go', async () => {
    fresh()
    const all = Array.from({ length: 300 }, (_, at) => key(`scan:${at}`))
    await redis.mset(...all.flatMap((name) => [name, 'x']))
    await redis.hset(key('scan:hash'), 'f', 'v')
    const seen = new Set<string>()
    let cursor = '0'
    let steps = 0
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', key('scan:*'), 'COUNT', 20, 'TYPE', 'string')
      for (const name of keys) seen.add(name)
      cursor = next
      if (steps === 3) {
        await redis.del(key('scan:0'))
        await redis.set(key('scan:299'), 'rewritten')
        await redis.set(key('scan:new'), 'x')
      }
      steps += 1
    } while (cursor !== '0')
    expect(steps).toBeGreaterThan(10)
    for (const name of all.slice(1)) expect(seen.has(name), name).toBe(true)
    expect(seen.has(key('scan:hash'))).toBe(false)
    await expect(redis.call('SCAN', 'x')).rejects.toThrow('ERR invalid cursor')
    await expect(redis.call('SCAN', '0', 'COUNT', '0')).rejects.toThrow('ERR syntax error')
  })
})

describe('hashes', () => {
  it('writes, reads, counts and removes fields', async () => {
    fresh()
    expect(await redis.hset(key(), { a: '1', b: '2' })).toBe(2)
    expect(await redis.hset(key(), 'b', '3', 'c', '4')).toBe(1)
    expect(await redis.hgetall(key())).toEqual({ a: '1', b: '3', c: '4' })
    expect(await redis.hmget(key(), 'a', 'none')).toEqual(['1', null])
    expect(await redis.hget(key(), 'none')).toBeNull()
    expect(await redis.hkeys(key())).toEqual(['a', 'b', 'c'])
    expect(await redis.hvals(key())).toEqual(['1', '3', '4'])
    expect(await redis.hlen(key())).toBe(3)
    expect(await redis.hexists(key(), 'a')).toBe(1)
    expect(await redis.hstrlen(key(), 'a')).toBe(1)
    expect(await redis.hsetnx(key(), 'a', 'x')).toBe(0)
    expect(await redis.hsetnx(key(), 'd', 'x')).toBe(1)
    expect(await redis.hdel(key(), 'a', 'none')).toBe(1)
    expect(await redis.hdel(key(), 'b', 'c', 'd')).toBe(3)
    expect(await redis.exists(key())).toBe(0)
    expect(await redis.hgetall(key())).toEqual({})
    await expect(redis.call('HSET', key(), 'a', '1', 'b')).rejects.toThrow("ERR wrong number of arguments for 'hset' command")
  })

  it('counts in fields and scans them', async () => {
    fresh()
    expect(await redis.hincrby(key(), 'n', 5)).toBe(5)
    expect(await redis.hincrby(key(), 'n', -7)).toBe(-2)
    expect(await redis.hincrbyfloat(key(), 'f', 10.5)).toBe('10.5')
    expect(await redis.hincrbyfloat(key(), 'f', '0.1')).toBe('10.6')
    await redis.hset(key(), 'w', 'word')
    await expect(redis.hincrby(key(), 'w', 1)).rejects.toThrow('ERR hash value is not an integer')
    await expect(redis.hincrbyfloat(key(), 'w', 1)).rejects.toThrow('ERR hash value is not a float')
    expect(await redis.hscan(key(), 0, 'MATCH', '[nf]')).toEqual(['0', ['n', '-2', 'f', '10.6']])
  })
})

describe('sets', () => {
  it('adds, removes and tests members', async () => {
    fresh()
    expect(await redis.sadd(key(), 'a', 'b', 'b')).toBe(2)
    expect(await redis.sadd(key(), 'b', 'c')).toBe(1)
    expect((await redis.smembers(key())).sort()).toEqual(['a', 'b', 'c'])
    expect(await redis.sismember(key(), 'a')).toBe(1)
    expect(await redis.smismember(key(), 'a', 'x')).toEqual([1, 0])
    expect(await redis.scard(key())).toBe(3)
    expect(await redis.srem(key(), 'a', 'x')).toBe(1)
    expect(await redis.srandmember(key())).toMatch(/^[bc]$/)
    expect(await redis.srandmember(key(), -5)).toHaveLength(5)
    expect((await redis.spop(key(), 5)).sort()).toEqual(['b', 'c'])
    expect(await redis.spop(key())).toBeNull()
    expect(await redis.exists(key())).toBe(0)
    expect(await redis.sscan(key(), 0)).toEqual(['0', []])
  })

  it('unites, intersects, subtracts, stores and moves', async () => {
    fresh()
    await redis.sadd(key('a'), '1', '2', '3')
    await redis.sadd(key('b'), '2', '3', '4')
    expect((await redis.sunion(key('a'), key('b'))).sort()).toEqual(['1', '2', '3', '4'])
    expect((await redis.sinter(key('a'), key('b'))).sort()).toEqual(['2', '3'])
    expect(await redis.sdiff(key('a'), key('b'))).toEqual(['1'])
    expect(await redis.sinterstore(key('to'), key('a'), key('b'))).toBe(2)
    expect(await redis.sintercard(2, key('a'), key('b'))).toBe(2)
    expect(await redis.sdiffstore(key('to'), key('a'), key('a'))).toBe(0)
    expect(await redis.exists(key('to'))).toBe(0)
    expect(await redis.smove(key('a'), key('b'), '1')).toBe(1)
    expect(await redis.smove(key('a'), key('b'), '9')).toBe(0)
    expect(await redis.sismember(key('b'), '1')).toBe(1)
  })
})

describe('lists', () => {
  it('pushes and pops at both ends', async () => {
    fresh()
    expect(await redis.rpush(key(), 'c', 'd')).toBe(2)
    expect(await redis.lpush(key(), 'b', 'a')).toBe(4)
    expect(await redis.lrange(key(), 0, -1)).toEqual(['a', 'b', 'c', 'd'])
    expect(await redis.lpop(key())).toBe('a')
    expect(await redis.rpop(key())).toBe('d')
    expect(await redis.rpop(key(), 5)).toEqual(['c', 'b'])
    expect(await redis.lpop(key())).toBeNull()
    expect(await redis.lpop(key(), 2)).toBeNull()
    expect(await redis.exists(key())).toBe(0)
    expect(await redis.lpushx(key(), 'x')).toBe(0)
  })

  it('cuts, indexes, replaces, inserts and removes', async () => {
    fresh()
    await redis.rpush(key(), 'a', 'b', 'c', 'b', 'd')
    expect(await redis.lrange(key(), 1, 2)).toEqual(['b', 'c'])
    expect(await redis.lrange(key(), -2, -1)).toEqual(['b', 'd'])
    expect(await redis.lrange(key(), 5, 9)).toEqual([])
    expect(await redis.lindex(key(), -1)).toBe('d')
    expect(await redis.lindex(key(), 9)).toBeNull()
    expect(await redis.lset(key(), 0, 'A')).toBe('OK')
    await expect(redis.lset(key(), 9, 'x')).rejects.toThrow('ERR index out of range')
    await expect(redis.lset(key('none'), 0, 'x')).rejects.toThrow('ERR no such key')
    expect(await redis.linsert(key(), 'BEFORE', 'c', 'x')).toBe(6)
    expect(await redis.linsert(key(), 'AFTER', 'none', 'x')).toBe(-1)
    expect(await redis.lrem(key(), -1, 'b')).toBe(1)
    expect(await redis.lrange(key(), 0, -1)).toEqual(['A', 'b', 'x', 'c', 'd'])
    expect(await redis.ltrim(key(), 1, -2)).toBe('OK')
    expect(await redis.lrange(key(), 0, -1)).toEqual(['b', 'x', 'c'])
    expect(await redis.llen(key())).toBe(3)
    expect(await redis.lmove(key(), key('to'), 'LEFT', 'RIGHT')).toBe('b')
    expect(await redis.rpoplpush(key(), key('to'))).toBe('c')
    expect(await redis.lrange(key('to'), 0, -1)).toEqual(['c', 'b'])
    expect(await redis.ltrim(key(), 5, 9)).toBe('OK')
    expect(await redis.exists(key())).toBe(0)
  })
})

describe('sorted sets', () => {
  it('orders by score, then by bytes, and ranges by index', async () => {
    fresh()
    expect(await redis.zadd(key(), 2, 'b', 1, 'a', 2, 'aa', -1.5, 'z')).toBe(4)
    expect(await redis.zrange(key(), '0', '-1')).toEqual(['z', 'a', 'aa', 'b'])
    expect(await redis.zrange(key(), '0', '1', 'WITHSCORES')).toEqual(['z', '-1.5', 'a', '1'])
    expect(await redis.zrevrange(key(), 0, 0)).toEqual(['b'])
    expect(await redis.zrange(key(), '0', '1', 'REV')).toEqual(['b', 'aa'])
    expect(await redis.zrank(key(), 'aa')).toBe(2)
    expect(await redis.zrevrank(key(), 'aa')).toBe(1)
    expect(await redis.zrank(key(), 'none')).toBeNull()
    expect(await redis.zscore(key(), 'z')).toBe('-1.5')
    expect(await redis.zmscore(key(), 'a', 'none')).toEqual(['1', null])
    expect(await redis.zcard(key())).toBe(4)
    expect(await redis.zrange(key(), '5', '9')).toEqual([])
  })

  it('ranges and counts by score, with open bounds, infinities and limits', async () => {
    fresh()
    await redis.zadd(key(), 1, 'a', 2, 'b', 3, 'c', 4, 'd')
    expect(await redis.zrangebyscore(key(), 2, 3)).toEqual(['b', 'c'])
    expect(await redis.zrangebyscore(key(), '(2', '+inf')).toEqual(['c', 'd'])
    expect(await redis.zrangebyscore(key(), '-inf', '(3', 'WITHSCORES')).toEqual(['a', '1', 'b', '2'])
    expect(await redis.zrangebyscore(key(), '-inf', '+inf', 'LIMIT', 1, 2)).toEqual(['b', 'c'])
    expect(await redis.zrevrangebyscore(key(), 3, 1, 'LIMIT', 0, 2)).toEqual(['c', 'b'])
    expect(await redis.zrange(key(), '2', '4', 'BYSCORE')).toEqual(['b', 'c', 'd'])
    expect(await redis.zrange(key(), '4', '2', 'BYSCORE', 'REV', 'LIMIT', 0, 1)).toEqual(['d'])
    expect(await redis.zcount(key(), '(1', 3)).toBe(2)
    await expect(redis.zrangebyscore(key(), 'low', 3)).rejects.toThrow('ERR min or max is not a float')
    await expect(redis.call('ZRANGE', key(), '0', '1', 'LIMIT', '0', '1')).rejects.toThrow('LIMIT is only supported in combination')
  })

  it('honours NX, XX, GT, LT, CH and INCR of ZADD', async () => {
    fresh()
    await redis.zadd(key(), 5, 'a')
    expect(await redis.zadd(key(), 'NX', 9, 'a', 1, 'b')).toBe(1)
    expect(await redis.zadd(key(), 'XX', 'CH', 6, 'a', 1, 'c')).toBe(1)
    expect(await redis.zadd(key(), 'GT', 'CH', 5, 'a')).toBe(0)
    expect(await redis.zadd(key(), 'LT', 'CH', 5, 'a')).toBe(1)
    expect(await redis.zadd(key(), 'INCR', 2.5, 'a')).toBe('7.5')
    expect(await redis.zadd(key(), 'NX', 'INCR', 2.5, 'a')).toBeNull()
    expect(await redis.zrange(key(), '0', '-1', 'WITHSCORES')).toEqual(['b', '1', 'a', '7.5'])
    await expect(redis.call('ZADD', key(), 'NX', 'XX', '1', 'a')).rejects.toThrow('ERR XX and NX options at the same time')
    await expect(redis.call('ZADD', key(), 'GT', 'LT', '1', 'a')).rejects.toThrow('ERR GT, LT, and/or NX options at the same time')
    await expect(redis.call('ZADD', key(), 'INCR', '1', 'a', '2', 'b')).rejects.toThrow('ERR INCR option supports a single')
    await expect(redis.call('ZADD', key(), 'high', 'a')).rejects.toThrow('ERR value is not a valid float')
    expect(await redis.zadd(key('none'), 'XX', 1, 'a')).toBe(0)
    expect(await redis.exists(key('none'))).toBe(0)
  })

  it('increments, removes by member, rank and score, and pops', async () => {
    fresh()
    await redis.zadd(key(), 1, 'a', 2, 'b', 3, 'c', 4, 'd', 5, 'e', 6, 'f')
    expect(await redis.zincrby(key(), 10, 'a')).toBe('11')
    expect(await redis.zincrby(key(), '-inf', 'new')).toBe('-inf')
    await expect(redis.zincrby(key(), '+inf', 'new')).rejects.toThrow('ERR resulting score is not a number (NaN)')
    expect(await redis.zrem(key(), 'new', 'none')).toBe(1)
    expect(await redis.zremrangebyscore(key(), '-inf', '(3')).toBe(1)
    expect(await redis.zremrangebyrank(key(), 0, 0)).toBe(1)
    expect(await redis.zpopmin(key())).toEqual(['d', '4'])
    expect(await redis.zpopmax(key(), 2)).toEqual(['a', '11', 'f', '6'])
    expect(await redis.zscan(key(), 0)).toEqual(['0', ['e', '5']])
    expect(await redis.zrem(key(), 'e')).toBe(1)
    expect(await redis.exists(key())).toBe(0)
  })
})

describe('transactions', () => {
  it('runs all of MULTI in one go and answers each result', async () => {
    fresh()
    const answers = await redis.multi().incr(key()).pexpire(key(), 60_000, 'NX').pttl(key()).exec()
    expect(answers?.slice(0, 2)).toEqual([
      [null, 1],
      [null, 1],
    ])
    expect(answers?.[2]?.[1]).toBeGreaterThan(50_000)
  })

  it('goes on after a command that fails while running', async () => {
    fresh()
    const answers = await redis.multi().set(key(), 'word').incr(key()).append(key(), '!').exec()
    expect(answers?.map(([error, value]) => error?.message ?? value)).toEqual(['OK', 'ERR value is not an integer or out of range', 5])
  })

  it('runs nothing when a command was refused while queueing', async () => {
    fresh()
    const client = open()
    await client.multi({ pipeline: false })
    await client.set(key(), 'x')
    await expect(client.call('NOPE')).rejects.toThrow('ERR unknown command')
    await expect(client.exec()).rejects.toThrow('EXECABORT Transaction discarded because of previous errors.')
    expect(await client.get(key())).toBeNull()
  })

  it('runs nothing when a watched key was changed by another, and everything when not', async () => {
    fresh()
    const client = open()
    await client.set(key(), '1')
    await client.watch(key())
    await redis.set(key(), '2')
    expect(await client.multi().set(key(), '3').exec()).toBeNull()
    expect(await client.get(key())).toBe('2')
    await client.watch(key())
    await redis.get(key())
    await redis.sadd(key('elsewhere'), 'x')
    expect(await client.multi().set(key(), '3').exec()).toEqual([[null, 'OK']])
    await client.watch(key())
    await redis.set(key(), '4')
    await client.unwatch()
    expect(await client.multi().get(key()).exec()).toEqual([[null, '4']])
  })

  it('takes the expiry and the making of a watched key for a change', async () => {
    fresh()
    const client = open()
    await client.set(key(), 'x', 'PX', 30)
    await client.watch(key())
    await pause(70)
    expect(await client.multi().ping().exec()).toBeNull()
    await client.watch(key('new'))
    await redis.hset(key('new'), 'f', 'v')
    expect(await client.multi().ping().exec()).toBeNull()
  })

  it('discards, and refuses what makes no sense', async () => {
    fresh()
    const client = open()
    await client.multi({ pipeline: false })
    await client.set(key(), 'x')
    await expect(client.call('MULTI')).rejects.toThrow('ERR MULTI calls can not be nested')
    await expect(client.call('WATCH', key())).rejects.toThrow('ERR WATCH inside MULTI is not allowed')
    expect(await client.discard()).toBe('OK')
    expect(await client.get(key())).toBeNull()
    await expect(client.call('EXEC')).rejects.toThrow('ERR EXEC without MULTI')
    await expect(client.call('DISCARD')).rejects.toThrow('ERR DISCARD without MULTI')
  })
})

describe('publish and subscribe', () => {
  it('delivers to channels and patterns, and counts receivers', async () => {
    const channel = `${prefix}news`
    const [exact, wide] = [open(), open()]
    const heard: string[][] = []
    exact.on('message', (...args) => heard.push(['message', ...args]))
    wide.on('pmessage', (...args) => heard.push(['pmessage', ...args]))
    expect(await exact.subscribe(channel, `${prefix}other`)).toBe(2)
    expect(await wide.psubscribe(`${prefix}n*`)).toBe(1)
    expect(await redis.publish(channel, 'hello')).toBe(2)
    expect(await redis.publish(`${prefix}nobody-else`, 'pattern only')).toBe(1)
    expect(await redis.publish(`${prefix}silence`, 'x')).toBe(0)
    expect(await redis.pubsub('NUMSUB', channel)).toEqual([channel, 1])
    expect(await redis.pubsub('CHANNELS', `${prefix}*`)).toHaveLength(2)
    await Promise.all([exact.ping(), wide.ping()])
    expect(heard.sort()).toEqual(
      [
        ['message', channel, 'hello'],
        ['pmessage', `${prefix}n*`, channel, 'hello'],
        ['pmessage', `${prefix}n*`, `${prefix}nobody-else`, 'pattern only'],
      ].sort(),
    )
    await exact.unsubscribe()
    expect(await redis.publish(channel, 'late')).toBe(1)
    expect(await exact.get(key('after'))).toBeNull()
  })

  it('forgets a subscriber that has gone', async () => {
    const channel = `${prefix}gone`
    const client = open()
    await client.subscribe(channel)
    expect(await redis.publish(channel, 'x')).toBe(1)
    client.disconnect()
    await expect.poll(() => redis.publish(channel, 'x')).toBe(0)
  })

  it('carries binary messages', async () => {
    const channel = `${prefix}bytes`
    const client = open()
    const bytes = Buffer.from([0, 13, 10, 255, 128])
    const heard = new Promise<Buffer>((resolve) => client.on('messageBuffer', (_channel, message) => resolve(message)))
    await client.subscribe(channel)
    await redis.publish(channel, bytes)
    expect(await heard).toEqual(bytes)
  })
})
