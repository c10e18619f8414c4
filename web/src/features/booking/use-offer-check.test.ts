import { environmentManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import type { Step } from './model/steps.ts'
import { offerCheckQuery } from './use-offer-check.ts'

let asked = 0
beforeEach(() => {
  asked = 0
  vi.useFakeTimers()
  // Queries without a browser are not asked again.
  environmentManager.setIsServer(() => false)
  vi.stubGlobal('fetch', async (address: string) => {
    expect(address).toBe('/api/flights/verify-offer/oft_1')
    asked += 1
    return Response.json({ valid: true, expires_at: null })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  environmentManager.setIsServer(() => typeof window === 'undefined')
})

/** How often the offer was checked when a step has been shown for so long. */
async function checksAfter(step: Step, ms: number[]): Promise<number[]> {
  const queryClient = createQueryClient()
  const leave = new QueryObserver(queryClient, offerCheckQuery('oft_1', step)).subscribe(() => undefined)
  const counts: number[] = []
  for (const pause of ms) {
    await vi.advanceTimersByTimeAsync(pause)
    counts.push(asked)
  }
  leave()
  queryClient.clear()
  return counts
}

describe('the check of an offer', () => {
  it('PAX-31: is made at once and every 30 s while the passengers are entered', async () => {
    expect(await checksAfter('passengers', [0, 29_900, 200, 30_000])).toEqual([1, 1, 2, 3])
  })

  it('PAY-09: is made at once and every 15 s during payment', async () => {
    expect(await checksAfter('payment', [0, 14_900, 200, 15_000])).toEqual([1, 1, 2, 3])
  })

  it('is not made while seats are chosen', async () => {
    expect(await checksAfter('seats', [0, 60_000])).toEqual([0, 0])
  })
})
