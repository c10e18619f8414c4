import { keyedHash } from '@passerelle/kit/keyed-hash'
import { createMetrics } from '@passerelle/kit/metrics'
import { replaceRuntime } from '@passerelle/kit/runtime'
import { sharedCounts } from '@passerelle/kit/shared-counts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSearchBudget, type Searcher } from './search-budget.ts'
import { createSearchRate } from './search-rate.ts'

const LIMITS = { account: { perMinute: 10, perDay: 20 }, brand: { perMinute: 6, perDay: 100 }, networkShare: 0.25 }
const searcher = (n: number, more: Partial<Searcher> = {}): Searcher => ({
  mode: 'live',
  brand: 'atlas.example',
  network: `192.0.2.${n}`,
  ...more,
})

type Labels = Record<'account' | 'window' | 'reason', string>

function bench(limits: Partial<typeof LIMITS> = {}, slowdown = 1) {
  let now = 1_800_000_000_000
  const wait = (ms: number) => {
    now += ms
  }
  onTestFinished(replaceRuntime({ now: () => now }))
  const keys: string[] = []
  const counts = sharedCounts(
    {
      async count(additions) {
        keys.push(...additions.map(({ key }) => key))
        return undefined
      },
    },
    1000,
  )
  onTestFinished(() => counts.stop())
  const metrics = createMetrics('search')
  const guard = { slowdown: ({ mode }: { mode: string }) => (mode === 'live' ? slowdown : 1) }
  const budget = createSearchBudget({
    ...LIMITS,
    ...limits,
    rate: createSearchRate({ perMinute: 600, burst: 20 }),
    lookToBook: { slowdown: (mode) => guard.slowdown({ mode }) },
    counts,
    hash: keyedHash('a secret of at least thirty-two bytes'),
    metrics,
  })
  const reasons = async () => {
    const { values } = await metrics.searchRefused.get()
    return Object.fromEntries(values.map(({ labels, value }) => [(labels as Labels).reason, value]))
  }
  const used = async () => {
    budget.measure()
    const { values } = await metrics.searchBudgetUsed.get()
    return Object.fromEntries(values.map(({ labels, value }) => [`${(labels as Labels).account} ${(labels as Labels).window}`, value]))
  }
  return { budget, reasons, used, keys, send: () => counts.stop(), wait }
}

const refusedWith = (more: object) => expect.objectContaining(more)

describe('the budget of searches', () => {
  it('of a brand is spent by itself, and comes back after a minute', async () => {
    const { budget, reasons, wait } = bench()
    for (let n = 0; n < 6; n++) budget.take(searcher(n))
    expect(() => budget.take(searcher(7))).toThrow(refusedWith({ code: 'SEARCH_LIMITED', status: 429, retryAfter: 60 }))
    budget.take(searcher(7, { brand: 'aurora.example' }))
    wait(60_000)
    budget.take(searcher(7))
    expect(await reasons()).toEqual({ 'brand-minute': 1 })
  })

  it('of an account is spent by all brands together, for each account by itself', async () => {
    const { budget, reasons, wait } = bench()
    const brand = (n: number) => ({ brand: `brand${n % 5}.example` })
    for (let n = 0; n < 10; n++) budget.take(searcher(n, brand(n)))
    expect(() => budget.take(searcher(11, brand(11)))).toThrow(refusedWith({ code: 'SEARCH_LIMITED' }))
    budget.take(searcher(11, { ...brand(11), mode: 'test' }))
    wait(60_000)
    for (let n = 0; n < 10; n++) budget.take(searcher(n, brand(n)))
    wait(60_000)
    expect(() => budget.take(searcher(12, brand(12)))).toThrow(refusedWith({ code: 'SEARCH_LIMITED', retryAfter: 3600 }))
    expect(await reasons()).toEqual({ 'account-minute': 1, 'account-day': 1 })
  })

  it('has only a share of its day for one network, which is told so; others go on', async () => {
    const { budget, reasons, wait } = bench()
    for (let n = 0; n < 5; n++) budget.take(searcher(1))
    wait(60_000)
    expect(() => budget.take(searcher(1))).toThrow(refusedWith({ code: 'RATE_LIMITED', retryAfter: 3600 }))
    budget.take(searcher(2))
    expect(await reasons()).toEqual({ 'network-day': 1 })
  })

  it('gets back what the supplier was not asked for after all', () => {
    const { budget } = bench()
    for (let n = 0; n < 50; n++) {
      budget.take(searcher(1))
      budget.returnTokens(searcher(1))
    }
    budget.take(searcher(1))
  })

  it('is spent by searches for bookings too, which are never refused', async () => {
    const { budget, used } = bench()
    for (let n = 0; n < 30; n++) budget.note('live')
    expect(() => budget.take(searcher(1))).toThrow(refusedWith({ code: 'SEARCH_LIMITED' }))
    expect(await used()).toEqual({ 'live minute': 3, 'live day': 1.5, 'test minute': 0, 'test day': 0 })
  })

  it('is tight from four fifths of an account’s budget on', () => {
    const { budget } = bench()
    for (let n = 0; n < 7; n++) budget.take(searcher(n, { brand: `brand${n}` }))
    expect(budget.isTight('live')).toBe(false)
    budget.take(searcher(8, { brand: 'brand8' }))
    expect([budget.isTight('live'), budget.isTight('test')]).toEqual([true, false])
  })

  it('is a quarter of itself per minute, and a search costs four of its network’s tokens, while searches are slowed four times', async () => {
    const { budget, reasons } = bench({ account: { perMinute: 100, perDay: 1000 }, brand: { perMinute: 24, perDay: 1000 } }, 4)
    expect(budget.isTight('live')).toBe(true)
    for (let n = 0; n < 5; n++) budget.take(searcher(1))
    expect(() => budget.take(searcher(1))).toThrow(refusedWith({ code: 'RATE_LIMITED' }))
    budget.take(searcher(2))
    expect(() => budget.take(searcher(2))).toThrow(refusedWith({ code: 'SEARCH_LIMITED' }))
    expect(await reasons()).toEqual({ 'network-rate': 1, 'brand-minute': 1 })
    for (let n = 0; n < 20; n++) budget.take(searcher(3, { mode: 'test' }))
  })

  it('has no address of a visitor in its keys', async () => {
    const { budget, keys, send } = bench()
    budget.take(searcher(77))
    await send()
    expect(keys).toHaveLength(5)
    expect(keys.join()).not.toContain('192.0.2')
  })
})
