import { expect, test } from 'vitest'
import { crc32c } from './crc32c.ts'
import { Reader } from './reader.ts'
import { Writer } from './writer.ts'

function written(write: (writer: Writer) => void): Buffer {
  const writer = new Writer()
  write(writer)
  const bytes = Buffer.concat(writer.finish())
  expect(bytes.length).toBe(writer.length)
  return bytes
}

test('what is written is read back', () => {
  const large = Buffer.alloc(5_000, 7)
  const bytes = written((writer) => {
    writer.int8(-1).int16(-2).int32(-3).int64(-4).boolean(true).string('größe').string(null).bytes(large)
    writer.array([1, 2, 3], (item) => writer.int32(item)).blocks([Buffer.from('ab'), large])
  })
  const reader = new Reader(bytes)
  expect([reader.int8(), reader.int16(), reader.int32(), reader.int64(), reader.boolean()]).toEqual([-1, -2, -3, -4, true])
  expect([reader.string(), reader.nullableString()]).toEqual(['größe', null])
  expect(reader.bytes().equals(large)).toBe(true)
  expect(reader.array((item) => item.int32())).toEqual([1, 2, 3])
  expect(reader.bytes().equals(Buffer.concat([Buffer.from('ab'), large]))).toBe(true)
})

test('values that cross the end of a chunk stay whole', () => {
  for (let lead = 1_010; lead < 1_030; lead++) {
    const reader = new Reader(
      written((writer) => {
        for (let index = 0; index < lead; index++) writer.int8(1)
        writer.int64(123_456_789_012).string('x'.repeat(100)).int16(77)
      }),
    )
    reader.skip(lead)
    expect([reader.int64(), reader.string().length, reader.int16()]).toEqual([123_456_789_012, 100, 77])
  }
})

test.each<[string, (reader: Reader) => unknown]>([
  ['a number', (reader) => reader.int64()],
  ['a string', (reader) => reader.string()],
  ['bytes', (reader) => reader.bytes()],
  ['an array', (reader) => reader.array((item) => item.int8())],
])('%s that is longer than what is there is a RangeError', (_what, read) => {
  expect(() => read(new Reader(Buffer.from([0, 9, 9, 9])))).toThrow(RangeError)
})

test('numbers beyond the safe integers become the nearest safe one', () => {
  const most = Buffer.alloc(8)
  most.writeBigInt64BE(2n ** 62n)
  expect(new Reader(most).int64()).toBe(Number.MAX_SAFE_INTEGER)
})

test('zigzag integers of every length are read', () => {
  const encoded = (value: number): Buffer => {
    const bytes: number[] = []
    let left = BigInt.asUintN(64, (BigInt(value) << 1n) ^ (BigInt(value) >> 63n))
    for (; left > 0x7fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80)
    return Buffer.from([...bytes, Number(left)])
  }
  expect(encoded(-65)).toEqual(Buffer.from([0x81, 0x01]))
  for (const value of [0, -1, 1, -64, 63, 64, -65, 2 ** 31 - 1, -(2 ** 31), 1_767_225_600_000, -1_767_225_600_000]) {
    expect(new Reader(encoded(value)).varint()).toBe(value)
  }
})

test('the checksum is CRC-32C', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283)
})
