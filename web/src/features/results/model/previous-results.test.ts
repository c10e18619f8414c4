import type { FlightOffer } from '@passerelle/contracts/http/search'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetPrevious, readPrevious, savePrevious } from './previous-results.ts'

const results = { offers: [{ id: 'off_1' } as FlightOffer], total_count: 245, search_id: 'set_1' }

beforeEach(() => {
  const kept = new Map<string, string>()
  const sessionStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  vi.stubGlobal('window', { sessionStorage })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('previousResults', () => {
  it('RES-28: are given back to their own search only', () => {
    savePrevious('CDG:JFK', results)
    expect(readPrevious('CDG:JFK')).toEqual(results)
    expect(readPrevious('CDG:LIS')).toBeNull()
  })

  it('are kept in the session under their name', () => {
    savePrevious('CDG:JFK', results)
    expect(window.sessionStorage.getItem('previousResults')).toContain('off_1')
    forgetPrevious()
    expect(readPrevious('CDG:JFK')).toBeNull()
  })

  it('are ignored when they are broken', () => {
    window.sessionStorage.setItem('previousResults', '{"searchKey":"CDG:JFK"')
    expect(readPrevious('CDG:JFK')).toBeNull()
    window.sessionStorage.setItem('previousResults', '{"searchKey":"CDG:JFK","results":{}}')
    expect(readPrevious('CDG:JFK')).toBeNull()
  })
})
