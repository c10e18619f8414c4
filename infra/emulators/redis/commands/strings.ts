import { addDecimals, int64, integer, isInt64, range, syntaxError, text, word } from '../arguments.ts'
import { type Commands, growing, onKeys } from '../command.ts'
import type { Keyspace } from '../keyspace.ts'
import { ok, RedisError, type Reply } from '../resp.ts'

const put = (keyspace: Keyspace, key: string, data: Buffer, expiresAt: number | null = null) =>
  keyspace.put(key, { kind: 'string', data }, expiresAt)

/** Instants beyond this are refused as Redis refuses them: they would overflow. */
const LATEST = 2n ** 63n - 1n

/** Reads EX, PX, EXAT and PXAT into a Unix time in milliseconds. */
const expiryInstant = (unit: string, argument: Buffer | undefined, command: string): number => {
  if (!argument) throw syntaxError()
  const amount = int64(argument)
  const inSeconds = unit.startsWith('EX')
  const absolute = unit.endsWith('AT')
  const milliseconds = (inSeconds ? amount * 1000n : amount) + (absolute ? 0n : BigInt(Date.now()))
  if (amount <= 0n || milliseconds > LATEST) throw new RedisError(`ERR invalid expire time in '${command}' command`)
  return Number(milliseconds)
}

const expiryUnits = ['EX', 'PX', 'EXAT', 'PXAT']

const set = (keyspace: Keyspace, args: Buffer[]): Reply => {
  const [key, data, ...options] = args as [Buffer, Buffer, ...Buffer[]]
  let expiresAt: number | null | undefined
  let keep = false
  let condition: string | undefined
  let returnOld = false
  for (let at = 0; at < options.length; at++) {
    const option = word(options[at])
    if ((option === 'NX' || option === 'XX') && (condition ?? option) === option) condition = option
    else if (option === 'GET') returnOld = true
    else if (option === 'KEEPTTL' && expiresAt === undefined) keep = true
    else if (expiryUnits.includes(option) && !keep && expiresAt === undefined) expiresAt = expiryInstant(option, options[++at], 'set')
    else throw syntaxError()
  }
  const name = text(key)
  const old = returnOld ? (keyspace.read(name, 'string')?.data ?? null) : null
  const known = keyspace.find(name)
  const refused = (condition === 'NX' && known) || (condition === 'XX' && !known)
  if (!refused) put(keyspace, name, data, keep ? (known?.expiresAt ?? null) : (expiresAt ?? null))
  if (returnOld) return old
  return refused ? null : ok
}

const setFor = (unit: string, command: string) =>
  growing(4, (keyspace, [key, amount, data]) => {
    put(keyspace, text(key!), data!, expiryInstant(unit, amount, command))
    return ok
  })

const getex = (keyspace: Keyspace, [key, option, amount, ...rest]: Buffer[]): Reply => {
  const unit = word(option)
  if (rest.length > 0 || (option && unit !== 'PERSIST' && !expiryUnits.includes(unit)) || (unit === 'PERSIST' && amount))
    throw syntaxError()
  if (expiryUnits.includes(unit) && !amount) throw syntaxError()
  const data = keyspace.read(text(key!), 'string')?.data ?? null
  const entry = keyspace.find(text(key!))
  if (entry && option) {
    const instant = unit === 'PERSIST' ? null : expiryInstant(unit, amount, 'getex')
    if (instant !== null && instant <= Date.now()) keyspace.remove(entry.key)
    else if (entry.expiresAt !== instant) keyspace.setExpiry(entry, instant)
  }
  return data
}

const increment = (keyspace: Keyspace, key: Buffer, by: bigint): Reply => {
  const name = text(key)
  const before = keyspace.read(name, 'string')
  const sum = (before ? int64(before.data) : 0n) + by
  if (!isInt64(sum)) throw new RedisError('ERR increment or decrement would overflow')
  put(keyspace, name, Buffer.from(String(sum)), keyspace.find(name)?.expiresAt ?? null)
  return sum
}

const incrementDecimal = (keyspace: Keyspace, [key, by]: Buffer[]): Reply => {
  const name = text(key!)
  const sum = addDecimals(keyspace.read(name, 'string')?.data, by!, 'ERR value is not a valid float')
  put(keyspace, name, Buffer.from(sum), keyspace.find(name)?.expiresAt ?? null)
  return sum
}

const append = (keyspace: Keyspace, [key, tail]: Buffer[]): Reply => {
  const name = text(key!)
  const data = Buffer.concat([keyspace.read(name, 'string')?.data ?? Buffer.alloc(0), tail!])
  put(keyspace, name, data, keyspace.find(name)?.expiresAt ?? null)
  return data.length
}

const pairs = (args: Buffer[], command: string): [string, Buffer][] => {
  if (args.length % 2 !== 0) throw new RedisError(`ERR wrong number of arguments for '${command}' command`)
  return Array.from({ length: args.length / 2 }, (_, at) => [text(args[at * 2]!), args[at * 2 + 1]!])
}

export const stringCommands: Commands = {
  GET: onKeys(2, (keyspace, [key]) => keyspace.read(text(key!), 'string')?.data ?? null),
  SET: growing(-3, set),
  SETEX: setFor('EX', 'setex'),
  PSETEX: setFor('PX', 'psetex'),
  SETNX: growing(3, (keyspace, [key, data]) => (set(keyspace, [key!, data!, Buffer.from('NX')]) === ok ? 1 : 0)),
  GETSET: growing(3, (keyspace, [key, data]) => set(keyspace, [key!, data!, Buffer.from('GET')])),
  GETDEL: onKeys(2, (keyspace, [key]) => {
    const data = keyspace.read(text(key!), 'string')?.data ?? null
    keyspace.remove(text(key!))
    return data
  }),
  GETEX: onKeys(-2, getex),
  MGET: onKeys(-2, (keyspace, keys) =>
    keys.map((key) => {
      const value = keyspace.find(text(key))?.value
      return value?.kind === 'string' ? value.data : null
    }),
  ),
  MSET: growing(-3, (keyspace, args) => {
    for (const [key, data] of pairs(args, 'mset')) put(keyspace, key, data)
    return ok
  }),
  MSETNX: growing(-3, (keyspace, args) => {
    const all = pairs(args, 'msetnx')
    if (all.some(([key]) => keyspace.find(key))) return 0
    for (const [key, data] of all) put(keyspace, key, data)
    return 1
  }),
  APPEND: growing(3, append),
  STRLEN: onKeys(2, (keyspace, [key]) => keyspace.read(text(key!), 'string')?.data.length ?? 0),
  GETRANGE: onKeys(4, (keyspace, [key, start, stop]) => {
    const bounds = [integer(start), integer(stop)] as const
    const data = keyspace.read(text(key!), 'string')?.data ?? Buffer.alloc(0)
    return data.subarray(...range(...bounds, data.length))
  }),
  INCR: growing(2, (keyspace, [key]) => increment(keyspace, key!, 1n)),
  DECR: growing(2, (keyspace, [key]) => increment(keyspace, key!, -1n)),
  INCRBY: growing(3, (keyspace, [key, by]) => increment(keyspace, key!, int64(by))),
  DECRBY: growing(3, (keyspace, [key, by]) => increment(keyspace, key!, -int64(by))),
  INCRBYFLOAT: growing(3, incrementDecimal),
}
