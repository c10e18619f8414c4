/** 64 bits as a number; what lies beyond 2^53 becomes the nearest safe integer, so that it can be stored and read again. */
export function int64At(bytes: Buffer, position: number): number {
  const value = Number(bytes.readBigInt64BE(position))
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value))
}

/**
 * Reads the primitive types of the Kafka protocol (non-flexible encoding) from one request.
 * Every method throws a `RangeError` when the bytes do not hold what is asked for: that is how a malformed request shows.
 */
export class Reader {
  readonly #bytes: Buffer
  #position = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  int8(): number {
    return this.#bytes.readInt8(this.#advance(1))
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#advance(2))
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#advance(4))
  }

  int64(): number {
    return int64At(this.#bytes, this.#advance(8))
  }

  boolean(): boolean {
    return this.int8() !== 0
  }

  string(): string {
    const value = this.nullableString()
    if (value === null) throw new RangeError('a string that must not be null is null')
    return value
  }

  nullableString(): string | null {
    const length = this.int16()
    return length === -1 ? null : this.#slice(length).toString()
  }

  /** A view, not a copy; null counts as empty. */
  bytes(): Buffer {
    const length = this.int32()
    return this.#slice(length === -1 ? 0 : length)
  }

  array<T>(element: (reader: Reader) => T): T[] {
    const items = this.nullableArray(element)
    if (items === null) throw new RangeError('an array that must not be null is null')
    return items
  }

  nullableArray<T>(element: (reader: Reader) => T): T[] | null {
    const length = this.int32()
    if (length === -1) return null
    // No element is shorter than one byte, so a longer count is a lie that must not make us loop.
    if (length < 0 || length > this.#bytes.length - this.#position) throw new RangeError(`an array of ${length} elements does not fit`)
    return Array.from({ length }, () => element(this))
  }

  #slice(length: number): Buffer {
    const start = this.#advance(length)
    return this.#bytes.subarray(start, start + length)
  }

  #advance(length: number): number {
    const start = this.#position
    if (length < 0 || start + length > this.#bytes.length)
      throw new RangeError(`${length} bytes asked for, ${this.#bytes.length - start} left`)
    this.#position = start + length
    return start
  }
}
