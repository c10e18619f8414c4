import { describe, expect, test } from 'vitest'
import { isMongoAway } from './mongo.ts'

function serverError(code: number): Error {
  return Object.assign(new Error('refused'), { name: 'MongoServerError', code })
}

describe('a database that is away', () => {
  test.each([134, 189, 10_107, 11_600, 13_436])('code %i of a server that starts, stops or hands over is worth waiting for', (code) => {
    expect(isMongoAway(serverError(code))).toBe(true)
  })

  test.each(['MongoNetworkError', 'MongoServerSelectionError', 'MongoPoolClearedError', 'MongooseServerSelectionError'])(
    '%s of the driver is worth waiting for',
    (name) => {
      expect(isMongoAway(Object.assign(new Error('gone'), { name }))).toBe(true)
    },
  )

  test('a duplicate key, a refused document and a mistake of ours are not', () => {
    for (const error of [serverError(11_000), serverError(121), new TypeError('x is not a function'), 'MongoNetworkError'])
      expect(isMongoAway(error)).toBe(false)
  })
})
