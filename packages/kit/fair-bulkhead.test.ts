import { describe, expect, it } from 'vitest'
import { Clients, createFairBulkhead, type FairBulkhead, ShareExceededError } from './fair-bulkhead.ts'

/** Work that goes on until it is ended; `started` holds the order in which it began, and for which client. */
function bench(options: Partial<Parameters<typeof createFairBulkhead>[0]> = {}) {
  const bulkhead: FairBulkhead = createFairBulkhead({
    concurrent: 4,
    queue: 8,
    share: 0.25,
    maxWaitMs: 60_000,
    refusal: 'SEARCH_BUSY',
    ...options,
  })
  const started: string[] = []
  const endings: (() => void)[] = []
  const run = (name: string, clients: Clients) =>
    bulkhead.run(clients, async (client) => {
      started.push(`${name} for ${client}`)
      await new Promise<void>((resolve) => endings.push(resolve))
      return name
    })
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    started,
    run,
    settled,
    async endFirst() {
      endings.shift()?.()
      await settled()
    },
  }
}

describe('a fair bulkhead', () => {
  it('gives one client no more than its share of the places', async () => {
    const { run, started, settled } = bench({ share: 0.5 })
    const all = ['a1', 'a2', 'a3'].map((name) => run(name, new Clients('a')))
    void run('b1', new Clients('b'))
    await settled()
    expect(started).toEqual(['a1 for a', 'a2 for a', 'b1 for b'])
    expect(all).toHaveLength(3)
  })

  it('refuses a client beyond its share of the queue at once, and no other client', async () => {
    const { run, started, settled } = bench()
    for (const name of ['a1', 'a2', 'a3']) void run(name, new Clients('a')).catch(() => undefined)
    await expect(run('a4', new Clients('a'))).rejects.toThrow(ShareExceededError)
    await expect(run('a5', new Clients('a'))).rejects.toMatchObject({ code: 'SEARCH_BUSY', client: 'a', retryAfter: 2 })
    void run('b1', new Clients('b'))
    await settled()
    expect(started).toEqual(['a1 for a', 'b1 for b'])
  })

  it('gives a free place to the client with the fewest, in turns', async () => {
    const { run, started, endFirst, settled } = bench({ concurrent: 1, queue: 9, share: 1 })
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void run(name, new Clients(name.charAt(0)))
    await settled()
    for (let ended = 0; ended < 5; ended++) await endFirst()
    expect(started.map((text) => text.slice(0, 2))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('runs waiting work on the account of a client who joined it and has a place left', async () => {
    const { run, started, settled } = bench()
    void run('a1', new Clients('a'))
    const shared = new Clients('a')
    void run('popular', shared)
    await settled()
    expect(started).toEqual(['a1 for a'])
    shared.add('b')
    await settled()
    expect(started).toEqual(['a1 for a', 'popular for b'])
  })

  it('refuses work that has waited too long and does not run it later', async () => {
    const { run, started, endFirst } = bench({ concurrent: 1, maxWaitMs: 5 })
    void run('a1', new Clients('a'))
    await expect(run('a2', new Clients('a'))).rejects.toMatchObject({ code: 'SEARCH_BUSY' })
    await endFirst()
    expect(started).toEqual(['a1 for a'])
  })

  it('gives a place back when the work fails', async () => {
    const bulkhead = createFairBulkhead({ concurrent: 1, queue: 0, share: 1, maxWaitMs: 1000, refusal: 'SEARCH_BUSY' })
    await expect(bulkhead.run(new Clients('a'), async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await bulkhead.run(new Clients('a'), async (client) => client)).toBe('a')
  })
})
