import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { forgetAttempt, isFinal, noteBooking, noteOver, noteSent } from './open-attempts.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
let stored: Map<string, string>

beforeEach(() => {
  stored = new Map()
  vi.useFakeTimers({ now: NOW })
  vi.stubGlobal('window', {
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    },
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const kept = () => JSON.parse([...stored.values()][0] ?? '[]') as object[]

it('keeps a key, a time and a booking id, nothing of the traveller, and several attempts beside each other', () => {
  noteSent('k1')
  noteBooking('k1', 'bk_1')
  noteSent('k2')
  expect(kept()).toEqual([
    { key: 'k1', sentAt: NOW, bookingId: 'bk_1' },
    { key: 'k2', sentAt: NOW, bookingId: null },
  ])
  forgetAttempt('bk_1')
  forgetAttempt('k2')
  expect(stored.size).toBe(0)
})

it('no booking is the last word 60 seconds after the last request, and at once for an attempt that is over', () => {
  noteSent('k1')
  expect(isFinal('k1', NOW + 60_000)).toBe(false)
  expect(isFinal('k1', NOW + 60_001)).toBe(true)
  vi.setSystemTime(NOW + 30_000)
  noteSent('k1')
  expect(isFinal('k1', NOW + 60_001)).toBe(false)
  noteOver('k1')
  expect(isFinal('k1', NOW + 30_001)).toBe(true)
})

it('an attempt that nothing is known of never ends by itself, and one of yesterday is forgotten', () => {
  expect(isFinal('k9', NOW)).toBe(false)
  noteSent('k1')
  vi.setSystemTime(NOW + 25 * 3_600_000)
  noteSent('k2')
  expect(kept()).toMatchObject([{ key: 'k2' }])
})

it('works for this page where the browser stores nothing', () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  vi.stubGlobal('window', {
    get localStorage(): Storage {
      throw new DOMException('blocked', 'SecurityError')
    },
  })
  noteSent('k1')
  expect(isFinal('k1', NOW + 60_001)).toBe(true)
})
