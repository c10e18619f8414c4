const CHUNK_BYTES = 1024

/** Writes the primitive types of the Kafka protocol (non-flexible encoding). Large byte blocks are kept as they are, not copied. */
export class Writer {
  private readonly parts: Buffer[] = []
  private chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  private used = 0
  /** Bytes written so far. */
  length = 0

  int8(value: number): this {
    const at = this.reserve(1)
    this.chunk.writeInt8(value, at)
    return this
  }

  int16(value: number): this {
    const at = this.reserve(2)
    this.chunk.writeInt16BE(value, at)
    return this
  }

  int32(value: number): this {
    const at = this.reserve(4)
    this.chunk.writeInt32BE(value, at)
    return this
  }

  int64(value: number): this {
    const at = this.reserve(8)
    this.chunk.writeBigInt64BE(BigInt(value), at)
    return this
  }

  boolean(value: boolean): this {
    return this.int8(value ? 1 : 0)
  }

  string(value: string | null): this {
    if (value === null) return this.int16(-1)
    const encoded = Buffer.from(value, 'utf8')
    return this.int16(encoded.length).raw(encoded)
  }

  bytes(value: Buffer): this {
    return this.int32(value.length).raw(value)
  }

  /** Several blocks as one byte field, for instance the record batches of one partition. */
  blocks(values: readonly Buffer[]): this {
    this.int32(values.reduce((sum, value) => sum + value.length, 0))
    for (const value of values) this.raw(value)
    return this
  }

  array<T>(items: readonly T[], element: (item: T) => void): this {
    this.int32(items.length)
    for (const item of items) element(item)
    return this
  }

  /** Everything written, in order. The writer must not be used afterwards. */
  finish(): Buffer[] {
    this.closeChunk()
    return this.parts
  }

  private raw(value: Buffer): this {
    if (value.length <= CHUNK_BYTES / 4) {
      const at = this.reserve(value.length)
      value.copy(this.chunk, at)
      return this
    }
    this.closeChunk()
    this.parts.push(value)
    this.length += value.length
    return this
  }

  /** May begin a new chunk: look at `this.chunk` only afterwards. */
  private reserve(length: number): number {
    if (this.used + length > this.chunk.length) this.closeChunk()
    const start = this.used
    this.used += length
    this.length += length
    return start
  }

  private closeChunk(): void {
    if (this.used === 0) return
    this.parts.push(this.chunk.subarray(0, this.used))
    this.chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    this.used = 0
  }
}
