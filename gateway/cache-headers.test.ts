/** What is said about keeping an answer. The cases are those of the public tests of HTTP caches that concern a memory of public reads. */
import { describe, expect, test } from 'vitest'
import { encodingOf, matches, sharedSeconds, variesByEncodingAlone, wantsFresh, wantsNothingKept } from './cache-headers.ts'

describe('an answer may be kept for', () => {
  test.each([
    ['public, max-age=3600', 3600],
    ['max-age=3600, public', 3600],
    ['PUBLIC, MaX-AgE=3600', 3600],
    ['public, max-age=3600, extension=1', 3600],
    ['public, max-age=003600', 3600],
    ['public, max-age="3600"', 3600],
    ['public, max-age = 3600', 3600],
    ['public, max-age=99999999999', 31_536_000],
    ['public, s-maxage=60', 60],
    ['public, max-age=3600, s-maxage=1', 1],
    ['public, s-maxage=1, max-age=3600', 1],
    ['public, max-age=1, s-maxage=3600', 3600],
    ['public, max-age=0, s-maxage=3600', 3600],
    ['public, max-age=3600, max-age=1', 1],
    ['public, max-age=1, max-age=3600', 1],
    ['public, extension="max-age=3600", max-age=1', 1],
    ['public, max-age=1, extension="max-age=3600"', 1],
    ['public, extension=", max-age=3600,"', 0],
    ['public, max-age=0', 0],
    ['public, max-age=-3600', 0],
    ["public, max-age='3600'", 0],
    ['public, max-age=3600.0', 0],
    ['public, max-age=a3600', 0],
    ['public, max-age=3600a', 0],
    ['public', 0],
    ['max-age=3600', 0],
    ['', 0],
    ['public, max-age=3600, no-store', 0],
    ['public, max-age=3600, private', 0],
    ['public, max-age=3600, No-Cache', 0],
    ['public, max-age=3600, no-cache="set-cookie"', 0],
  ])('%s: %i s', (control, seconds) => {
    expect(sharedSeconds(control)).toBe(seconds)
  })
})

test.each([
  [{ 'cache-control': 'no-cache' }, true],
  [{ 'cache-control': 'max-age=0' }, true],
  [{ 'cache-control': 'No-Cache' }, true],
  [{ pragma: 'no-cache' }, true],
  [{ pragma: 'unrecognised' }, false],
  [{ pragma: 'no-cache', 'cache-control': 'max-age=60' }, false],
  [{ 'cache-control': 'max-age=60' }, false],
  [{}, false],
])('who asks with %j wants a fresh answer: %s', (headers, fresh) => {
  expect(wantsFresh(headers)).toBe(fresh)
})

test('who asks for nothing to be kept says no-store', () => {
  expect([
    wantsNothingKept({ 'cache-control': 'no-store' }),
    wantsNothingKept({ 'cache-control': 'no-cache' }),
    wantsNothingKept({}),
  ]).toEqual([true, false, false])
})

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"a", "b"', true],
  ['"b", "a", "c"', true],
  ['"b", W/"a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
  [undefined, false],
])('If-None-Match %s names the answer: %s', (given, named) => {
  expect(matches(given, '"a"')).toBe(named)
})

test.each([
  ['br, gzip', 'br'],
  ['gzip, BR', 'br'],
  ['gzip;q=1.0, br;q=0.1', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.0, *', 'gzip'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['gzip, *;q=0', 'gzip'],
  ['identity', 'identity'],
  ['', 'identity'],
])('who accepts %s gets %s', (accepted, encoding) => {
  expect(encodingOf(accepted)).toBe(encoding)
})

test.each([
  [undefined, true],
  ['Accept-Encoding', true],
  ['accept-encoding, Accept-Encoding', true],
  ['accept-encoding, cookie', false],
  ['*', false],
])('an answer that varies by %s is the same for all of one encoding: %s', (vary, same) => {
  expect(variesByEncodingAlone({ getHeader: () => vary })).toBe(same)
})
