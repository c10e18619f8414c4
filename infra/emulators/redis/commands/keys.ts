import { int64, integer, matchesPattern, syntaxError, text, word } from '../arguments.ts'
import { type Command, type Commands, growing, onKeys } from '../command.ts'
import type { Keyspace } from '../keyspace.ts'
import { ok, RedisError, type Reply, Status } from '../resp.ts'

const expire = (keyspace: Keyspace, command: string, args: Buffer[], unit: bigint, absolute: boolean): Reply => {
  const [key, amount, ...options] = args as [Buffer, Buffer, ...Buffer[]]
  const flags = new Set(options.map(word))
  for (const flag of flags) {
    if (!['NX', 'XX', 'GT', 'LT'].includes(flag)) throw new RedisError(`ERR Unsupported option ${flag.toLowerCase()}`)
  }
  if (flags.has('NX') && flags.size > 1) throw new RedisError('ERR NX and XX, GT or LT options at the same time are not compatible')
  if (flags.has('GT') && flags.has('LT')) throw new RedisError('ERR GT and LT options at the same time are not compatible')
  const instant = int64(amount) * unit + (absolute ? 0n : BigInt(Date.now()))
  if (instant >= 2n ** 63n || instant < -(2n ** 63n)) throw new RedisError(`ERR invalid expire time in '${command}' command`)
  const entry = keyspace.find(text(key))
  if (!entry) return 0
  // A key that never expires counts as one that expires after all others.
  const current = entry.expiresAt ?? Infinity
  const next = Number(instant)
  if (flags.has('NX') && entry.expiresAt !== null) return 0
  if (flags.has('XX') && entry.expiresAt === null) return 0
  if (flags.has('GT') && next <= current) return 0
  if (flags.has('LT') && next >= current) return 0
  if (next <= Date.now()) keyspace.remove(entry.key)
  else keyspace.setExpiry(entry, next)
  return 1
}

const expireCommand = (command: string, unit: bigint, absolute: boolean): Command =>
  onKeys(-3, (keyspace, args) => expire(keyspace, command, args, unit, absolute))

const remaining = (keyspace: Keyspace, key: Buffer, read: (expiresAt: number) => number): number => {
  const entry = keyspace.find(text(key))
  if (!entry) return -2
  return entry.expiresAt === null ? -1 : read(entry.expiresAt)
}

const rename = (keyspace: Keyspace, from: string, to: string, onlyNew: boolean): boolean => {
  const entry = keyspace.find(from)
  if (!entry) throw new RedisError('ERR no such key')
  if (onlyNew && keyspace.find(to)) return false
  if (from === to) return true
  keyspace.remove(from)
  keyspace.put(to, entry.value, entry.expiresAt)
  return true
}

/** Reads MATCH, COUNT and (SCAN only) TYPE. */
export const scanOptions = (options: Buffer[], allowType: boolean) => {
  const found: { match?: string; count: number; type?: string } = { count: 10 }
  for (let at = 0; at < options.length; at += 2) {
    const value = options[at + 1]
    const option = word(options[at])
    if (!value) throw syntaxError()
    if (option === 'MATCH') found.match = text(value)
    else if (option === 'COUNT') {
      found.count = integer(value)
      if (found.count < 1) throw syntaxError()
    } else if (option === 'TYPE' && allowType) found.type = text(value).toLowerCase()
    else throw syntaxError()
  }
  return found
}

export const scanCursor = (argument: Buffer): number => {
  if (!/^\d{1,20}$/.test(text(argument))) throw new RedisError('ERR invalid cursor')
  return Number(text(argument))
}

const scan = (keyspace: Keyspace, [cursor, ...options]: Buffer[]): Reply => {
  const from = scanCursor(cursor!)
  const { match, count, type } = scanOptions(options, true)
  const step = keyspace.scan(from, count)
  const keys = step.entries.filter(
    (entry) => (match === undefined || matchesPattern(match, entry.key)) && (type === undefined || entry.value.kind === type),
  )
  return [String(step.cursor), keys.map((entry) => entry.key)]
}

const count = (keys: Buffer[], holds: (key: string) => boolean): number => keys.filter((key) => holds(text(key))).length

export const keyCommands: Commands = {
  DEL: onKeys(-2, (keyspace, keys) => count(keys, (key) => keyspace.find(key) !== undefined && keyspace.remove(key))),
  UNLINK: onKeys(-2, (keyspace, keys) => count(keys, (key) => keyspace.find(key) !== undefined && keyspace.remove(key))),
  EXISTS: onKeys(-2, (keyspace, keys) => count(keys, (key) => keyspace.find(key) !== undefined)),
  TOUCH: onKeys(-2, (keyspace, keys) => count(keys, (key) => keyspace.find(key) !== undefined)),
  EXPIRE: expireCommand('expire', 1000n, false),
  PEXPIRE: expireCommand('pexpire', 1n, false),
  EXPIREAT: expireCommand('expireat', 1000n, true),
  PEXPIREAT: expireCommand('pexpireat', 1n, true),
  TTL: onKeys(2, (keyspace, [key]) => remaining(keyspace, key!, (at) => Math.floor((at - Date.now() + 500) / 1000))),
  PTTL: onKeys(2, (keyspace, [key]) => remaining(keyspace, key!, (at) => at - Date.now())),
  EXPIRETIME: onKeys(2, (keyspace, [key]) => remaining(keyspace, key!, (at) => Math.floor((at + 500) / 1000))),
  PEXPIRETIME: onKeys(2, (keyspace, [key]) => remaining(keyspace, key!, (at) => at)),
  PERSIST: onKeys(2, (keyspace, [key]) => {
    const entry = keyspace.find(text(key!))
    if (!entry || entry.expiresAt === null) return 0
    keyspace.setExpiry(entry, null)
    return 1
  }),
  TYPE: onKeys(2, (keyspace, [key]) => new Status(keyspace.find(text(key!))?.value.kind ?? 'none')),
  KEYS: onKeys(2, (keyspace, [pattern]) =>
    [...keyspace.live()].map((entry) => entry.key).filter((key) => matchesPattern(text(pattern!), key)),
  ),
  SCAN: onKeys(-2, scan),
  RANDOMKEY: onKeys(1, (keyspace) => {
    const keys = [...keyspace.live()]
    return keys[Math.floor(Math.random() * keys.length)]?.key ?? null
  }),
  RENAME: growing(3, (keyspace, [from, to]) => {
    rename(keyspace, text(from!), text(to!), false)
    return ok
  }),
  RENAMENX: growing(3, (keyspace, [from, to]) => (rename(keyspace, text(from!), text(to!), true) ? 1 : 0)),
  DBSIZE: onKeys(1, (keyspace) => keyspace.size),
  FLUSHDB: onKeys(-1, (keyspace, [mode, ...rest]) => {
    checkFlush(mode, rest)
    keyspace.clear()
    return ok
  }),
  FLUSHALL: {
    arity: -1,
    run: ({ server }, [mode, ...rest]) => {
      checkFlush(mode, rest)
      for (const database of server.databases) database.clear()
      return ok
    },
  },
}

const checkFlush = (mode: Buffer | undefined, rest: Buffer[]) => {
  if (rest.length > 0 || (mode && !['SYNC', 'ASYNC'].includes(word(mode)))) throw syntaxError()
}
