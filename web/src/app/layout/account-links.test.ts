import { describe, expect, it, vi } from 'vitest'
import { initialOf } from '../../lib/session.ts'
import { accountLinks } from './account-links.ts'

describe('account menu', () => {
  it('HEAD-06: a traveller has My Trips and Account Settings', () => {
    expect(accountLinks({ isAdmin: false }).map((link) => [link.label, link.to])).toEqual([
      ['My Trips', '/my-trips'],
      ['Account Settings', '/account-settings'],
    ])
  })

  it('HEAD-06: Admin Settings only when isAdmin is true', () => {
    expect(accountLinks({ isAdmin: true }).map((link) => link.label)).toContain('Admin Settings')
  })

  it.each([
    [{ firstName: 'Camille', username: 'cm' }, 'C'],
    [{ firstName: '', username: 'zoe' }, 'Z'],
    [{ firstName: ' ', username: '' }, 'U'],
  ])('HEAD-05: the avatar of %j shows %s', (user, letter) => {
    expect(initialOf(user)).toBe(letter)
  })
})

describe('logOut', () => {
  it('HEAD-10, R-98: a failing call is logged and the home page is loaded anyway', async () => {
    const { logOut } = await import('../../lib/session.ts')
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('network down')
    })
    const load = vi.fn()
    await logOut(load)
    expect(load).toHaveBeenCalledWith('/')
    expect(error).toHaveBeenCalledTimes(1)
    vi.unstubAllGlobals()
    error.mockRestore()
  })

  it('HEAD-09: posts to /api/auth/logout without a body, then loads the home page', async () => {
    const { logOut } = await import('../../lib/session.ts')
    const fetcher = vi.fn<typeof fetch>(async () => Response.json({ success: true, message: 'ok' }))
    vi.stubGlobal('fetch', fetcher)
    const load = vi.fn()
    await logOut(load)
    const [address, init] = fetcher.mock.calls[0]!
    expect(address).toBe('/api/auth/logout')
    expect(init).toMatchObject({ method: 'POST', credentials: 'include' })
    expect(init?.body).toBeUndefined()
    expect(load).toHaveBeenCalledWith('/')
    vi.unstubAllGlobals()
  })
})
