import { float, formatFloat, integer, matchesPattern, positive, range, syntaxError, text, word } from '../arguments.ts'
import { type Commands, growing, onKeys } from '../command.ts'
import { ITEM_COST, type Keyspace } from '../keyspace.ts'
import { RedisError, type Reply } from '../resp.ts'
import type { Scored, SortedSet } from '../sorted-set.ts'
import { scanCursor, scanOptions } from './keys.ts'

const sortedAt = (keyspace: Keyspace, key: Buffer): SortedSet | undefined => keyspace.read(text(key), 'zset')?.sorted
const notANumber = () => new RedisError('ERR resulting score is not a number (NaN)')

const add = (keyspace: Keyspace, [key, ...args]: Buffer[]): Reply => {
  const flags = new Set<string>()
  while (args.length > 0 && ['NX', 'XX', 'GT', 'LT', 'CH', 'INCR'].includes(word(args[0]))) flags.add(word(args.shift()))
  if (args.length === 0 || args.length % 2 !== 0) throw syntaxError()
  if (flags.has('NX') && flags.has('XX')) throw new RedisError('ERR XX and NX options at the same time are not compatible')
  if ((flags.has('GT') && (flags.has('LT') || flags.has('NX'))) || (flags.has('LT') && flags.has('NX')))
    throw new RedisError('ERR GT, LT, and/or NX options at the same time are not compatible')
  if (flags.has('INCR') && args.length > 2) throw new RedisError('ERR INCR option supports a single increment-element pair')
  const pairs = Array.from({ length: args.length / 2 }, (_, at) => ({ score: float(args[at * 2]), member: text(args[at * 2 + 1]!) }))

  const { entry, value } = keyspace.open(text(key!), 'zset')
  let [added, updated, growth] = [0, 0, 0]
  let incremented: number | null = null
  for (const pair of pairs) {
    const old = value.sorted.score(pair.member)
    const score = flags.has('INCR') ? (old ?? 0) + pair.score : pair.score
    if (Number.isNaN(score)) throw notANumber()
    const refused =
      old === undefined ? flags.has('XX') : flags.has('NX') || (flags.has('GT') && score <= old) || (flags.has('LT') && score >= old)
    if (refused) continue
    incremented = score
    if (old === score) continue
    if (value.sorted.set(pair.member, score)) {
      added += 1
      growth += ITEM_COST + pair.member.length
    } else updated += 1
  }
  keyspace.settle(entry, growth, added + updated > 0)
  if (flags.has('INCR')) return incremented === null ? null : formatFloat(incremented)
  return flags.has('CH') ? added + updated : added
}

const removeMembers = (keyspace: Keyspace, key: Buffer, members: string[]): number => {
  if (!sortedAt(keyspace, key)) return 0
  const { entry, value } = keyspace.open(text(key), 'zset')
  const removed = members.filter((member) => value.sorted.delete(member))
  keyspace.settle(entry, -removed.reduce((sum, member) => sum + ITEM_COST + member.length, 0), removed.length > 0)
  return removed.length
}

type Bound = { score: number; exclusive: boolean }

const bound = (argument: Buffer): Bound => {
  const exclusive = argument[0] === 0x28
  return { score: float(exclusive ? argument.subarray(1) : argument, 'ERR min or max is not a float'), exclusive }
}

const between = (all: readonly Scored[], min: Bound, max: Bound): Scored[] =>
  all.filter(
    ({ score }) => (min.exclusive ? score > min.score : score >= min.score) && (max.exclusive ? score < max.score : score <= max.score),
  )

const shown = (found: readonly Scored[], withScores: boolean): Reply =>
  found.flatMap(({ member, score }) => (withScores ? [member, formatFloat(score)] : [member]))

type RangeOptions = { by: 'index' | 'score'; reverse: boolean; withScores: boolean; limit?: { offset: number; count: number } }

const readOptions = (options: Buffer[], start: RangeOptions, allowed: string[]): RangeOptions => {
  const read = { ...start }
  for (let at = 0; at < options.length; at++) {
    const option = word(options[at])
    if (option === 'BYLEX' && allowed.includes('BYSCORE')) throw new RedisError('ERR BYLEX is not supported by this development server')
    if (!allowed.includes(option)) throw syntaxError()
    if (option === 'WITHSCORES') read.withScores = true
    else if (option === 'REV') read.reverse = true
    else if (option === 'BYSCORE') read.by = 'score'
    else {
      if (options.length < at + 3) throw syntaxError()
      read.limit = { offset: integer(options[at + 1]), count: integer(options[at + 2]) }
      at += 2
    }
  }
  if (read.limit && read.by === 'index')
    throw new RedisError('ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX')
  return read
}

const find = (keyspace: Keyspace, key: Buffer, first: Buffer, second: Buffer, options: RangeOptions): Reply => {
  if (options.by === 'index') {
    const bounds = [integer(first), integer(second)] as const
    const all = sortedAt(keyspace, key)?.ascending() ?? []
    const ordered = options.reverse ? all.toReversed() : all
    return shown(ordered.slice(...range(...bounds, ordered.length)), options.withScores)
  }
  // Reversed ranges are written from high to low.
  const [min, max] = options.reverse ? [bound(second), bound(first)] : [bound(first), bound(second)]
  const found = between(sortedAt(keyspace, key)?.ascending() ?? [], min, max)
  if (options.reverse) found.reverse()
  const { offset, count } = options.limit ?? { offset: 0, count: -1 }
  if (offset < 0) return []
  return shown(found.slice(offset, count < 0 ? undefined : offset + count), options.withScores)
}

const ranging = (start: RangeOptions, allowed: string[]) =>
  onKeys(-4, (keyspace, [key, first, second, ...options]) => find(keyspace, key!, first!, second!, readOptions(options, start, allowed)))

const byIndex: RangeOptions = { by: 'index', reverse: false, withScores: false }

const rank = (reverse: boolean) =>
  onKeys(3, (keyspace, [key, member]) => {
    const sorted = sortedAt(keyspace, key!)
    const place = sorted?.rank(text(member!))
    return sorted && place !== undefined ? (reverse ? sorted.size - 1 - place : place) : null
  })

const pop = (highest: boolean, command: string) =>
  onKeys(-2, (keyspace, [key, count, ...rest]) => {
    if (rest.length > 0) throw new RedisError(`ERR wrong number of arguments for '${command}' command`)
    const wanted = count ? positive(count) : 1
    const all = sortedAt(keyspace, key!)?.ascending() ?? []
    const taken = (highest ? all.toReversed() : all).slice(0, wanted)
    removeMembers(
      keyspace,
      key!,
      taken.map(({ member }) => member),
    )
    return shown(taken, true)
  })

const removeFound = (keyspace: Keyspace, key: Buffer, choose: (all: readonly Scored[]) => readonly Scored[]): number => {
  const doomed = choose(sortedAt(keyspace, key)?.ascending() ?? [])
  return removeMembers(
    keyspace,
    key,
    doomed.map(({ member }) => member),
  )
}

const scan = (keyspace: Keyspace, [key, cursor, ...options]: Buffer[]): Reply => {
  scanCursor(cursor!)
  const { match } = scanOptions(options, false)
  const all = sortedAt(keyspace, key!)?.ascending() ?? []
  return [
    '0',
    shown(
      all.filter(({ member }) => match === undefined || matchesPattern(match, member)),
      true,
    ),
  ]
}

const score = (sorted: SortedSet | undefined, member: Buffer): string | null => {
  const found = sorted?.score(text(member))
  return found === undefined ? null : formatFloat(found)
}

export const sortedSetCommands: Commands = {
  ZADD: growing(-4, add),
  ZINCRBY: growing(4, (keyspace, [key, by, member]) => add(keyspace, [key!, Buffer.from('INCR'), by!, member!])),
  ZREM: onKeys(-3, (keyspace, [key, ...members]) => removeMembers(keyspace, key!, members.map(text))),
  ZCARD: onKeys(2, (keyspace, [key]) => sortedAt(keyspace, key!)?.size ?? 0),
  ZSCORE: onKeys(3, (keyspace, [key, member]) => score(sortedAt(keyspace, key!), member!)),
  ZMSCORE: onKeys(-3, (keyspace, [key, ...members]) => {
    const sorted = sortedAt(keyspace, key!)
    return members.map((member) => score(sorted, member))
  }),
  ZCOUNT: onKeys(4, (keyspace, [key, min, max]) => {
    const bounds = [bound(min!), bound(max!)] as const
    return between(sortedAt(keyspace, key!)?.ascending() ?? [], ...bounds).length
  }),
  ZRANK: rank(false),
  ZREVRANK: rank(true),
  ZRANGE: ranging(byIndex, ['WITHSCORES', 'REV', 'BYSCORE', 'LIMIT']),
  ZREVRANGE: ranging({ ...byIndex, reverse: true }, ['WITHSCORES']),
  ZRANGEBYSCORE: ranging({ ...byIndex, by: 'score' }, ['WITHSCORES', 'LIMIT']),
  ZREVRANGEBYSCORE: ranging({ ...byIndex, by: 'score', reverse: true }, ['WITHSCORES', 'LIMIT']),
  ZPOPMIN: pop(false, 'zpopmin'),
  ZPOPMAX: pop(true, 'zpopmax'),
  ZREMRANGEBYSCORE: onKeys(4, (keyspace, [key, min, max]) => {
    const bounds = [bound(min!), bound(max!)] as const
    return removeFound(keyspace, key!, (all) => between(all, ...bounds))
  }),
  ZREMRANGEBYRANK: onKeys(4, (keyspace, [key, start, stop]) => {
    const bounds = [integer(start), integer(stop)] as const
    return removeFound(keyspace, key!, (all) => all.slice(...range(...bounds, all.length)))
  }),
  ZSCAN: onKeys(-3, scan),
}
