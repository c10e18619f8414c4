import { integer, positive, range, syntaxError, text, word } from '../arguments.ts'
import { type Commands, growing, onKeys } from '../command.ts'
import { ITEM_COST, type Keyspace } from '../keyspace.ts'
import { nilArray, ok, RedisError, type Reply } from '../resp.ts'

type End = 'LEFT' | 'RIGHT'

const itemsOf = (keyspace: Keyspace, key: Buffer) => keyspace.read(text(key), 'list')?.items
const sizeOf = (items: Buffer[]) => items.reduce((sum, item) => sum + ITEM_COST + item.length, 0)

const push = (keyspace: Keyspace, key: Buffer, items: Buffer[], end: End): number => {
  const { entry, value } = keyspace.open(text(key), 'list')
  for (const item of items) {
    if (end === 'LEFT') value.items.unshift(item)
    else value.items.push(item)
  }
  keyspace.settle(entry, sizeOf(items))
  return value.items.length
}

const pushIfThere = (end: End) =>
  growing(-3, (keyspace, [key, ...items]) => (itemsOf(keyspace, key!) ? push(keyspace, key!, items, end) : 0))

/** Takes up to `count` items away from one end, outermost first. */
const take = (keyspace: Keyspace, key: Buffer, count: number, end: End): Buffer[] => {
  const { entry, value } = keyspace.open(text(key), 'list')
  const taken = end === 'LEFT' ? value.items.splice(0, count) : value.items.splice(Math.max(0, value.items.length - count)).toReversed()
  keyspace.settle(entry, -sizeOf(taken), taken.length > 0)
  return taken
}

const pop = (end: End, command: string) =>
  onKeys(-2, (keyspace, [key, count, ...rest]) => {
    if (rest.length > 0) throw new RedisError(`ERR wrong number of arguments for '${command}' command`)
    const wanted = count ? positive(count) : 1
    if (!itemsOf(keyspace, key!)) return count ? nilArray : null
    const taken = wanted === 0 ? [] : take(keyspace, key!, wanted, end)
    return count ? taken : (taken[0] as Buffer)
  })

const trim = (keyspace: Keyspace, [key, start, stop]: Buffer[]): Reply => {
  const bounds = [integer(start), integer(stop)] as const
  if (!itemsOf(keyspace, key!)) return ok
  const { entry, value } = keyspace.open(text(key!), 'list')
  const before = sizeOf(value.items)
  value.items = value.items.slice(...range(...bounds, value.items.length))
  keyspace.settle(entry, sizeOf(value.items) - before)
  return ok
}

const setAt = (keyspace: Keyspace, [key, index, item]: Buffer[]): Reply => {
  if (!itemsOf(keyspace, key!)) throw new RedisError('ERR no such key')
  const wanted = integer(index)
  const { entry, value } = keyspace.open(text(key!), 'list')
  const at = wanted < 0 ? wanted + value.items.length : wanted
  const old = value.items[at]
  if (!old) throw new RedisError('ERR index out of range')
  value.items[at] = item!
  keyspace.settle(entry, item!.length - old.length)
  return ok
}

const removeEqual = (keyspace: Keyspace, [key, count, item]: Buffer[]): Reply => {
  const wanted = integer(count)
  if (!itemsOf(keyspace, key!)) return 0
  const { entry, value } = keyspace.open(text(key!), 'list')
  const places = value.items.flatMap((candidate, at) => (candidate.equals(item!) ? [at] : []))
  const doomed = new Set(wanted === 0 ? places : wanted > 0 ? places.slice(0, wanted) : places.slice(wanted))
  value.items = value.items.filter((_, at) => !doomed.has(at))
  keyspace.settle(entry, -doomed.size * (ITEM_COST + item!.length), doomed.size > 0)
  return doomed.size
}

const insert = (keyspace: Keyspace, [key, where, pivot, item]: Buffer[]): Reply => {
  if (!['BEFORE', 'AFTER'].includes(word(where))) throw syntaxError()
  if (!itemsOf(keyspace, key!)) return 0
  const { entry, value } = keyspace.open(text(key!), 'list')
  const at = value.items.findIndex((candidate) => candidate.equals(pivot!))
  if (at < 0) return -1
  value.items.splice(word(where) === 'BEFORE' ? at : at + 1, 0, item!)
  keyspace.settle(entry, ITEM_COST + item!.length)
  return value.items.length
}

const move = (keyspace: Keyspace, from: Buffer, to: Buffer, source: string, target: string): Reply => {
  if (![source, target].every((end) => end === 'LEFT' || end === 'RIGHT')) throw syntaxError()
  if (!itemsOf(keyspace, from)) return null
  itemsOf(keyspace, to)
  const [item] = take(keyspace, from, 1, source as End) as [Buffer]
  push(keyspace, to, [item], target as End)
  return item
}

export const listCommands: Commands = {
  LPUSH: growing(-3, (keyspace, [key, ...items]) => push(keyspace, key!, items, 'LEFT')),
  RPUSH: growing(-3, (keyspace, [key, ...items]) => push(keyspace, key!, items, 'RIGHT')),
  LPUSHX: pushIfThere('LEFT'),
  RPUSHX: pushIfThere('RIGHT'),
  LPOP: pop('LEFT', 'lpop'),
  RPOP: pop('RIGHT', 'rpop'),
  LLEN: onKeys(2, (keyspace, [key]) => itemsOf(keyspace, key!)?.length ?? 0),
  LRANGE: onKeys(4, (keyspace, [key, start, stop]) => {
    const bounds = [integer(start), integer(stop)] as const
    const items = itemsOf(keyspace, key!) ?? []
    return items.slice(...range(...bounds, items.length))
  }),
  LTRIM: onKeys(4, trim),
  LINDEX: onKeys(3, (keyspace, [key, index]) => itemsOf(keyspace, key!)?.at(integer(index)) ?? null),
  LSET: growing(4, setAt),
  LREM: onKeys(4, removeEqual),
  LINSERT: growing(5, insert),
  LMOVE: growing(5, (keyspace, [from, to, source, target]) => move(keyspace, from!, to!, word(source), word(target))),
  RPOPLPUSH: growing(3, (keyspace, [from, to]) => move(keyspace, from!, to!, 'RIGHT', 'LEFT')),
}
