import { describe, expect, test } from 'vitest'
import { ADMIN_PROOF_MS, expiry, hasAdminProof, lifetimes, type SessionRecord, shouldTouch } from './session.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const createdAt = new Date('2026-11-21T10:00:00Z')
const after = (ms: number) => new Date(createdAt.getTime() + ms)

describe('how long a session lives', () => {
  test('R-80: a traveller 7 days idle and 30 days in all; an administrator 30 minutes and 8 hours', () => {
    expect(lifetimes(false)).toEqual({ idleMs: 7 * DAY, absoluteMs: 30 * DAY })
    expect(lifetimes(true)).toEqual({ idleMs: HOUR / 2, absoluteMs: 8 * HOUR })
  })

  test('R-80: being used moves the end forward, never past the absolute one', () => {
    const traveller = { createdAt, isAdmin: false }
    expect(expiry(traveller, createdAt)).toEqual(after(7 * DAY))
    expect(expiry(traveller, after(20 * DAY))).toEqual(after(27 * DAY))
    expect(expiry(traveller, after(29 * DAY))).toEqual(after(30 * DAY))
    expect(expiry({ createdAt, isAdmin: true }, after(7.8 * HOUR))).toEqual(after(8 * HOUR))
  })

  test('being seen is written at most once a minute', () => {
    const session = { lastSeenAt: createdAt } as SessionRecord
    expect(shouldTouch(session, after(60_000))).toBe(false)
    expect(shouldTouch(session, after(60_001))).toBe(true)
  })
})

test('AADM-07: the proof of an administrator holds for 15 minutes', () => {
  const proof = createdAt
  expect(hasAdminProof(null, createdAt)).toBe(false)
  expect(hasAdminProof(proof, createdAt)).toBe(true)
  expect(hasAdminProof(proof, after(ADMIN_PROOF_MS))).toBe(true)
  expect(hasAdminProof(proof, after(ADMIN_PROOF_MS + 1))).toBe(false)
})
