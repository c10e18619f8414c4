import { describe, expect, it } from 'vitest'
import { Clients } from './fair-bulkhead.ts'
import { budget, DeadlineError, guard } from './resilience.ts'

const options = {
  name: 'peer',
  timeoutMs: 1000,
  concurrent: 4,
  queue: 4,
  fair: { share: 0.5, maxWaitMs: 1000 },
  refusal: 'SEARCH_BUSY',
} as const
const failing = async () => Promise.reject(new Error('down'))
const fine = async () => 'fine'

describe('a guard with clients', () => {
  it('refuses a client whose calls all fail, and calls for the others as before', async () => {
    const guarded = guard(options)
    for (let n = 0; n < 5; n++) await expect(guarded(failing, { clients: new Clients('a') })).rejects.toThrow('down')
    await expect(guarded(fine, { clients: new Clients('a') })).rejects.toMatchObject({ code: 'SEARCH_BUSY', retryAfter: 2 })
    expect(guarded.isOpen()).toBe(false)
    expect(await guarded(fine, { clients: new Clients('b') })).toBe('fine')
    expect(await guarded(fine)).toBe('fine')
  })

  it('refuses everybody when the calls of several clients fail', async () => {
    const guarded = guard(options)
    for (let n = 0; n < 5; n++) await expect(guarded(failing, { clients: new Clients(n % 2 ? 'a' : 'b') })).rejects.toThrow('down')
    await expect(guarded(fine, { clients: new Clients('c') })).rejects.toMatchObject({ code: 'SEARCH_BUSY' })
    await expect(guarded(fine)).rejects.toMatchObject({ code: 'SEARCH_BUSY' })
  })

  it('keeps places for the system’s own calls while clients use all of theirs', async () => {
    const guarded = guard(options)
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const holding = ['a', 'a', 'b', 'b'].map((client) => guarded(() => held, { clients: new Clients(client) }))
    expect(await guarded(fine)).toBe('fine')
    release()
    await Promise.all(holding)
  })

  it('does not make a call that was aborted while it waited', async () => {
    const guarded = guard({ name: 'peer', timeoutMs: 1000, concurrent: 1, queue: 1 })
    let release: () => void = () => undefined
    const holding = guarded(
      () =>
        new Promise<void>((resolve) => {
          release = resolve
        }),
    )
    const over = new AbortController()
    let made = false
    const waiting = guarded(
      async () => {
        made = true
      },
      { signal: over.signal },
    )
    over.abort()
    release()
    await holding
    await expect(waiting).rejects.toThrow(DeadlineError)
    expect(made).toBe(false)
  })
})

describe('a budget of time', () => {
  it('ends a step that takes longer than what is left', async () => {
    await expect(budget('work', 10).step(() => new Promise(() => undefined))).rejects.toThrow(DeadlineError)
  })

  it('does not begin a step for which too little is left', async () => {
    const time = budget('work', 1000)
    let begun = false
    const step = time.step(async () => {
      begun = true
    }, 2000)
    await expect(step).rejects.toThrow(DeadlineError)
    expect(begun).toBe(false)
    expect(await time.step(fine)).toBe('fine')
  })
})
