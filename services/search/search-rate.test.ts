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
    const { takeToken, wait } = rate()
    for (let n = 0; n < 20; n++) takeToken('203.0.113.7')
    expect(() => takeToken('203.0.113.7')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', retryAfter: 2 }))
    wait(2000)
    takeToken('203.0.113.7')
    expect(() => takeToken('203.0.113.7')).toThrow()
  })

  it('do not count against another network', () => {
    const { takeToken } = rate({ perMinute: 1, burst: 1 })
    takeToken('203.0.113.7')
    takeToken('198.51.100.9')
    expect(() => takeToken('203.0.113.7')).toThrow()
  })

  it('never save up more than the burst', () => {
    const { takeToken, wait } = rate({ perMinute: 30, burst: 2 })
    wait(3_600_000)
    takeToken('a')
    takeToken('a')
    expect(() => takeToken('a')).toThrow()
  })

  it('are given back when the supplier was not asked', () => {
    const { takeToken, returnToken } = rate({ perMinute: 1, burst: 1 })
    takeToken('a')
    returnToken('a')
    takeToken('a')
    expect(() => takeToken('a')).toThrow()
  })
})
