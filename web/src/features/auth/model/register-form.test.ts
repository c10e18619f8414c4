import { Login } from '@passerelle/contracts/http/identity'
import { describe, expect, it } from 'vitest'
import { errorsOf } from '../../../lib/schema-resolver.ts'
import { tokenIn } from '../../../lib/use-link-token.ts'
import { RegisterForm } from './register-form.ts'
import { toRegistration } from './registration.ts'

type Messages = Record<string, { message: string } | undefined>

const filled = {
  username: 'camille',
  email: 'camille@example.com',
  firstName: 'Camille',
  lastName: 'Moreau',
  password: 'secret',
  confirmPassword: 'secret',
  acceptedTerms: false,
}
const wrong = (values: object) => errorsOf(RegisterForm.safeParse({ ...filled, ...values }).error?.issues ?? []) as Messages

describe('signing in', () => {
  it('LOGIN-02, LOGIN-03: asks for the username and the password', () => {
    const errors = errorsOf(Login.safeParse({ username: ' ', password: '' }).error?.issues ?? []) as Messages
    expect(errors.username?.message).toBe('Username is required')
    expect(errors.password?.message).toBe('Password is required')
  })
})

describe('registration', () => {
  it.each([
    ['REG-01', 'username', 'ab', 'Username must be at least 3 characters'],
    ['REG-02', 'email', 'camille@', 'Please enter a valid email address'],
    ['REG-03', 'firstName', ' ', 'First name is required'],
    ['REG-03', 'lastName', '', 'Last name is required'],
    ['REG-04', 'password', 'short', 'Password must be at least 6 characters'],
    ['REG-05', 'confirmPassword', 'secreT', "Passwords don't match"],
  ])('%s: %s %j is refused with its message', (_id, field, value, message) => {
    expect(wrong({ [field]: value })[field]?.message).toBe(message)
  })

  it('REG-05: compares the passwords even while other fields are wrong', () => {
    expect(Object.keys(wrong({ email: '', confirmPassword: 'other' })).sort()).toEqual(['confirmPassword', 'email'])
  })

  it('REG-06: goes on without the terms, and tells when they were ticked', () => {
    expect(wrong({ acceptedTerms: false })).toEqual({})
    expect(toRegistration(filled)).not.toHaveProperty('acceptedTerms')
    expect(toRegistration({ ...filled, acceptedTerms: true }).acceptedTerms).toBe(true)
  })

  it('REG-07: does not send the confirmation', () => {
    expect(toRegistration(filled)).toEqual({
      username: 'camille',
      email: 'camille@example.com',
      firstName: 'Camille',
      lastName: 'Moreau',
      password: 'secret',
    })
  })
})

it('the token of a mail is read from the address', () => {
  expect(tokenIn(`#${'t'.repeat(43)}`)).toBe('t'.repeat(43))
  expect([tokenIn(''), tokenIn('#'), tokenIn('#short')]).toEqual([null, null, null])
})
