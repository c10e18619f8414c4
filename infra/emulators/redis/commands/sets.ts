import { integer, matchesPattern, positive, syntaxError, text } from '../arguments.ts'
import { type Commands, growing, onKeys } from '../command.ts'
import { ITEM_COST, type Keyspace } from '../keyspace.ts'
import { RedisError, type Reply } from '../resp.ts'
import { scanCursor, scanOptions } from './keys.ts'

const membersOf = (keyspace: Keyspace, key: Buffer) => keyspace.read(text(key), 'set')?.members

const add = (keyspace: Keyspace, key: Buffer, members: string[]): number => {
  const { entry, value } = keyspace.open(text(key), 'set')
  const before = value.members.size
  let growth = 0
  for (const member of members) {
    if (value.members.has(member)) continue
    value.members.add(member)
    growth += ITEM_COST + member.length
  }
  keyspace.settle(entry, growth, value.members.size > before)
  return value.members.size - before
}

const remove = (keyspace: Keyspace, key: Buffer, members: string[]): number => {
  if (!membersOf(keyspace, key)) return 0
  const { entry, value } = keyspace.open(text(key), 'set')
  const removed = members.filter((member) => value.members.delete(member))
  keyspace.settle(entry, -removed.reduce((sum, member) => sum + ITEM_COST + member.length, 0), removed.length > 0)
  return removed.length
}

const pick = (members: string[]): string => members[Math.floor(Math.random() * members.length)] as string

/** `count` different members, in no order. */
const sample = (members: string[], count: number): string[] => {
  const left = [...members]
  const taken: string[] = []
  while (taken.length < count && left.length > 0) {
    const at = Math.floor(Math.random() * left.length)
    taken.push(left[at] as string)
    left[at] = left.at(-1) as string
    left.pop()
  }
  return taken
}

const pop = (keyspace: Keyspace, [key, count, ...rest]: Buffer[]): Reply => {
  if (rest.length > 0) throw syntaxError()
  const wanted = count ? positive(count) : 1
  const taken = sample([...(membersOf(keyspace, key!) ?? [])], wanted)
  remove(keyspace, key!, taken)
  return count ? taken : (taken[0] ?? null)
}

const random = (keyspace: Keyspace, [key, count, ...rest]: Buffer[]): Reply => {
  if (rest.length > 0) throw syntaxError()
  const wanted = count ? integer(count) : 1
  const members = [...(membersOf(keyspace, key!) ?? [])]
  if (!count) return members.length > 0 ? pick(members) : null
  if (members.length === 0) return []
  return wanted < 0 ? Array.from({ length: -wanted }, () => pick(members)) : sample(members, wanted)
}

type Combine = (sets: Set<string>[]) => Set<string>
const union: Combine = (sets) => new Set(sets.flatMap((members) => [...members]))
const intersection: Combine = ([first = new Set(), ...rest]) =>
  new Set([...first].filter((member) => rest.every((members) => members.has(member))))
const difference: Combine = ([first = new Set(), ...rest]) =>
  new Set([...first].filter((member) => !rest.some((members) => members.has(member))))

const combine = (keyspace: Keyspace, keys: Buffer[], how: Combine): string[] => [
  ...how(keys.map((key) => membersOf(keyspace, key) ?? new Set<string>())),
]

const reading = (how: Combine) => onKeys(-2, (keyspace, keys) => combine(keyspace, keys, how))

const storing = (how: Combine) =>
  growing(-3, (keyspace, [target, ...keys]) => {
    const members = combine(keyspace, keys, how)
    keyspace.remove(text(target!))
    return members.length > 0 ? add(keyspace, target!, members) : 0
  })

const move = (keyspace: Keyspace, [from, to, member]: Buffer[]): Reply => {
  const name = text(member!)
  const source = membersOf(keyspace, from!)
  if (!source) return 0
  membersOf(keyspace, to!)
  if (!source.has(name)) return 0
  if (text(from!) === text(to!)) return 1
  remove(keyspace, from!, [name])
  add(keyspace, to!, [name])
  return 1
}

const scan = (keyspace: Keyspace, [key, cursor, ...options]: Buffer[]): Reply => {
  scanCursor(cursor!)
  const { match } = scanOptions(options, false)
  return ['0', [...(membersOf(keyspace, key!) ?? [])].filter((member) => match === undefined || matchesPattern(match, member))]
}

const intersectionSize = (keyspace: Keyspace, [count, ...rest]: Buffer[]): Reply => {
  const keys = integer(count, 'ERR numkeys should be greater than 0')
  if (keys < 1) throw new RedisError('ERR numkeys should be greater than 0')
  if (keys > rest.length) throw new RedisError("ERR Number of keys can't be greater than number of args")
  if (keys < rest.length) throw syntaxError()
  return combine(keyspace, rest, intersection).length
}

export const setCommands: Commands = {
  SADD: growing(-3, (keyspace, [key, ...members]) => add(keyspace, key!, members.map(text))),
  SREM: onKeys(-3, (keyspace, [key, ...members]) => remove(keyspace, key!, members.map(text))),
  SMEMBERS: onKeys(2, (keyspace, [key]) => [...(membersOf(keyspace, key!) ?? [])]),
  SISMEMBER: onKeys(3, (keyspace, [key, member]) => (membersOf(keyspace, key!)?.has(text(member!)) ? 1 : 0)),
  SMISMEMBER: onKeys(-3, (keyspace, [key, ...members]) => {
    const known = membersOf(keyspace, key!)
    return members.map((member) => (known?.has(text(member)) ? 1 : 0))
  }),
  SCARD: onKeys(2, (keyspace, [key]) => membersOf(keyspace, key!)?.size ?? 0),
  SPOP: onKeys(-2, pop),
  SRANDMEMBER: onKeys(-2, random),
  SMOVE: growing(4, move),
  SUNION: reading(union),
  SINTER: reading(intersection),
  SDIFF: reading(difference),
  SUNIONSTORE: storing(union),
  SINTERSTORE: storing(intersection),
  SDIFFSTORE: storing(difference),
  SINTERCARD: onKeys(-3, intersectionSize),
  SSCAN: onKeys(-3, scan),
}
