import type { User } from '@passerelle/contracts/http/identity'
import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { USER_KEY } from '../../../lib/session.ts'
import { rememberUser, usernameIn } from './signed-in.ts'

const user: User = {
  id: 'usr_1',
  username: 'camille',
  email: 'camille@example.com',
  emailVerified: true,
  firstName: 'Camille',
  lastName: 'Moreau',
  createdAt: '2026-11-21T10:00:00Z',
  isAdmin: false,
  staffOf: [],
  passwordChangedAt: null,
  mustChangePassword: false,
}

it('LOGIN-10: whoever signs in is known at once and sees nothing that was read for somebody else', () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(['/api/bookings'], { bookings: ['theirs'] })
  queryClient.setQueryData(['/api/bookings/bkg_1'], 'theirs')
  queryClient.setQueryData(['/api/auth/sessions'], ['theirs'])
  queryClient.setQueryData(['/api/system/mode'], { mode: 'test' })
  rememberUser(queryClient, user)
  expect(queryClient.getQueryData(USER_KEY)).toEqual(user)
  expect(queryClient.getQueryData(['/api/bookings'])).toBeUndefined()
  expect(queryClient.getQueryData(['/api/bookings/bkg_1'])).toBeUndefined()
  expect(queryClient.getQueryData(['/api/auth/sessions'])).toBeUndefined()
  expect(queryClient.getQueryData(['/api/system/mode'])).toEqual({ mode: 'test' })
})

it('REG-09: the new username waits in the sign-in form', () => {
  expect(usernameIn({ username: 'camille' })).toBe('camille')
  expect([usernameIn(null), usernameIn({ username: 7 }), usernameIn('x')]).toEqual(['', '', ''])
})
