import { describe, expect, it } from 'vitest'
import { ApiError, TransportError } from './api-client.ts'
import { refusalOf } from './refusal.ts'

const answer = (status: number, body: object) => new ApiError(status, '', JSON.stringify({ requestId: 'r', ...body }))
const TAKEN = { USERNAME_TAKEN: 'username', EMAIL_TAKEN: 'email' }

describe('what the server refuses', () => {
  it('LOGIN-04: shows its message, else the fallback', () => {
    const slowed = answer(429, { error: 'LOGIN_SLOWED', message: 'Too many failed attempts.' })
    expect(refusalOf(slowed, 'Invalid username or password').message).toBe('Too many failed attempts.')
    expect(refusalOf(new ApiError(401, '', ''), 'Invalid username or password').message).toBe('Invalid username or password')
  })

  it('REG-08: shows its message, else the fallback', () => {
    expect(refusalOf(new ApiError(500, '', ''), 'Failed to create account')).toEqual({ message: 'Failed to create account', fields: {} })
    expect(refusalOf(new TransportError('no-response'), 'Failed to create account').fields).toEqual({})
  })

  it('REG-10: a taken name or e-mail stands at its field', () => {
    const taken = answer(409, { error: 'EMAIL_TAKEN', message: 'An account with this email already exists' })
    expect(refusalOf(taken, '', TAKEN).fields).toEqual({ email: 'An account with this email already exists' })
  })

  it('brings what is wrong with a field to that field', () => {
    const invalid = answer(400, {
      error: 'VALIDATION_ERROR',
      message: 'First name is required',
      issues: [{ path: 'firstName', message: 'First name is required' }],
    })
    expect(refusalOf(invalid, '', TAKEN).fields).toEqual({ firstName: 'First name is required' })
  })
})
