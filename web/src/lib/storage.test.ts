import { afterEach, describe, expect, it, vi } from 'vitest'
import { readJson, readText, remove, writeText } from './storage.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('browser storage that is blocked', () => {
  it('FORM-34: is told in the console and stops nothing', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    vi.stubGlobal('window', {
      get localStorage(): Storage {
        throw new DOMException('blocked', 'SecurityError')
      },
    })
    writeText('local', 'lastTripType', 'one-way')
    remove('local', 'lastTripType')
    expect(readText('local', 'lastTripType')).toBeNull()
    expect(readJson('local', 'lastSearchParams', (value): value is object => typeof value === 'object')).toBeNull()
    expect(warn.mock.calls[0]?.[0]).toBe('Could not save lastTripType')
  })
})
