import { randomInt } from 'node:crypto'
import { CommandError } from './errors.ts'
import { MAX_DOCUMENT_BYTES } from './storage/collection.ts'

/** Documents of a first batch when the client names no size; later batches are bounded by bytes alone. */
const FIRST_BATCH = 101
const IDLE_MS = 10 * 60_000

type Cursor = { namespace: string; left: Uint8Array[]; usedAt: number }

/** Open cursors: results that were not read to their end. They are gone with the process. */
export class Cursors {
  readonly #open = new Map<number, Cursor>()

  /** The first batch, and a cursor when more is left. @param single never leaves a cursor. */
  reply(namespace: string, documents: Uint8Array[], { batchSize = FIRST_BATCH, single = false } = {}): Buffer {
    const { batch, left } = cut(documents, batchSize)
    const id = left.length > 0 && !single ? randomInt(1, 2 ** 48 - 1) : 0
    if (id !== 0) this.#open.set(id, { namespace, left, usedAt: Date.now() })
    return cursorReply('firstBatch', batch, id, namespace)
  }

  /** @throws CursorNotFound */
  next(id: number, batchSize: number): Buffer {
    const cursor = this.#open.get(id)
    if (!cursor) throw new CommandError(43, `cursor id ${id} not found`)
    const { batch, left } = cut(cursor.left, batchSize || Number.POSITIVE_INFINITY)
    Object.assign(cursor, { left, usedAt: Date.now() })
    if (left.length === 0) this.#open.delete(id)
    return cursorReply('nextBatch', batch, left.length === 0 ? 0 : id, cursor.namespace)
  }

  kill(id: number): boolean {
    return this.#open.delete(id)
  }

  /** Forgets cursors that nobody has read for ten minutes. */
  sweep(now: number): void {
    for (const [id, cursor] of this.#open) if (now - cursor.usedAt > IDLE_MS) this.#open.delete(id)
  }
}

/** At most `count` documents and 16 MB, at least one. */
function cut(documents: Uint8Array[], count: number): { batch: Uint8Array[]; left: Uint8Array[] } {
  let bytes = 0
  let end = 0
  while (end < documents.length && end < count) {
    bytes += documents[end]!.length
    if (end > 0 && bytes > MAX_DOCUMENT_BYTES) break
    end++
  }
  return { batch: documents.slice(0, end), left: documents.slice(end) }
}

const DOCUMENT = 3
const ARRAY = 4
const NUMBER = 1
const STRING = 2
const LONG = 18

/** `{cursor: {<field>: [...], id, ns}, ok: 1}` around documents that are BSON bytes already. */
function cursorReply(field: string, batch: Uint8Array[], id: number, namespace: string): Buffer {
  const [cursorId, one, length] = [Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(4)]
  cursorId.writeBigInt64LE(BigInt(id))
  one.writeDoubleLE(1)
  const name = Buffer.from(`${namespace}\0`)
  length.writeInt32LE(name.length)
  const list = bsonOf(batch.map((bytes, i) => element(DOCUMENT, String(i), bytes)))
  const cursor = bsonOf([element(ARRAY, field, list), element(LONG, 'id', cursorId), element(STRING, 'ns', length, name)])
  return bsonOf([element(DOCUMENT, 'cursor', cursor), element(NUMBER, 'ok', one)])
}

const element = (type: number, name: string, ...content: Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.of(type), Buffer.from(`${name}\0`), ...content])

function bsonOf(elements: Uint8Array[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), ...elements, Buffer.of(0)])
  bytes.writeInt32LE(bytes.length)
  return bytes
}
