/** What the server remembers: keys, their values, when they expire, how much room they take and which to give up first. */
import { wrongType } from './arguments.ts'
import { SortedSet } from './sorted-set.ts'

export type Values = {
  string: { kind: 'string'; data: Buffer }
  hash: { kind: 'hash'; fields: Map<string, Buffer> }
  set: { kind: 'set'; members: Set<string> }
  list: { kind: 'list'; items: Buffer[] }
  zset: { kind: 'zset'; sorted: SortedSet }
}
export type Kind = keyof Values
export type Value = Values[Kind]

export type Entry = { key: string; value: Value; expiresAt: number | null; bytes: number; id: number }

/** Rough cost in bytes of a key, and of one element of a collection, beside their text. */
const KEY_COST = 96
export const ITEM_COST = 64

/** Shared by all numbered databases of one server. The map is in order of use: the first is the least recently used. */
export class Memory {
  used = 0
  limit: number
  evicted = 0
  expired = 0
  hits = 0
  misses = 0
  readonly recency = new Map<Entry, Keyspace>()

  constructor(limit: number) {
    this.limit = limit
  }

  /** Gives up least recently used keys until the rest fits (allkeys-lru). */
  makeRoom(): void {
    for (const [entry, keyspace] of this.recency) {
      if (this.used <= this.limit) return
      keyspace.remove(entry.key)
      this.evicted += 1
    }
  }
}

export class Keyspace {
  private entries = new Map<string, Entry>()
  private expiring = new Map<string, Entry>()
  private sweep: MapIterator<[string, Entry]> | undefined
  private scans = new Map<number, MapIterator<Entry>>()
  private nextId = 1
  private memory: Memory
  /** Called with each key that is written, removed or expired. */
  private onChange: (key: string) => void

  constructor(memory: Memory, onChange: (key: string) => void) {
    this.memory = memory
    this.onChange = onChange
  }

  get size() {
    return this.entries.size
  }

  get expiringSize() {
    return this.expiring.size
  }

  find(key: string): Entry | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    if (entry.expiresAt !== null && entry.expiresAt <= Date.now()) {
      this.expire(entry)
      return undefined
    }
    this.memory.recency.delete(entry)
    this.memory.recency.set(entry, this)
    return entry
  }

  /** The value, when there is one of this kind; WRONGTYPE when there is one of another kind. Counts a hit or a miss. */
  read<K extends Kind>(key: string, kind: K): Values[K] | undefined {
    const entry = this.find(key)
    if (entry) this.memory.hits += 1
    else this.memory.misses += 1
    if (entry && entry.value.kind !== kind) throw wrongType()
    return entry?.value as Values[K] | undefined
  }

  /** Like `read`, with its entry, making an empty value when there is none. Follow with `settle`. */
  open<K extends Kind>(key: string, kind: K): { entry: Entry; value: Values[K] } {
    const known = this.find(key)
    if (known && known.value.kind !== kind) throw wrongType()
    const entry = known ?? this.put(key, emptyValue(kind), null, false)
    return { entry, value: entry.value as Values[K] }
  }

  /** Ends a change of a value in place: accounts for its growth and drops it when nothing is left in it. */
  settle(entry: Entry, growth: number, changed = true): void {
    entry.bytes += growth
    this.memory.used += growth
    if (isEmpty(entry.value)) this.forget(entry.key, changed)
    else if (changed) this.onChange(entry.key)
  }

  /** Sets the whole value. A key that is there already keeps its place in SCAN, so that rewriting keys never makes a scan endless. */
  put(key: string, value: Value, expiresAt: number | null, announce = true): Entry {
    const known = this.entries.get(key)
    if (known) {
      this.memory.recency.delete(known)
      this.memory.used -= known.bytes
      this.expiring.delete(key)
    }
    const entry: Entry = { key, value, expiresAt, bytes: KEY_COST + key.length + sizeOf(value), id: known?.id ?? this.nextId++ }
    this.entries.set(key, entry)
    this.memory.recency.set(entry, this)
    this.memory.used += entry.bytes
    if (expiresAt !== null) this.expiring.set(key, entry)
    if (announce) this.onChange(key)
    return entry
  }

  remove(key: string): boolean {
    if (!this.entries.has(key)) return false
    this.forget(key, true)
    return true
  }

  setExpiry(entry: Entry, expiresAt: number | null): void {
    entry.expiresAt = expiresAt
    if (expiresAt === null) this.expiring.delete(entry.key)
    else this.expiring.set(entry.key, entry)
    this.onChange(entry.key)
  }

  clear(): void {
    for (const key of [...this.entries.keys()]) this.remove(key)
    this.scans.clear()
  }

  /** Every key that has not expired, without touching how recently it was used. */
  *live(): Generator<Entry> {
    const now = Date.now()
    for (const entry of this.entries.values()) if (entry.expiresAt === null || entry.expiresAt > now) yield entry
  }

  /**
   * One step of SCAN. A cursor is the id of the last key seen, so that keys which stay are seen whatever comes and goes
   * meanwhile; the open iterator is kept beside it only to save walking there again.
   */
  scan(cursor: number, count: number): { cursor: number; entries: Entry[] } {
    const walk = this.scans.get(cursor) ?? this.entries.values()
    const resumed = this.scans.delete(cursor)
    const entries: Entry[] = []
    const now = Date.now()
    for (let seen = 0; seen < count; ) {
      const step = walk.next()
      if (step.done) return { cursor: 0, entries }
      if (!resumed && step.value.id <= cursor) continue
      seen += 1
      if (step.value.expiresAt === null || step.value.expiresAt > now) entries.push(step.value)
      cursor = step.value.id
    }
    if (this.scans.size >= 100) this.scans.delete(this.scans.keys().next().value as number)
    this.scans.set(cursor, walk)
    return { cursor, entries }
  }

  /** Looks at some of the keys that expire; called often, so that unread keys give back their room. */
  expireSome(): void {
    for (let round = 0; round < 20; round++) {
      let expired = 0
      for (let seen = 0; seen < 50; seen++) {
        this.sweep ??= this.expiring.entries()
        const step = this.sweep.next()
        if (step.done) {
          this.sweep = undefined
          return
        }
        const entry = step.value[1]
        if (entry.expiresAt === null || entry.expiresAt > Date.now()) continue
        this.expire(entry)
        expired += 1
      }
      if (expired < 12) return
    }
  }

  private expire(entry: Entry): void {
    this.memory.expired += 1
    this.forget(entry.key, true)
  }

  private forget(key: string, announce: boolean): void {
    const entry = this.entries.get(key)
    if (!entry) return
    this.entries.delete(key)
    this.expiring.delete(key)
    this.memory.recency.delete(entry)
    this.memory.used -= entry.bytes
    if (announce) this.onChange(key)
  }
}

const emptyValue = (kind: Kind): Value => {
  if (kind === 'string') return { kind, data: Buffer.alloc(0) }
  if (kind === 'hash') return { kind, fields: new Map() }
  if (kind === 'set') return { kind, members: new Set() }
  if (kind === 'list') return { kind, items: [] }
  return { kind, sorted: new SortedSet() }
}

const isEmpty = (value: Value): boolean => {
  if (value.kind === 'hash') return value.fields.size === 0
  if (value.kind === 'set') return value.members.size === 0
  if (value.kind === 'list') return value.items.length === 0
  return value.kind === 'zset' && value.sorted.size === 0
}

const sizeOf = (value: Value): number => {
  let size = 0
  if (value.kind === 'string') size = value.data.length
  else if (value.kind === 'hash') for (const [field, data] of value.fields) size += ITEM_COST + field.length + data.length
  else if (value.kind === 'set') for (const member of value.members) size += ITEM_COST + member.length
  else if (value.kind === 'list') for (const item of value.items) size += ITEM_COST + item.length
  else for (const { member } of value.sorted.ascending()) size += ITEM_COST + member.length
  return size
}
