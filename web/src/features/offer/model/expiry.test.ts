import { describe, expect, it } from 'vitest'
import { clockTime } from '../../../lib/format/dates.ts'
import { expiryText, hasPassed } from './expiry.ts'

const AT = '2026-11-21T13:42:00Z'
const before = (minutes: number) => Date.parse(AT) - minutes * 60_000

describe('the expiry of an offer', () => {
  it('DET-06: says until when and how long that is', () => {
    expect(expiryText(AT, before(26))).toBe(`This one can be booked until ${clockTime(AT)}, 26 minutes from now.`)
    expect(expiryText(AT, before(1.5))).toContain('1 minute from now')
    expect(expiryText(AT, before(0.5))).toContain('less than a minute from now')
    expect(expiryText(AT, before(90))).toBe(`This one can be booked until ${clockTime(AT)}.`)
  })

  it('DET-06: says nothing that it does not know', () => {
    expect(expiryText(AT, before(0))).toBeNull()
    expect(expiryText(AT, before(-5))).toBeNull()
    expect(expiryText(AT, before(24 * 60))).toBeNull()
    expect(expiryText('soon', before(5))).toBeNull()
  })

  it('knows when the moment has come', () => {
    expect(hasPassed(AT, before(1))).toBe(false)
    expect(hasPassed(AT, before(0))).toBe(true)
    expect(hasPassed('soon', before(0))).toBe(false)
  })
})
