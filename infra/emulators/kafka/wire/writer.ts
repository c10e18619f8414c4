/** Writes the primitive types of the Kafka protocol (non-flexible encoding). */
export class Writer {
  #bytes = Buffer.allocUnsafe(512)
  #length = 0

  int8(value: number): this {
    const at = this.#reserve(1)
    this.#bytes.writeInt8(value, at)
    return this
  }

  int16(value: number): this {
    const at = this.#reserve(2)
    this.#bytes.writeInt16BE(value, at)
    return this
  }

  int32(value: number): this {
    const at = this.#reserve(4)
    this.#bytes.writeInt32BE(value, at)
    return this
  }

  int64(value: number): this {
    const at = this.#reserve(8)
    this.#bytes.writeBigInt64BE(BigInt(value), at)
    return this
  }

  boolean(value: boolean): this {
    return this.int8(value ? 1 : 0)
  }

  string(value: string | null): this {
    if (value === null) return this.int16(-1)
    const encoded = Buffer.from(value, 'utf8')
    return this.int16(encoded.length).#raw(encoded)
  }

  /** One or several blocks as one byte field. */
  bytes(...blocks: Uint8Array[]): this {
    this.int32(blocks.reduce((sum, block) => sum + block.length, 0))
    for (const block of blocks) this.#raw(block)
    return this
  }

  array<T>(items: readonly T[], element: (item: T) => void): this {
    this.int32(items.length)
    for (const item of items) element(item)
    return this
  }

  /** Everything written, with its length in front. */
  finish(): Buffer {
    const length = Buffer.allocUnsafe(4)
    length.writeInt32BE(this.#length)
    return Buffer.concat([length, this.#bytes.subarray(0, this.#length)])
  }

  #raw(value: Uint8Array): this {
    const at = this.#reserve(value.length)
    this.#bytes.set(value, at)
    return this
  }

  /** May replace the bytes: look at them only afterwards. */
  #reserve(length: number): number {
    const start = this.#length
    this.#length += length
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, 2 * this.#bytes.length))
      this.#bytes.copy(larger, 0, 0, start)
      this.#bytes = larger
    }
    return start
  }
}
