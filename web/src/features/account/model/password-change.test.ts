import { expect, it } from 'vitest'
import { ApiError } from '../../../lib/api-client.ts'
import { refusalFor, refusalIn } from './password-change.ts'

it('ACCT-11: an answer without success is told with its message or with ours', () => {
  expect(refusalIn({ success: false, message: 'Not today' })?.message).toBe('Not today')
  expect(refusalIn({ success: false, message: '' })?.message).toBe('Failed to update password')
  expect(refusalIn({ success: true, message: 'Your password has been updated' })).toBeNull()
})

it('ACCT-12: a failure is told with its message or as an unknown error', () => {
  expect(refusalFor(new Error('The server did not answer.')).message).toBe('The server did not answer.')
  expect(refusalFor('?').message).toBe('An unknown error occurred')
})

it('ACCT-12: a wrong current password and a refused new one are told at their fields', () => {
  const wrong = new ApiError(400, '', '{"error":"PASSWORD_WRONG","message":"Current password is incorrect","requestId":"r"}')
  expect(refusalFor(wrong).fields).toEqual({ currentPassword: 'Current password is incorrect' })
  const message = 'This password is one of the most common ones. Please choose another'
  const body = { error: 'VALIDATION_ERROR', message, issues: [{ path: 'newPassword', message }], requestId: 'r' }
  expect(refusalFor(new ApiError(400, '', JSON.stringify(body))).fields).toEqual({ newPassword: message })
})
