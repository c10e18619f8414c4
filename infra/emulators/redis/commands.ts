/** The commands that the product uses, and what ioredis asks for when it connects. */
import { notImplemented } from '../not-implemented.ts'
import type { Keyspace } from './keyspace.ts'
import { OK, RedisError, type Reply, Status } from './resp.ts'

/** One connection. */
export type Session = {
  readonly databases: readonly Keyspace[]
  database: number
  /** What came since MULTI; undefined outside of a transaction. */
  queue: Buffer[][] | undefined
  /** A command was refused while queueing: EXEC must not run the others. */
  isSpoiled: boolean
}

/** `least` and `most`: how many arguments there may be. */
type Command = { least: number; most: number; run(args: Buffer[], keyspace: Keyspace, session: Session): Reply }

const VERSION = '7.0.15'
const ANY = Number.POSITIVE_INFINITY
const INT64_MAX = 2n ** 63n - 1n

const text = (argument: Buffer | undefined): string => argument?.toString('latin1') ?? ''
const word = (argument: Buffer | undefined): string => text(argument).toUpperCase()
const refused = (what: string): RedisError => new RedisError(`ERR ${notImplemented(what)}`)
const syntaxError = (): RedisError => new RedisError('ERR syntax error')

/** Strict signed 64-bit decimal, as Redis reads it. */
function int64(argument: Buffer | undefined): bigint {
  const digits = text(argument)
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(digits) || !isInt64(BigInt(digits)))
    throw new RedisError('ERR value is not an integer or out of range')
  return BigInt(digits)
}

const isInt64 = (value: bigint): boolean => value >= -INT64_MAX - 1n && value <= INT64_MAX

/** The instant so many `unit` milliseconds from now. */
function instantIn(argument: Buffer | undefined, unit: bigint, command: string): number {
  const instant = int64(argument) * unit + BigInt(Date.now())
  if (!isInt64(instant)) throw new RedisError(`ERR invalid expire time in '${command}' command`)
  return Number(instant)
}

function set([key, data, ...options]: Buffer[], keyspace: Keyspace): Reply {
  let expiresAt: number | undefined
  let onlyNew = false
  for (let at = 0; at < options.length; at++) {
    const option = word(options[at])
    if (option === 'NX') onlyNew = true
    else if ((option === 'PX' || option === 'EX') && expiresAt === undefined) {
      expiresAt = instantIn(options[++at], option === 'EX' ? 1000n : 1n, 'set')
      if (int64(options[at]) <= 0n) throw new RedisError("ERR invalid expire time in 'set' command")
    } else if (['XX', 'GET', 'KEEPTTL', 'EXAT', 'PXAT'].includes(option)) throw refused(`SET with ${option}`)
    else throw syntaxError()
  }
  if (onlyNew && keyspace.find(text(key))) return null
  keyspace.set(text(key), data!, expiresAt)
  return OK
}

const wrongType = (): RedisError => new RedisError('WRONGTYPE Operation against a key holding the wrong kind of value')

function stringAt(keyspace: Keyspace, key: Buffer | undefined): Buffer | null {
  const { data } = keyspace.find(text(key)) ?? { data: null }
  if (data !== null && !Buffer.isBuffer(data)) throw wrongType()
  return data
}

/** As `MGET` answers for what is no string. */
function stringOrNull(keyspace: Keyspace, key: Buffer): Buffer | null {
  const data = keyspace.find(text(key))?.data
  return Buffer.isBuffer(data) ? data : null
}

function setAt(keyspace: Keyspace, key: Buffer | undefined): ReadonlySet<string> {
  const { data } = keyspace.find(text(key)) ?? { data: new Set<string>() }
  if (Buffer.isBuffer(data)) throw wrongType()
  return data
}

function addMembers([key, ...members]: Buffer[], keyspace: Keyspace): Reply {
  const known = setAt(keyspace, key)
  const all = new Set([...known, ...members.map(text)])
  keyspace.set(text(key), all, keyspace.find(text(key))?.expiresAt)
  return all.size - known.size
}

function typeOf([key]: Buffer[], keyspace: Keyspace): Reply {
  const known = keyspace.find(text(key))
  return new Status(known ? (Buffer.isBuffer(known.data) ? 'string' : 'set') : 'none')
}

function increment(keyspace: Keyspace, key: Buffer | undefined, by: bigint): Reply {
  const known = stringAt(keyspace, key)
  const sum = (known ? int64(known) : 0n) + by
  if (!isInt64(sum)) throw new RedisError('ERR increment or decrement would overflow')
  keyspace.set(text(key), Buffer.from(String(sum)), keyspace.find(text(key))?.expiresAt)
  return sum
}

function expireIn(unit: bigint, name: string): Command['run'] {
  return ([key, amount, option], keyspace) => {
    if (option && word(option) !== 'NX') throw refused(`${name} with ${text(option)}`)
    const expiresAt = instantIn(amount, unit, name.toLowerCase())
    const known = keyspace.find(text(key))
    if (!known || (option && known.expiresAt !== Number.POSITIVE_INFINITY)) return 0
    if (expiresAt <= Date.now()) keyspace.delete(text(key))
    else known.expiresAt = expiresAt
    return 1
  }
}

/** Everything in one answer, as the protocol allows: COUNT is only a hint. */
function scan([cursor, ...options]: Buffer[], keyspace: Keyspace): Reply {
  int64(cursor)
  let matches = (_key: string): boolean => true
  for (let at = 0; at < options.length; at += 2) {
    const [option, value] = [word(options[at]), options[at + 1]]
    if (!value) throw syntaxError()
    if (option === 'MATCH') matches = glob(text(value))
    else if (option === 'COUNT') int64(value)
    else throw refused(`SCAN with ${option}`)
  }
  const found = keyspace.keys().filter(matches)
  return [Buffer.from('0'), found.map((key) => Buffer.from(key, 'latin1'))]
}

/** `*`, `?` and `\` of a Redis pattern. */
function glob(pattern: string): (key: string) => boolean {
  if (pattern.includes('[')) throw refused('a pattern with [')
  const source = pattern.replaceAll(/\\?./gs, (part) => {
    if (part === '*' || part === '?') return part.replace('?', '.').replace('*', '.*')
    return part.slice(-1).replace(/[.*+?^${}()|\]\\/]/, '\\$&')
  })
  const expression = new RegExp(`^${source}$`, 's')
  return (key) => expression.test(key)
}

function hello([version, ...options]: Buffer[]): Reply {
  // Clients that open with RESP3 take this as "speak RESP2" and go on.
  if (version && text(version) !== '2') throw new RedisError('NOPROTO unsupported protocol version')
  if (options.length > 0 && (options.length !== 2 || word(options[0]) !== 'SETNAME')) throw refused(`HELLO with ${word(options[0])}`)
  const pairs = { server: 'redis', version: VERSION, proto: 2, mode: 'standalone', role: 'master' }
  return Object.entries(pairs).flatMap(([name, value]) => [Buffer.from(name), typeof value === 'number' ? value : Buffer.from(value)])
}

function client([subcommand]: Buffer[]): Reply {
  if (!['SETINFO', 'SETNAME'].includes(word(subcommand))) throw refused(`CLIENT ${word(subcommand)}`)
  return OK
}

function authenticate(): Reply {
  throw new RedisError('ERR AUTH <password> called without any password configured for the default user.')
}

function select([index]: Buffer[], _keyspace: Keyspace, session: Session): Reply {
  const wanted = Number(int64(index))
  if (!session.databases[wanted]) throw new RedisError('ERR DB index is out of range')
  session.database = wanted
  return OK
}

function multi(_args: Buffer[], _keyspace: Keyspace, session: Session): Reply {
  if (session.queue) throw new RedisError('ERR MULTI calls can not be nested')
  session.queue = []
  session.isSpoiled = false
  return OK
}

function exec(_args: Buffer[], _keyspace: Keyspace, session: Session): Reply {
  const { queue, isSpoiled } = session
  if (!queue) throw new RedisError('ERR EXEC without MULTI')
  session.queue = undefined
  if (isSpoiled) throw new RedisError('EXECABORT Transaction discarded because of previous errors.')
  return queue.map((request) => execute(session, request))
}

function flush(keyspaces: readonly Keyspace[], [mode]: Buffer[]): Reply {
  if (mode && !['SYNC', 'ASYNC'].includes(word(mode))) throw syntaxError()
  for (const keyspace of keyspaces) keyspace.clear()
  return OK
}

function mset(args: Buffer[], keyspace: Keyspace): Reply {
  if (args.length % 2 !== 0) throw wrongArguments('mset')
  for (let at = 0; at < args.length; at += 2) keyspace.set(text(args[at]), args[at + 1]!)
  return OK
}

function remainingMs([key]: Buffer[], keyspace: Keyspace): Reply {
  const known = keyspace.find(text(key))
  if (!known) return -2
  return known.expiresAt === Number.POSITIVE_INFINITY ? -1 : known.expiresAt - Date.now()
}

const INFORMATION = `# Server\r\nredis_version:${VERSION}\r\nredis_mode:standalone\r\n# Persistence\r\nloading:0\r\n`

const COMMANDS = new Map<string, Command>(
  Object.entries({
    PING: { least: 0, most: 1, run: ([message]) => message ?? new Status('PONG') },
    HELLO: { least: 0, most: ANY, run: hello },
    AUTH: { least: 1, most: 2, run: authenticate },
    CLIENT: { least: 1, most: ANY, run: client },
    INFO: { least: 0, most: ANY, run: () => Buffer.from(INFORMATION) },
    SELECT: { least: 1, most: 1, run: select },
    GET: { least: 1, most: 1, run: ([key], keyspace) => stringAt(keyspace, key) },
    SET: { least: 2, most: ANY, run: set },
    MGET: { least: 1, most: ANY, run: (keys, keyspace) => keys.map((key) => stringOrNull(keyspace, key)) },
    MSET: { least: 2, most: ANY, run: mset },
    DEL: {
      least: 1,
      most: ANY,
      run: (keys, keyspace) => keys.filter((key) => keyspace.find(text(key)) && keyspace.delete(text(key))).length,
    },
    INCR: { least: 1, most: 1, run: ([key], keyspace) => increment(keyspace, key, 1n) },
    INCRBY: { least: 2, most: 2, run: ([key, by], keyspace) => increment(keyspace, key, int64(by)) },
    SADD: { least: 2, most: ANY, run: addMembers },
    SMEMBERS: {
      least: 1,
      most: 1,
      run: ([key], keyspace) => [...setAt(keyspace, key)].map((member) => Buffer.from(member, 'latin1')),
    },
    EXPIRE: { least: 2, most: 3, run: expireIn(1000n, 'EXPIRE') },
    PEXPIRE: { least: 2, most: 3, run: expireIn(1n, 'PEXPIRE') },
    PTTL: { least: 1, most: 1, run: remainingMs },
    TYPE: { least: 1, most: 1, run: typeOf },
    SCAN: { least: 1, most: ANY, run: scan },
    FLUSHDB: { least: 0, most: 1, run: (args, keyspace) => flush([keyspace], args) },
    FLUSHALL: { least: 0, most: 1, run: (args, _keyspace, session) => flush(session.databases, args) },
    MULTI: { least: 0, most: 0, run: multi },
    EXEC: { least: 0, most: 0, run: exec },
  } satisfies Record<string, Command>),
)

const wrongArguments = (name: string): RedisError => new RedisError(`ERR wrong number of arguments for '${name.toLowerCase()}' command`)

/** Carries out one request, or queues it for EXEC. What is refused is the reply. */
export function execute(session: Session, request: Buffer[]): Reply {
  const [first, ...args] = request
  const name = word(first)
  const command = COMMANDS.get(name)
  const isFitting = command && args.length >= command.least && args.length <= command.most
  if (!isFitting) {
    session.isSpoiled = true
    return command ? wrongArguments(name) : refused(`the command ${name.slice(0, 128)}`)
  }
  if (session.queue && name !== 'MULTI' && name !== 'EXEC') {
    session.queue.push(request)
    return new Status('QUEUED')
  }
  try {
    return command.run(args, session.databases[session.database]!, session)
  } catch (error) {
    return error instanceof RedisError ? error : new RedisError(`ERR ${(error as Error).message}`)
  }
}
