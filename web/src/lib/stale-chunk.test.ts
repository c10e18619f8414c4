import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChunkError, loadPage, reload, shouldReload } from './stale-chunk.ts'

const kept = new Map<string, string>()

beforeEach(() => {
  kept.clear()
  const sessionStorage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) }
  vi.stubGlobal('window', { sessionStorage })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('code that is gone since a deploy', () => {
  it('is told from a defect of the code itself', async () => {
    await expect(loadPage(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))).rejects.toThrow(ChunkError)
    expect(shouldReload(new TypeError('x is undefined'), 'build-1')).toBe(false)
  })

  it('loads the page again once a build', () => {
    const page = { reload: vi.fn() }
    const error = new ChunkError(new TypeError('Failed to fetch'))
    expect(shouldReload(error, 'build-1')).toBe(true)
    reload('build-1', page)
    expect(page.reload).toHaveBeenCalledTimes(1)
    expect(shouldReload(error, 'build-1')).toBe(false)
    expect(shouldReload(error, 'build-2')).toBe(true)
  })
})
