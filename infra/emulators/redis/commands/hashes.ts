import { addDecimals, float, int64, isInt64, matchesPattern, text } from '../arguments.ts'
import { type Commands, growing, onKeys } from '../command.ts'
import { ITEM_COST, type Keyspace } from '../keyspace.ts'
import { ok, RedisError, type Reply } from '../resp.ts'
import { scanCursor, scanOptions } from './keys.ts'

const fieldsOf = (keyspace: Keyspace, key: Buffer) => keyspace.read(text(key), 'hash')?.fields

/** Writes fields into the hash at `key`; answers how many were new. */
const write = (keyspace: Keyspace, key: Buffer, pairs: [string, Buffer][]): number => {
  const { entry, value } = keyspace.open(text(key), 'hash')
  let added = 0
  let growth = 0
  for (const [field, data] of pairs) {
    const old = value.fields.get(field)
    growth += old ? data.length - old.length : ITEM_COST + field.length + data.length
    if (!old) added += 1
    value.fields.set(field, data)
  }
  keyspace.settle(entry, growth)
  return added
}

const pairsOf = (args: Buffer[], command: string): [string, Buffer][] => {
  if (args.length === 0 || args.length % 2 !== 0) throw new RedisError(`ERR wrong number of arguments for '${command}' command`)
  return Array.from({ length: args.length / 2 }, (_, at) => [text(args[at * 2]!), args[at * 2 + 1]!])
}

const remove = (keyspace: Keyspace, key: Buffer, names: Buffer[]): number => {
  if (!fieldsOf(keyspace, key)) return 0
  const { entry, value } = keyspace.open(text(key), 'hash')
  let removed = 0
  let growth = 0
  for (const name of names.map(text)) {
    const data = value.fields.get(name)
    if (!data || !value.fields.delete(name)) continue
    growth -= ITEM_COST + name.length + data.length
    removed += 1
  }
  keyspace.settle(entry, growth, removed > 0)
  return removed
}

const increment = (keyspace: Keyspace, [key, field, by]: Buffer[]): Reply => {
  const step = int64(by)
  const old = fieldsOf(keyspace, key!)?.get(text(field!))
  const sum = (old ? int64(old, 'ERR hash value is not an integer') : 0n) + step
  if (!isInt64(sum)) throw new RedisError('ERR increment or decrement would overflow')
  write(keyspace, key!, [[text(field!), Buffer.from(String(sum))]])
  return sum
}

const incrementDecimal = (keyspace: Keyspace, [key, field, by]: Buffer[]): Reply => {
  float(by)
  const sum = addDecimals(fieldsOf(keyspace, key!)?.get(text(field!)), by!, 'ERR hash value is not a float')
  write(keyspace, key!, [[text(field!), Buffer.from(sum)]])
  return sum
}

const scan = (keyspace: Keyspace, [key, cursor, ...options]: Buffer[]): Reply => {
  scanCursor(cursor!)
  const { match } = scanOptions(options, false)
  const found = [...(fieldsOf(keyspace, key!) ?? [])].filter(([field]) => match === undefined || matchesPattern(match, field))
  return ['0', found.flat()]
}

export const hashCommands: Commands = {
  HSET: growing(-4, (keyspace, [key, ...args]) => write(keyspace, key!, pairsOf(args, 'hset'))),
  HMSET: growing(-4, (keyspace, [key, ...args]) => {
    write(keyspace, key!, pairsOf(args, 'hmset'))
    return ok
  }),
  HSETNX: growing(4, (keyspace, [key, field, data]) =>
    fieldsOf(keyspace, key!)?.has(text(field!)) ? 0 : write(keyspace, key!, [[text(field!), data!]]),
  ),
  HGET: onKeys(3, (keyspace, [key, field]) => fieldsOf(keyspace, key!)?.get(text(field!)) ?? null),
  HMGET: onKeys(-3, (keyspace, [key, ...names]) => {
    const fields = fieldsOf(keyspace, key!)
    return names.map((name) => fields?.get(text(name)) ?? null)
  }),
  HGETALL: onKeys(2, (keyspace, [key]) => [...(fieldsOf(keyspace, key!) ?? [])].flat()),
  HDEL: onKeys(-3, (keyspace, [key, ...names]) => remove(keyspace, key!, names)),
  HEXISTS: onKeys(3, (keyspace, [key, field]) => (fieldsOf(keyspace, key!)?.has(text(field!)) ? 1 : 0)),
  HLEN: onKeys(2, (keyspace, [key]) => fieldsOf(keyspace, key!)?.size ?? 0),
  HKEYS: onKeys(2, (keyspace, [key]) => [...(fieldsOf(keyspace, key!)?.keys() ?? [])]),
  HVALS: onKeys(2, (keyspace, [key]) => [...(fieldsOf(keyspace, key!)?.values() ?? [])]),
  HSTRLEN: onKeys(3, (keyspace, [key, field]) => fieldsOf(keyspace, key!)?.get(text(field!))?.length ?? 0),
  HINCRBY: growing(4, increment),
  HINCRBYFLOAT: growing(4, incrementDecimal),
  HSCAN: onKeys(-3, scan),
}
