import type { User } from '@passerelle/contracts/http/identity'
import { describe, expect, it, vi } from 'vitest'
import { ApiError, TransportError } from './api-client.ts'
import { createQueryClient } from './query-client.ts'
import { forgetUserOn401, refreshUser, USER_KEY } from './session.ts'

const ines = { id: 'usr_1', username: 'ines' } as User
const failed = (status: number, error: string) => new ApiError(status, '', JSON.stringify({ error, message: error, requestId: 'r' }))

function clientWith(user: User | null) {
  const queryClient = createQueryClient()
  queryClient.setQueryData(USER_KEY, user)
  return queryClient
}

describe('the visitor whom the website takes for signed in', () => {
  it('R-107: is nobody any more when a call that needs a session says that it has ended', () => {
    const queryClient = clientWith(ines)
    expect(forgetUserOn401(queryClient, failed(401, 'NOT_AUTHENTICATED'))).toBe(true)
    expect(queryClient.getQueryData(USER_KEY)).toBeNull()
  })

  it.each([
    ['a wrong password', failed(401, 'INVALID_CREDENTIALS')],
    ['a question for the password', failed(401, 'REAUTH_REQUIRED')],
    ['a refusal', failed(403, 'FORBIDDEN')],
    ['a failure', failed(503, 'UPSTREAM_UNAVAILABLE')],
    ['a lost connection', new TransportError('no-response')],
  ])('R-107: stays after %s', (_what, error) => {
    const queryClient = clientWith(ines)
    expect(forgetUserOn401(queryClient, error)).toBe(false)
    expect(queryClient.getQueryData(USER_KEY)).toBe(ines)
  })

  it('HEAD-11, R-107: is asked for again after a sign-in or a booking that made an account', async () => {
    const queryClient = clientWith(null)
    const invalidated = vi.spyOn(queryClient, 'invalidateQueries')
    await refreshUser(queryClient)
    expect(invalidated).toHaveBeenCalledWith({ queryKey: USER_KEY })
    expect(queryClient.getQueryState(USER_KEY)?.isInvalidated).toBe(true)
  })
})
