import { describe, expect, test } from 'vitest'
import { mayUse } from './owner.ts'

const nobody = { visitorId: null, userId: null, sessionId: null, ip: null }
const visitor = (about: object = {}) => ({ ...nobody, visitorId: 'v_1', sessionId: 's_1', ip: '203.0.113.7', ...about })
const guestHold = { visitorId: 'v_1', userId: null }
const userHold = { visitorId: 'v_1', userId: 'u_1' }

describe('a hold may be used by', () => {
  test('the visitor that made it, in a later session too and after a sign-in', () => {
    expect(mayUse(guestHold, visitor())).toBe(true)
    expect(mayUse(guestHold, visitor({ sessionId: 's_2', userId: 'u_1' }))).toBe(true)
  })

  test('the same user in another browser', () => expect(mayUse(userHold, visitor({ visitorId: 'v_2', userId: 'u_1' }))).toBe(true))

  test('the system itself', () => expect(mayUse(userHold, nobody)).toBe(true))

  test('nobody else: not another visitor or user, and not a visitor who brings neither', () => {
    expect(mayUse(guestHold, visitor({ visitorId: 'v_2' }))).toBe(false)
    expect(mayUse(userHold, visitor({ visitorId: 'v_2', userId: 'u_2' }))).toBe(false)
    expect(mayUse(guestHold, visitor({ visitorId: null, sessionId: null }))).toBe(false)
    expect(mayUse(userHold, visitor({ visitorId: 'v_2', userId: null }))).toBe(false)
  })

  test('whoever knows its id, when it was made without a session', () => {
    expect(mayUse({ visitorId: null, userId: null }, visitor())).toBe(true)
    expect(mayUse({ visitorId: null, userId: null }, visitor({ visitorId: null, sessionId: null }))).toBe(true)
  })
})
