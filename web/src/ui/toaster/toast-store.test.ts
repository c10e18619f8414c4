import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createToastStore, TOAST_LIFE_MS, TOAST_REMOVAL_MS } from './toast-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('toast store', () => {
  it('TOAST-01: a new toast replaces the one on the screen', () => {
    const store = createToastStore()
    store.show({ title: 'First' })
    store.show({ title: 'Second' })
    expect(store.records().filter((record) => record.open)).toMatchObject([{ title: 'Second' }])
  })

  it('TOAST-02: a toast lives 5000 ms', () => {
    expect(TOAST_LIFE_MS).toBe(5000)
  })

  it('TOAST-03: a dismissed toast is removed after 1,000,000 ms', () => {
    const store = createToastStore()
    const id = store.show({ title: 'Seat Selected' })
    store.dismiss(id)
    expect(store.visible()).toBeNull()
    vi.advanceTimersByTime(TOAST_REMOVAL_MS - 1)
    expect(store.records()).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(store.records()).toHaveLength(0)
  })

  it('R-94: a toast that waits its turn appears when the first has gone', () => {
    const store = createToastStore()
    const first = store.show({ title: 'Booking confirmed!' })
    store.showNext({ title: 'Account created!' })
    expect(store.visible()?.title).toBe('Booking confirmed!')
    store.dismiss(first)
    expect(store.visible()?.title).toBe('Account created!')
  })

  it('dismissing a toast that has been replaced leaves its successor alone', () => {
    const store = createToastStore()
    const first = store.show({ title: 'First' })
    store.show({ title: 'Second' })
    store.dismiss(first)
    expect(store.visible()?.title).toBe('Second')
  })

  it('tells whoever listens', () => {
    const store = createToastStore()
    const listener = vi.fn()
    const stop = store.subscribe(listener)
    store.show({ title: 'First' })
    stop()
    store.show({ title: 'Second' })
    expect(listener).toHaveBeenCalledTimes(1)
  })
})
