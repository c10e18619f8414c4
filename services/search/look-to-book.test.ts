import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { replaceRuntime } from '@passerelle/kit/runtime'
import { expect, it, onTestFinished } from 'vitest'
import { createLookToBook } from './look-to-book.ts'

function bench() {
  onTestFinished(replaceRuntime({ now: () => Date.parse('2027-03-15T10:00:00Z') }))
  const totals = { searches: 0, orders: 0 }
  const asked: string[] = []
  const store = {
    away: false,
    async totals(mode: string, since: string) {
      if (store.away) throw new Error('away')
      asked.push(`${mode} since ${since}`)
      return totals
    },
  }
  const metrics = createMetrics('search')
  const lookToBook = createLookToBook({ store, perOrder: 1500, free: 1000, metrics, log: createLog('search', 'silent') })
  const after = async (searches: number, orders: number) => {
    Object.assign(totals, { searches, orders })
    await lookToBook.refresh()
    return lookToBook.slowdown('live')
  }
  return { lookToBook, after, asked, store, metrics }
}

it('searches are slowed from four fifths of what orders pay for, and more beyond it', async () => {
  const { after } = bench()
  expect(await after(0, 0)).toBe(1)
  expect([await after(799, 0), await after(800, 0), await after(1000, 0)]).toEqual([1, 4, 10])
  expect([await after(1999, 1), await after(2000, 1), await after(2500, 1)]).toEqual([1, 4, 10])
})

it('thirty days count, of the live account alone: the test account costs nothing', async () => {
  const { lookToBook, after, asked } = bench()
  await after(5000, 0)
  expect(asked).toEqual(['live since 2027-02-14'])
  expect(lookToBook.slowdown('test')).toBe(1)
})

it('the last figures hold while the database is away', async () => {
  const { after, store, lookToBook, metrics } = bench()
  await after(900, 0)
  store.away = true
  expect(await after(0, 0)).toBe(4)
  expect((await metrics.lookToBookUsed.get()).values[0]?.value).toBe(0.9)
  store.away = false
  await lookToBook.refresh()
  expect(lookToBook.slowdown('live')).toBe(1)
})
