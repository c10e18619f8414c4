import type { SessionInfo } from '@passerelle/contracts/http/account'
import type { User } from '@passerelle/contracts/http/identity'
import { describe, expect, it } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { render } from '../../lib/render.fixture.tsx'
import { USER_KEY } from '../../lib/session.ts'
import { AccountPage } from './AccountPage.tsx'
import { sessionsQuery } from './sessions-query.ts'

const CAMILLE: User = {
  id: 'usr_1',
  username: 'camille.moreau',
  email: 'camille@example.com',
  emailVerified: false,
  firstName: 'Camille',
  lastName: 'Moreau',
  createdAt: '2026-11-02T12:00:00Z',
  isAdmin: false,
  staffOf: [],
  passwordChangedAt: '2026-11-21T12:00:00Z',
  mustChangePassword: false,
}
const session = (id: string, device: string | null, current = false): SessionInfo => ({
  id,
  current,
  device,
  createdAt: '2026-11-20T12:00:00Z',
  lastSeenAt: '2026-11-20T12:00:00Z',
  expiresAt: '2026-11-27T12:00:00Z',
})

type Shown = { user?: Partial<User>; sessions?: SessionInfo[]; upcoming?: number }
function page(at: string, { user, sessions, upcoming }: Shown = {}) {
  const queryClient = createQueryClient()
  queryClient.setQueryData(USER_KEY, { ...CAMILLE, ...user })
  if (sessions) queryClient.setQueryData(sessionsQuery.queryKey, sessions)
  if (upcoming !== undefined) queryClient.setQueryData(['/api/bookings'], Array(upcoming).fill({ status: 'confirmed', bookingData: {} }))
  return render(<AccountPage />, { at, queryClient })
}
const security = (shown?: Shown) => page('/account-settings', shown)
const profile = (shown?: Shown) => page('/account-settings?tab=profile', shown)
const buttons = (html: string, words: string) =>
  [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/g)].filter(([, , inside]) => inside?.replace(/<[^>]+>/g, '') === words)

describe('account settings', () => {
  it('ACCT-01: have two tabs, and Security is shown first', () => {
    const tabs = [...security().html.matchAll(/<button[^>]*role="tab"[^>]*aria-selected="(\w+)"[^>]*>(\w+)/g)]
    expect(tabs.map(([, selected, name]) => [name, selected])).toEqual([
      ['Profile', 'false'],
      ['Security', 'true'],
    ])
  })

  it('ACCT-02: the profile shows username, e-mail and creation date, and no field to change them', () => {
    const { text, html } = profile()
    for (const fact of ['camille.moreau', 'camille@example.com', 'Camille Moreau', 'Nov 02, 2026']) expect(text).toContain(fact)
    expect(html).not.toContain('<input')
  })

  it('ACCT-03: Security has the form and an overview with a disabled "Enable", coming soon', () => {
    const { text, html } = security()
    for (const label of ['Current password', 'New password', 'Confirm new password', 'Security overview']) expect(text).toContain(label)
    expect(text).toContain('Two-factor sign-in Off, coming soon')
    expect(buttons(html, 'Enable')[0]?.[1]).toContain('disabled')
  })

  it('ACCT-04, R-65: shows when the password was last changed', () => {
    const { text } = security()
    expect(text).toContain('Last changed: Nov 21, 2026')
    expect(text).toContain('Last updated: Nov 21, 2026')
    expect(security({ user: { passwordChangedAt: null } }).text).toContain('Last changed: Nov 02, 2026')
  })

  it('a password that was made by the system should be changed', () => {
    expect(security({ user: { mustChangePassword: true } }).text).toContain('Your password was made for you.')
    expect(security().text).not.toContain('Your password was made for you.')
  })
})

describe('the sessions of an account', () => {
  const three = [session('a', 'Chrome on Windows', true), session('b', 'Safari on iPhone'), session('c', null)]

  it('ACCT-14: lists them, and every other one can be ended', () => {
    const { text, html } = security({ sessions: three })
    expect(text).toContain('Chrome on Windows This device')
    expect(text).toContain('in use now')
    expect(buttons(html, 'End the session of Safari on iPhone')).toHaveLength(1)
    expect(buttons(html, 'End the session of Unknown device')).toHaveLength(1)
    expect(buttons(html, 'End the session of Chrome on Windows')).toHaveLength(0)
    expect(text).toContain('End all other sessions')
  })

  it('ACCT-14: offers nothing to end when there is only this one', () => {
    expect(security({ sessions: three.slice(0, 1) }).text).not.toContain('End all other sessions')
  })
})

describe('the profile', () => {
  it('tells whether the e-mail is confirmed, and sends the link again while it is not', () => {
    expect(profile().text).toContain('Not confirmed')
    expect(profile().text).toContain('Send the link again')
    const confirmed = profile({ user: { emailVerified: true } }).text
    expect(confirmed).toContain('E-mail Confirmed')
    expect(confirmed).not.toContain('Send the link again')
  })

  it('offers the data as a file', () => {
    expect(profile().text).toContain('Export my data')
  })

  it('says before a deletion what is kept and that trips are not cancelled', () => {
    const { text, linkTo } = profile({ upcoming: 2 })
    expect(text).toContain('This cannot be undone.')
    expect(text).toContain('Your 2 upcoming trips are not cancelled.')
    expect(text).toContain('Bookings and payments are kept for about 7 years')
    expect(text).toContain('Messages that you sent us are kept for two years.')
    expect(linkTo('cancel first')).toBe('/my-trips')
    expect(linkTo('Privacy Policy')).toBe('/privacy')
    expect(profile({ upcoming: 1 }).text).toContain('Your 1 upcoming trip is not cancelled.')
    expect(profile({ upcoming: 0 }).text).not.toContain('not cancelled')
    expect(profile().text).toContain('Trips to come are not cancelled.')
  })

  it('does not offer an administrator to delete the account', () => {
    const { html, text } = profile({ user: { isAdmin: true } })
    expect(buttons(html, 'Delete account')).toHaveLength(0)
    expect(text).toContain('cannot be deleted here')
    expect(buttons(profile().html, 'Delete account')).toHaveLength(1)
  })
})
