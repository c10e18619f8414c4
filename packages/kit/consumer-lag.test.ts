import { expect, test } from 'vitest'
import { lagOf } from './consumer-lag.ts'

const end = (partition: number, offset: number, low = 0) => ({ partition, offset: String(offset), low: String(low) })
const at = (partition: number, offset: number) => ({ partition, offset: String(offset) })

test('the lag of a group is what its partitions hold after the committed offsets', () => {
  expect(lagOf([end(0, 10), end(1, 5)], [at(0, 7), at(1, 5)])).toBe(3)
})

test('what was never committed counts from the oldest message that is still there', () => {
  expect(lagOf([end(0, 10, 4)], [at(0, -1)])).toBe(6)
  expect(lagOf([end(0, 10, 4)], [])).toBe(6)
})

test('an offset before the oldest message, or after the end of a topic made anew, counts nothing twice', () => {
  expect(lagOf([end(0, 10, 8)], [at(0, 2)])).toBe(2)
  expect(lagOf([end(0, 0)], [at(0, 50)])).toBe(0)
})
