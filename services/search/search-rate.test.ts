import { replaceRuntime } from '@passerelle/kit/runtime'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSearchRate } from './search-rate.ts'

function rate(options = { perMinute: 30, burst: 20 }) {
  let now = 1_800_000_000_000
  onTestFinished(replaceRuntime({ now: () => now }))
  return {
    ...createSearchRate(options),
    wait: (ms: number) => {
      now += ms
    },
  }
}

describe('new searches of one network', () => {
  it('come in a burst of 20, then one every two seconds', () => {
    const { takeTokens, wait } = rate()
    for (let n = 0; n < 20; n++) takeTokens('203.0.113.7', 1)
    expect(() => takeTokens('203.0.113.7', 1)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', retryAfter: 2 }))
    wait(2000)
    takeTokens('203.0.113.7', 1)
    expect(() => takeTokens('203.0.113.7', 1)).toThrow()
  })

  it('do not count against another network', () => {
    const { takeTokens } = rate({ perMinute: 1, burst: 1 })
    takeTokens('203.0.113.7', 1)
    takeTokens('198.51.100.9', 1)
    expect(() => takeTokens('203.0.113.7', 1)).toThrow()
  })

  it('never save up more than the burst', () => {
    const { takeTokens, wait } = rate({ perMinute: 30, burst: 2 })
    wait(3_600_000)
    takeTokens('a', 1)
    takeTokens('a', 1)
    expect(() => takeTokens('a', 1)).toThrow()
  })

  it('are given back when the supplier was not asked', () => {
    const { takeTokens, returnTokens } = rate({ perMinute: 1, burst: 1 })
    takeTokens('a', 1)
    returnTokens('a', 1)
    takeTokens('a', 1)
    expect(() => takeTokens('a', 1)).toThrow()
  })

  it('cost several tokens while searches are slowed, never more than a full bucket', () => {
    const { takeTokens, wait } = rate({ perMinute: 30, burst: 4 })
    takeTokens('a', 4)
    expect(() => takeTokens('a', 4)).toThrow(expect.objectContaining({ retryAfter: 8 }))
    wait(8000)
    takeTokens('a', 10)
    expect(() => takeTokens('a', 1)).toThrow()
  })
})
