/** CRC-32C (Castagnoli), the checksum of record batches. `node:zlib` only has the other polynomial. */
const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value
})

export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (let index = 0; index < bytes.length; index++) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[index]!) & 0xff]!
  return (crc ^ 0xffffffff) >>> 0
}
