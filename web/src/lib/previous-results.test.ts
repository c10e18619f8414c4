import type { FlightOffer } from '@passerelle/contracts/http/search'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetPrevious, readPrevious, savePrevious } from './previous-results.ts'

const results = { offers: [{ id: 'off_1' } as FlightOffer], total_count: 245, search_id: 'set_1' }
const previous = { searchKey: 'CDG:JFK', results, readAt: 1_800_000_000_000 }

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
  it('RES-28, R-11: are given back to their own search only, with the time they are of', () => {
    savePrevious(previous)
    expect(readPrevious('CDG:JFK')).toEqual(previous)
    expect(readPrevious('CDG:LIS')).toBeNull()
  })

  it('are kept in the session under their name', () => {
    savePrevious(previous)
    expect(window.sessionStorage.getItem('previousResults')).toContain('off_1')
    forgetPrevious()
    expect(readPrevious('CDG:JFK')).toBeNull()
  })

  it('are ignored when they are broken, or of an age that nobody knows', () => {
    window.sessionStorage.setItem('previousResults', '{"searchKey":"CDG:JFK"')
    expect(readPrevious('CDG:JFK')).toBeNull()
    window.sessionStorage.setItem('previousResults', JSON.stringify({ ...previous, results: {} }))
    expect(readPrevious('CDG:JFK')).toBeNull()
    window.sessionStorage.setItem('previousResults', JSON.stringify({ searchKey: 'CDG:JFK', results }))
    expect(readPrevious('CDG:JFK')).toBeNull()
  })
})
