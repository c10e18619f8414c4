import { afterEach, describe, expect, test, vi } from 'vitest'
import { delay, every, monotonicMs, now, nowMs, random, randomId, randomInt, randomToken, replaceRuntime } from './runtime.ts'

let restore: (() => void)[] = []
afterEach(() => {
  for (const undo of restore) undo()
  restore = []
  vi.useRealTimers()
})

describe('time', () => {
  test('reads the replaced clock until it is restored', () => {
    restore.push(replaceRuntime({ now: () => 5, monotonic: () => 7 }))
    expect([nowMs(), now().getTime(), monotonicMs()]).toEqual([5, 5, 7])
    restore.pop()?.()
    expect(nowMs()).toBeGreaterThan(1_000_000_000_000)
  })

  test('repeats until stopped', () => {
    vi.useFakeTimers()
    const work = vi.fn()
    const stop = every(100, work)
    vi.advanceTimersByTime(350)
    stop()
    vi.advanceTimersByTime(1000)
    expect(work).toHaveBeenCalledTimes(3)
  })

  test('a delay ends at once when its signal is aborted', async () => {
    const controller = new AbortController()
    const ended = delay(60_000, controller.signal)
    controller.abort()
    await ended
    await delay(60_000, controller.signal)
  })
})

describe('chance', () => {
  test('draws from the replaced source', () => {
    restore.push(replaceRuntime({ randomBytes: (size) => Buffer.alloc(size, 0xff) }))
    expect(randomId()).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
    expect(randomToken('usr_', 3)).toBe('usr_____')
    expect(random()).toBeLessThan(1)
    expect(randomInt(10, 20)).toBe(19)
    restore.push(replaceRuntime({ randomBytes: (size) => Buffer.alloc(size) }))
    expect([random(), randomInt(10, 20)]).toEqual([0, 10])
  })
})
