/**
 * The record batch (format 2) as the log sees it: the header at fixed places, the records opaque and possibly compressed.
 * The base offset and the leader epoch lie outside the checksum, so the log may set them without touching the rest.
 */
import { gunzipSync } from 'node:zlib'
import { crc32c } from './crc32c.ts'
import { ErrorCode } from './error-code.ts'
import { int64At, Reader } from './reader.ts'

const HEADER_BYTES = 61
const COMPRESSION = { none: 0, gzip: 1 } as const

export type RecordBatch = {
  bytes: Buffer
  lastOffsetDelta: number
  /** Milliseconds since the epoch, as the producer set it. */
  maxTimestamp: number
  /** -1 when the producer is not idempotent. */
  producerId: number
  producerEpoch: number
  baseSequence: number
}

/** Checks what a producer sent for one partition: exactly one whole, unharmed, non-transactional batch. */
export function parseRecordBatch(bytes: Buffer): RecordBatch | { error: ErrorCode } {
  if (bytes.length < HEADER_BYTES) return { error: bytes.length === 0 ? ErrorCode.invalidRecord : ErrorCode.corruptMessage }
  if (bytes.readInt8(16) !== 2) return { error: ErrorCode.unsupportedForMessageFormat }
  const end = 12 + bytes.readInt32BE(8)
  if (end < HEADER_BYTES || end > bytes.length) return { error: ErrorCode.corruptMessage }
  if (end < bytes.length) return { error: ErrorCode.invalidRecord }
  if (crc32c(bytes.subarray(21)) !== bytes.readUInt32BE(17)) return { error: ErrorCode.corruptMessage }
  const attributes = bytes.readInt16BE(21)
  if (attributes & 0x10) return { error: ErrorCode.transactionalIdAuthorizationFailed }
  const lastOffsetDelta = bytes.readInt32BE(23)
  const isControl = (attributes & 0x20) !== 0
  if (isControl || lastOffsetDelta < 0 || bytes.readInt32BE(57) !== lastOffsetDelta + 1) return { error: ErrorCode.invalidRecord }
  return {
    bytes,
    lastOffsetDelta,
    maxTimestamp: int64At(bytes, 35),
    producerId: int64At(bytes, 43),
    producerEpoch: bytes.readInt16BE(51),
    baseSequence: bytes.readInt32BE(53),
  }
}

/** Gives the batch its place in the log, in place. */
export function stampBaseOffset(batch: RecordBatch, baseOffset: number): void {
  batch.bytes.writeBigInt64BE(BigInt(baseOffset), 0)
  batch.bytes.writeInt32BE(0, 12)
}

/**
 * Offset and timestamp of the first record at or after `timestamp` in a stored batch, or undefined if there is none.
 * Snappy, LZ4 and Zstandard cannot be opened here: for them the answer is the batch's first offset.
 */
export function findRecordByTimestamp(bytes: Buffer, timestamp: number): { offset: number; timestamp: number } | undefined {
  const baseOffset = int64At(bytes, 0)
  const baseTimestamp = int64At(bytes, 27)
  const compression = bytes.readInt16BE(21) & 0x7
  const body = bytes.subarray(HEADER_BYTES)
  if (compression !== COMPRESSION.none && compression !== COMPRESSION.gzip) return { offset: baseOffset, timestamp: baseTimestamp }
  const records = new Reader(compression === COMPRESSION.gzip ? gunzipSync(body) : body)
  for (let left = bytes.readInt32BE(57); left > 0; left--) {
    const length = records.varint()
    const record = new Reader(records.slice(length))
    record.skip(1)
    const recordTimestamp = baseTimestamp + record.varint()
    if (recordTimestamp >= timestamp) return { offset: baseOffset + record.varint(), timestamp: recordTimestamp }
  }
  return undefined
}
