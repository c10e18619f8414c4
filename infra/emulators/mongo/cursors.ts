import { randomBytes } from 'node:crypto'
import { Long } from 'bson'
import { CommandError } from './errors.ts'
import { MAX_DOCUMENT_BYTES } from './values/bson.ts'

/** Documents of a batch when the client names no size; later batches are bounded by bytes only. */
const FIRST_BATCH = 101
const IDLE_MS = 10 * 60_000

type Cursor = { namespace: string; documents: Iterator<Uint8Array>; lookahead: Uint8Array | undefined; usedAt: number }

const int32 = (value: number): Buffer => {
  const buffer = Buffer.allocUnsafe(4)
  buffer.writeInt32LE(value)
  return buffer
}
const element = (type: number, name: string): Buffer => Buffer.concat([Buffer.from([type]), Buffer.from(`${name}\0`)])
const documentOf = (parts: Uint8Array[]): Buffer => {
  const size = parts.reduce((sum, part) => sum + part.length, 5)
  return Buffer.concat([int32(size), ...parts, Buffer.of(0)], size)
}

/** `{cursor: {<field>: [...], id, ns}, ok: 1}` around documents that are BSON bytes already. */
function cursorReply(field: string, batch: Uint8Array[], id: Long, namespace: string): Buffer {
  const items = batch.flatMap((bytes, i) => [element(3, String(i)), bytes])
  const name = Buffer.from(`${namespace}\0`)
  const cursor = documentOf([
    element(4, field),
    documentOf(items),
    element(18, 'id'),
    Buffer.from(id.toBytesLE()),
    element(2, 'ns'),
    int32(name.length),
    name,
  ])
  const ok = Buffer.alloc(8)
  ok.writeDoubleLE(1)
  return documentOf([element(3, 'cursor'), cursor, element(1, 'ok'), ok])
}

/** Open cursors: result sets that were not read to their end. They are gone with the process. */
export class Cursors {
  readonly #open = new Map<string, Cursor>()

  get count(): number {
    return this.#open.size
  }

  /** The first batch, and a cursor when more is left. `batchSize` undefined: 101; `single`: never a cursor. */
  reply(namespace: string, documents: Iterable<Uint8Array>, batchSize: number | undefined, single: boolean): Buffer {
    const cursor: Cursor = { namespace, documents: documents[Symbol.iterator](), lookahead: undefined, usedAt: Date.now() }
    const { batch, more } = this.#read(cursor, batchSize ?? FIRST_BATCH)
    const id = more && !single ? this.#newId() : Long.ZERO
    if (!id.isZero()) this.#open.set(id.toString(), cursor)
    return cursorReply('firstBatch', batch, id, namespace)
  }

  /** @throws CursorNotFound */
  next(id: Long, batchSize: number | undefined): Buffer {
    const cursor = this.#open.get(id.toString())
    if (!cursor) throw new CommandError(43, `cursor id ${id} not found`)
    const { batch, more } = this.#read(cursor, batchSize || Number.POSITIVE_INFINITY)
    cursor.usedAt = Date.now()
    if (!more) this.#open.delete(id.toString())
    return cursorReply('nextBatch', batch, more ? id : Long.ZERO, cursor.namespace)
  }

  kill(id: Long): boolean {
    return this.#open.delete(id.toString())
  }

  /** Forgets cursors that nobody has read for ten minutes. */
  sweep(now: number): void {
    for (const [id, cursor] of this.#open) if (now - cursor.usedAt > IDLE_MS) this.#open.delete(id)
  }

  #newId(): Long {
    const bits = randomBytes(8)
    return Long.fromBits(bits.readInt32LE(0) | 1, bits.readInt32LE(4) & 0x7fffffff)
  }

  /** At most `count` documents and 16 MB, at least one; looks one document ahead to know whether more is left. */
  #read(cursor: Cursor, count: number): { batch: Uint8Array[]; more: boolean } {
    const batch: Uint8Array[] = []
    let bytes = 0
    const peek = (): Uint8Array | undefined => {
      if (!cursor.lookahead) {
        const { value, done } = cursor.documents.next()
        cursor.lookahead = done ? undefined : value
      }
      return cursor.lookahead
    }
    for (let document = peek(); document && batch.length < count; document = peek()) {
      bytes += document.length
      if (batch.length > 0 && bytes > MAX_DOCUMENT_BYTES) break
      batch.push(document)
      cursor.lookahead = undefined
    }
    return { batch, more: peek() !== undefined }
  }
}
