/**
 * The record batch (format 2) as the log sees it: the header at fixed places, the records opaque and possibly compressed.
 * The base offset and the leader epoch lie outside the checksum, so the log may set them without touching the rest.
 */
import { ErrorCode } from './error-code.ts'
import { int64At } from './reader.ts'

const HEADER_BYTES = 61
const TRANSACTIONAL = 0x10
const CONTROL = 0x20

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
  if (attributes & TRANSACTIONAL) return { error: ErrorCode.transactionalIdAuthorizationFailed }
  const lastOffsetDelta = bytes.readInt32BE(23)
  const isCounted = lastOffsetDelta >= 0 && bytes.readInt32BE(57) === lastOffsetDelta + 1
  if (attributes & CONTROL || !isCounted) return { error: ErrorCode.invalidRecord }
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
export function stampBaseOffset({ bytes }: RecordBatch, baseOffset: number): void {
  bytes.writeBigInt64BE(BigInt(baseOffset), 0)
  bytes.writeInt32BE(0, 12)
}

/** CRC-32C (Castagnoli): `node:zlib` has the other polynomial alone. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value
})

function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (let index = 0; index < bytes.length; index++) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ bytes[index]!) & 0xff]!
  return (crc ^ 0xffffffff) >>> 0
}
