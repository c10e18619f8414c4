import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { describe, expect, it } from 'vitest'
import { admit, headOf, type Screen } from './screen.ts'
import { SCREENS } from './screens.ts'

const screenAt = (path: string) => SCREENS.find((screen) => screen.path === path)
const atlas = { ...defaultBrand, name: 'Atlas' }

describe('title, description and robots of a screen', () => {
  it('GEN-06, GEN-07, BRAND-19: every screen but home and /expedia is titled "<brand> - Flight Booking"', () => {
    const own = SCREENS.filter((screen) => headOf(screen, atlas).title !== 'Atlas - Flight Booking')
    expect(own.map(({ path }) => path)).toEqual(['/', '/expedia'])
    expect(headOf(screenAt('/'), atlas)).toMatchObject({ title: 'Atlas: flights at the price you see', robots: null })
  })

  it('GEN-08: the next screen has the default title and description again', () => {
    expect(headOf(screenAt('/search'), atlas).description).not.toBe(headOf(screenAt('/'), atlas).description)
    expect(headOf(screenAt('/search'), atlas)).toEqual(headOf(screenAt('/login'), atlas))
  })

  it('keeps personal and unknown addresses out of search engines', () => {
    expect(SCREENS.filter((screen) => headOf(screen, atlas).robots === 'noindex').map(({ path }) => path)).toEqual([
      '/booking',
      '/booking/card',
      '/booking/:id/receipt',
      '/my-trips',
      '/set-password',
      '/account-settings',
      '/verify-email',
      '/unsubscribe',
      '/confirm-sender',
      '/admin-settings',
      '/admin/bookings',
      '/admin/bookings/:id',
      '/admin/brands',
      '/admin/brands/:brandKey',
      '/admin/messages',
    ])
    expect(headOf(undefined, atlas).robots).toBe('noindex')
  })
})

describe('who gets to see a screen', () => {
  const row = (changes: Partial<Screen>) => ({ access: 'everybody', ...changes }) as Screen
  const traveller = { isAdmin: false }

  it('lets everybody into an ordinary one, known or not', () => {
    for (const user of [undefined, null, traveller]) expect(admit(row({}), defaultBrand, user)).toBe('in')
  })

  it('ACCT-05: leads to the sign-in when it is for somebody signed in', () => {
    expect(admit(row({ access: 'user' }), defaultBrand, undefined)).toBe('wait')
    expect(admit(row({ access: 'user' }), defaultBrand, null)).toBe('sign-in')
    expect(admit(row({ access: 'user' }), defaultBrand, traveller)).toBe('in')
    expect(screenAt('/account-settings')?.access).toBe('user')
  })

  it('ADM-03, BMGR-01: denies administrators’ screens to everybody else', () => {
    expect(admit(row({ access: 'admin' }), defaultBrand, undefined)).toBe('wait')
    expect(admit(row({ access: 'admin' }), defaultBrand, null)).toBe('denied')
    expect(admit(row({ access: 'admin' }), defaultBrand, traveller)).toBe('denied')
    expect(admit(row({ access: 'admin' }), defaultBrand, { isAdmin: true })).toBe('in')
  })

  it('has no such address for a brand that left it out', () => {
    const enabled: Screen['enabled'] = ({ name }) => name !== 'Atlas'
    expect(admit(row({ enabled }), atlas, null)).toBe('missing')
    expect(admit(row({ enabled }), defaultBrand, null)).toBe('in')
  })
})
