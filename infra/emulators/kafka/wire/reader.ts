/**
 * 64 bits as a number. Offsets, timestamps and producer ids of a development log stay far below 2^53; what a client sends beyond
 * that is brought to the nearest safe integer, so that it can be stored and read again.
 */
export function int64At(bytes: Buffer, position: number): number {
  const value = Number(bytes.readBigInt64BE(position))
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value))
}

/**
 * Reads the primitive types of the Kafka protocol (non-flexible encoding) from one request.
 * Every method throws a `RangeError` when the bytes do not hold what is asked for: that is how a malformed request shows.
 */
export class Reader {
  private readonly bytesIn: Buffer
  private position = 0

  constructor(bytesIn: Buffer) {
    this.bytesIn = bytesIn
  }

  int8(): number {
    return this.bytesIn.readInt8(this.advance(1))
  }

  int16(): number {
    return this.bytesIn.readInt16BE(this.advance(2))
  }

  int32(): number {
    return this.bytesIn.readInt32BE(this.advance(4))
  }

  int64(): number {
    return int64At(this.bytesIn, this.advance(8))
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
    if (length === -1) return null
    const start = this.advance(length)
    return this.bytesIn.toString('utf8', start, start + length)
  }

  /** A view, not a copy; null counts as empty. */
  bytes(): Buffer {
    const length = this.int32()
    if (length === -1) return Buffer.alloc(0)
    return this.slice(length)
  }

  array<T>(element: (reader: Reader) => T): T[] {
    return this.nullableArray(element) ?? []
  }

  nullableArray<T>(element: (reader: Reader) => T): T[] | null {
    const length = this.int32()
    if (length === -1) return null
    // No element is shorter than one byte, so a longer count is a lie that must not make us loop.
    if (length < 0 || length > this.bytesIn.length - this.position) throw new RangeError(`an array of ${length} elements does not fit`)
    return Array.from({ length }, () => element(this))
  }

  /** The variable-length zigzag integer used inside record batches. */
  varint(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = this.bytesIn.readUInt8(this.advance(1))
      value += (byte & 0x7f) * scale
      if (byte < 0x80) break
      scale *= 128
      if (scale > 2 ** 63) throw new RangeError('a variable-length integer is too long')
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  /** The next `length` bytes: a view, not a copy. */
  slice(length: number): Buffer {
    const start = this.advance(length)
    return this.bytesIn.subarray(start, start + length)
  }

  skip(length: number): void {
    this.advance(length)
  }

  private advance(length: number): number {
    const start = this.position
    if (length < 0 || start + length > this.bytesIn.length) {
      throw new RangeError(`${length} bytes asked for, ${this.bytesIn.length - start} left`)
    }
    this.position = start + length
    return start
  }
}
