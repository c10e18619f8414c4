import mongoose from 'mongoose'
import { describe, expect, test } from 'vitest'
import { isMongoUnavailable } from './mongo.ts'

const { mongo } = mongoose
const network = new mongo.MongoNetworkError('connection 5 to 10.0.0.7:27017 closed')
const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
const nothingWritten = {} as ConstructorParameters<typeof mongo.MongoBulkWriteError>[1]
const answered = (code: number, more: object = {}) => new mongo.MongoServerError({ message: 'refused', code, ...more })
const bulk = (error: unknown) =>
  new mongo.MongoBulkWriteError(error as ConstructorParameters<typeof mongo.MongoBulkWriteError>[0], nothingWritten)
/** A class of the driver that it does not export. */
const named = (name: string, message = 'gone', more: object = {}) => Object.assign(new Error(message), { name, ...more })

describe('an unavailable database', () => {
  test.each([6, 7, 43, 50, 64, 89, 91, 133, 134, 189, 206, 237, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436])(
    'code %i of a server that starts, stops or hands over is worth waiting for',
    (code) => {
      expect(isMongoUnavailable(answered(code))).toBe(true)
    },
  )

  test.each([
    network,
    new mongo.MongoNetworkTimeoutError('connection 5 to 10.0.0.7:27017 timed out'),
    new mongo.MongoNotConnectedError('Client must be connected before running operations'),
    new mongo.MongoTopologyClosedError(),
    new mongo.MongoServerClosedError(),
    new mongo.MongoClientClosedError(),
    new mongo.MongoExpiredSessionError(),
    new mongo.MongoOperationTimeoutError('Timed out during socket read'),
    new mongo.MongoStalePrimaryError('the primary is another one by now'),
    new mongo.MongoServerSelectionError('Server selection timed out after 5000 ms', {} as never),
    new mongo.MongoWriteConcernError({ ok: 1, writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } }),
    new mongoose.Error.MongooseServerSelectionError('connect ECONNREFUSED 127.0.0.1:27017'),
    named('MongoPoolClosedError', 'Attempted to check out a connection from closed connection pool'),
    named('MongoPoolClearedError'),
    named('MongoPoolClearedOnNetworkError'),
    named('MongoWaitQueueTimeoutError'),
  ])('$name of the driver is worth waiting for', (error) => {
    expect(isMongoUnavailable(error)).toBe(true)
  })

  test('mongoose’s own errors about a connection are, by what they say', () => {
    for (const text of [
      'Operation `users.findOne()` buffering timed out after 5000ms',
      'Cannot call `users.findOne()` before initial connection is complete if `bufferCommands = false`',
      'Connection was force closed',
    ])
      expect(isMongoUnavailable(new mongoose.Error(text)), text).toBe(true)
  })

  test.each([
    ['a network error', bulk(network)],
    ['a system error', bulk(new mongo.MongoNetworkError('read ECONNRESET', { cause: reset }))],
    ['no server', bulk(new mongo.MongoServerSelectionError('connect ECONNREFUSED 127.0.0.1:27017', {} as never))],
    ['a pool that was cleared', bulk(new mongo.MongoNetworkError('Connection pool for a:1 was cleared because another operation failed'))],
    ['a server that shuts down', bulk({ message: 'shutting down', code: 91, writeErrors: [] })],
    ['a write that was acknowledged by too few', bulk({ message: 'waiting for replication timed out', code: 64 })],
  ])('a bulk write that was ended by %s is', (_, error) => {
    expect(isMongoUnavailable(error)).toBe(true)
  })

  test('so is an error that the driver has labelled as retryable', () => {
    for (const label of ['RetryableWriteError', 'RetryableReadError', 'PoolRequestedRetry', 'SystemOverloadedError'])
      expect(isMongoUnavailable(answered(1, { errorLabels: [label] })), label).toBe(true)
  })

  test('so is an error of ours or of mongoose’s that has one of these as its cause, however deep', () => {
    const wrapped = new Error('the account could not be read', { cause: new Error('store', { cause: network }) })
    expect(isMongoUnavailable(wrapped)).toBe(true)
    expect(isMongoUnavailable(new mongo.MongoError('wrapped', { cause: reset }))).toBe(false)
    expect(isMongoUnavailable(new mongo.MongoRuntimeError('failed', { cause: new mongo.MongoNetworkError('x', { cause: reset }) }))).toBe(
      true,
    )
  })

  test('a duplicate key, a refused document, a mistake of ours and another peer’s broken connection are not', () => {
    const duplicate = answered(11_000)
    const loop = new Error('in a circle')
    loop.cause = loop
    const others = [
      duplicate,
      bulk({ message: 'E11000 duplicate key error', code: 11_000, writeErrors: [] }),
      answered(121),
      answered(2),
      answered(13),
      new mongo.MongoInvalidArgumentError('Update document requires atomic operators'),
      new mongoose.Error.CastError('string', {}, 'email'),
      new TypeError('x is not a function'),
      new Error('no account', { cause: duplicate }),
      new TypeError('fetch failed', { cause: reset }),
      reset,
      loop,
      'MongoNetworkError',
      undefined,
    ]
    for (const error of others) expect(isMongoUnavailable(error), String(error)).toBe(false)
  })
})
