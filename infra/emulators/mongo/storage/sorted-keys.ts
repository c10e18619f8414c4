import { compareValues } from '../values/compare.ts'
import type { Entry } from './entry.ts'

/** One key of an index: the indexed values of a document, and the document. */
export type IndexKey = { values: unknown[]; entry: Entry }

const CHUNK = 512

function compareKeys(a: IndexKey, b: IndexKey): number {
  for (let i = 0; i < a.values.length; i++) {
    const order = compareValues(a.values[i], b.values[i])
    if (order !== 0) return order
  }
  return a.entry.seq - b.entry.seq
}

/** Keys in order, in chunks of bounded size, so that adding one never moves many. */
export class SortedKeys {
  #chunks: IndexKey[][] = []

  add(key: IndexKey): void {
    const at = this.#chunkOf((other) => compareKeys(other, key) < 0)
    const chunk = this.#chunks[at] ?? this.#chunks.at(-1)
    if (!chunk) {
      this.#chunks.push([key])
      return
    }
    chunk.splice(
      lowerBound(chunk, (other) => compareKeys(other, key) < 0),
      0,
      key,
    )
    if (chunk.length > CHUNK) this.#chunks.splice(this.#chunks.indexOf(chunk), 1, chunk.slice(0, CHUNK / 2), chunk.slice(CHUNK / 2))
  }

  remove(key: IndexKey): void {
    const at = this.#chunkOf((other) => compareKeys(other, key) < 0)
    const chunk = this.#chunks[at]
    if (!chunk) return
    const index = lowerBound(chunk, (other) => compareKeys(other, key) < 0)
    const found = chunk[index]
    if (!found || compareKeys(found, key) !== 0) return
    chunk.splice(index, 1)
    if (chunk.length === 0) this.#chunks.splice(at, 1)
  }

  /** Keys from the first for which `isBefore` is false, in order. Do not change the index while reading. */
  *from(isBefore: (key: IndexKey) => boolean): Generator<IndexKey> {
    const first = this.#chunkOf(isBefore)
    for (let at = first; at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at]!
      for (let i = at === first ? lowerBound(chunk, isBefore) : 0; i < chunk.length; i++) yield chunk[i]!
    }
  }

  /** The first chunk whose last key is not before. */
  #chunkOf(isBefore: (key: IndexKey) => boolean): number {
    return lowerBound(this.#chunks, (chunk) => isBefore(chunk.at(-1)!))
  }
}

function lowerBound<T>(items: T[], isBefore: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(items[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
