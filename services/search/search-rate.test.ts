import { describe, expect, it } from 'vitest'
import { createSearchRate } from './search-rate.ts'

function rate(options = { perMinute: 30, burst: 20 }) {
  let now = 1_800_000_000_000
  return {
    ...createSearchRate(options, () => now),
    wait: (ms: number) => {
      now += ms
    },
  }
}

describe('new searches of one network', () => {
  it('come in a burst of 20, then one every two seconds', () => {
    const { take, wait } = rate()
    for (let n = 0; n < 20; n++) take('203.0.113.7')
    expect(() => take('203.0.113.7')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', retryAfter: 2 }))
    wait(2000)
    take('203.0.113.7')
    expect(() => take('203.0.113.7')).toThrow()
  })

  it('do not count against another network', () => {
    const { take } = rate({ perMinute: 1, burst: 1 })
    take('203.0.113.7')
    take('198.51.100.9')
    expect(() => take('203.0.113.7')).toThrow()
  })

  it('never save up more than the burst', () => {
    const { take, wait } = rate({ perMinute: 30, burst: 2 })
    wait(3_600_000)
    take('a')
    take('a')
    expect(() => take('a')).toThrow()
  })

  it('are given back when the supplier was not asked', () => {
    const { take, giveBack } = rate({ perMinute: 1, burst: 1 })
    take('a')
    giveBack('a')
    take('a')
    expect(() => take('a')).toThrow()
  })
})
