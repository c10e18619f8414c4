import { describe, expect, it, onTestFinished } from 'vitest'
import type { Cache } from './redis.ts'
import { replaceRuntime } from './runtime.ts'
import { sharedCounts } from './shared-counts.ts'

type Counting = Pick<Cache, 'count'>

function bench() {
  let now = 1_800_000_000_000
  const wait = (ms: number) => {
    now += ms
  }
  onTestFinished(replaceRuntime({ now: () => now }))
  const totals = new Map<string, number>()
  const redis = { away: false, batches: 0 }
  const cache: Counting = {
    async count(additions) {
      if (redis.away) return undefined
      redis.batches++
      return additions.map(({ key, by, windowSeconds }) => {
        totals.set(key, (totals.get(key) ?? 0) + by)
        return { count: totals.get(key) ?? 0, resetMs: windowSeconds * 1000 }
      })
    },
  }
  const replica = () => {
    const counts = sharedCounts(cache, 100)
    onTestFinished(() => counts.stop())
    return counts
  }
  return { replica, redis, totals, wait }
}

describe('shared counts', () => {
  it('learn what other replicas have counted with each batch', async () => {
    const { replica } = bench()
    const [first, second] = [replica(), replica()]
    const [here, there] = [first.windowOf('a', 60), second.windowOf('a', 60)]
    for (let n = 0; n < 3; n++) first.add(here, 1000)
    second.add(there, 1000)
    await first.send([here])
    await second.send([there])
    expect([here.own + here.others, there.own + there.others]).toEqual([3, 4])
    first.add(here, 1000)
    await first.send([here])
    expect(here.own + here.others).toBe(5)
  })

  it('are sent at once when a large part of a limit was counted here', () => {
    const { replica, redis } = bench()
    const counts = replica()
    const window = counts.windowOf('a', 60)
    for (let n = 0; n < 9; n++) counts.add(window, 400)
    expect(redis.batches).toBe(0)
    counts.add(window, 400)
    expect(redis.batches).toBe(1)
  })

  it('take back what should not have counted, for all replicas', async () => {
    const { replica, totals } = bench()
    const counts = replica()
    const window = counts.windowOf('a', 60)
    counts.add(window, 1000)
    await counts.send([window])
    counts.subtract(window)
    await counts.send([window])
    expect([window.own + window.others, totals.get('a')]).toEqual([0, 0])
    counts.subtract(window)
    counts.add(window, 1000)
    counts.add(window, 1000)
    await counts.stop()
    expect(totals.get('a')).toBe(1)
  })

  it('hold in this process while Redis is away, and begin anew when their window is over', async () => {
    const { replica, redis, wait } = bench()
    const counts = replica()
    const window = counts.windowOf('a', 60)
    redis.away = true
    counts.add(window, 1000)
    await counts.send([window])
    expect(window.own + window.others).toBe(1)
    wait(60_000)
    expect(counts.windowOf('a', 60)).toMatchObject({ own: 0, others: 0 })
  })
})
