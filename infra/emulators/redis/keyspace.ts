/** The keys of one numbered database: their values and when they expire. */

/** A string, or a set of members as latin1. `expiresAt`: milliseconds since the epoch; Infinity: never. */
type Value = Buffer | ReadonlySet<string>
type Entry = { data: Value; expiresAt: number }

/** Rough cost in bytes of a key beside its text and value. */
const KEY_COST = 96

export class Keyspace {
  /** The key that was written longest ago comes first. */
  readonly #entries = new Map<string, Entry>()
  readonly #maxBytes: number
  #bytes = 0

  /** @param maxBytes the keys that were written longest ago go when all together take more; an estimate. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  find(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    if (!entry || entry.expiresAt > Date.now()) return entry
    this.delete(key)
    return undefined
  }

  set(key: string, data: Value, expiresAt = Number.POSITIVE_INFINITY): void {
    this.delete(key)
    this.#entries.set(key, { data, expiresAt })
    this.#bytes += cost(key, data)
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.delete(oldest)
    }
  }

  delete(key: string): boolean {
    const entry = this.#entries.get(key)
    if (!entry) return false
    this.#bytes -= cost(key, entry.data)
    return this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  /** Every key that has not expired. The others go now, read or not. */
  keys(): string[] {
    for (const key of this.#entries.keys()) this.find(key)
    return [...this.#entries.keys()]
  }
}

function cost(key: string, data: Value): number {
  const size = Buffer.isBuffer(data) ? data.length : [...data].reduce((sum, member) => sum + KEY_COST + member.length, 0)
  return KEY_COST + key.length + size
}
