import { describe, expect, it } from 'vitest'
import { dateOf, lastUse, passwordDate } from './moments.ts'

/** In the zone of whoever runs the test. */
const local = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute)
const at = (day: number, hour: number, minute = 0) => local(day, hour, minute).toISOString()

describe('dates of an account', () => {
  it('ACCT-04, R-65: the password’s date is that of its last change, else that of the account', () => {
    expect(passwordDate({ createdAt: at(2, 9), passwordChangedAt: at(21, 9) })).toBe('Nov 21, 2026')
    expect(passwordDate({ createdAt: at(2, 9), passwordChangedAt: null })).toBe('Nov 02, 2026')
    expect(passwordDate({ createdAt: '', passwordChangedAt: null })).toBe('N/A')
  })

  it('ACCT-02: are the visitor’s own, also late in the evening', () => {
    expect(dateOf(at(21, 23, 59))).toBe('Nov 21, 2026')
    expect(dateOf(at(22, 0, 1))).toBe('Nov 22, 2026')
  })

  it('tell when a session was last used', () => {
    const now = local(22, 12)
    const used = (lastSeenAt: string, current = false) => lastUse({ current, lastSeenAt }, now)
    expect(used(at(22, 11), true)).toBe('in use now')
    expect(used(at(22, 0, 5))).toBe('last used today at 00:05')
    expect(used(at(21, 21, 14))).toBe('last used yesterday at 21:14')
    expect(used(at(20, 21, 14))).toBe('last used on Nov 20, 2026')
  })
})
