import { describe, expect, it, vi } from 'vitest'
import { ApiError, TransportError } from '../../../lib/api-client.ts'
import { switchMode, withProof } from './proof.ts'

const refusal = (status: number, error: string, message: string) =>
  new ApiError(status, '', JSON.stringify({ error, message, requestId: 'r' }))

function calls() {
  const made: unknown[] = []
  return {
    made,
    adminLogin: vi.fn(async (input?: { body?: { password?: string | undefined } | undefined }) => {
      made.push(['login', input?.body])
      return { success: true, message: 'ok' }
    }),
    changeSettings: vi.fn(async ({ body }: { body: { enableLiveMode: boolean } }) => {
      made.push(['settings', body])
      return body
    }),
  }
}

describe('switching the mode', () => {
  it('ADM-07, ADM-08: proves who it is, saves, and proves it again', async () => {
    const server = calls()
    expect(await switchMode(true, 'secret', server)).toEqual({ kind: 'done' })
    expect(server.made).toEqual([
      ['login', { password: 'secret' }],
      ['settings', { enableLiveMode: true }],
      ['login', undefined],
    ])
  })

  it('ADM-10: without a verification nothing is saved', async () => {
    const server = calls()
    server.adminLogin.mockRejectedValueOnce(new TransportError('no-response'))
    expect(await switchMode(true, 'secret', server)).toEqual({
      kind: 'failed',
      failure: {
        title: 'Authentication Error',
        description: 'Could not verify admin privileges. Please try logging in again.',
      },
    })
    server.adminLogin.mockResolvedValueOnce({ success: false, message: 'No.' })
    expect(await switchMode(true, 'secret', server)).toEqual({
      kind: 'failed',
      failure: { title: 'Authentication Failed', description: 'No.' },
    })
    expect(server.changeSettings).not.toHaveBeenCalled()
  })

  it('ADM-08, ADM-10: a verification that fails after the change says so, and the change stands', async () => {
    const server = calls()
    server.adminLogin.mockResolvedValueOnce({ success: true, message: '' }).mockRejectedValueOnce(refusal(403, 'FORBIDDEN', 'No.'))
    expect(await switchMode(false, undefined, server)).toMatchObject({ kind: 'done', unverified: { title: 'Authentication Error' } })
  })

  it('asks for the password when the proof is too old, and again when the password is wrong', async () => {
    const server = calls()
    server.adminLogin.mockRejectedValueOnce(refusal(401, 'REAUTH_REQUIRED', 'Please enter your password again.'))
    expect(await switchMode(false, undefined, server)).toEqual({ kind: 'password', refusal: null })
    server.adminLogin.mockRejectedValueOnce(refusal(401, 'INVALID_CREDENTIALS', 'Invalid username or password'))
    expect(await switchMode(false, 'wrong', server)).toEqual({ kind: 'password', refusal: 'This password is not correct.' })
    expect(server.changeSettings).not.toHaveBeenCalled()
  })

  it('ADM-11, R-68: a refused change is "Mode Change Failed" with the server’s reason', async () => {
    const server = calls()
    server.changeSettings.mockRejectedValueOnce(refusal(409, 'LIVE_NOT_CONFIGURED', 'Live mode needs both.'))
    expect(await switchMode(true, 'secret', server)).toEqual({
      kind: 'failed',
      failure: { title: 'Mode Change Failed', description: 'Live mode needs both.' },
    })
  })

  it('ADM-12: any other failure to save is "Failed to Update"', async () => {
    const server = calls()
    server.changeSettings.mockRejectedValueOnce(new ApiError(500, '', ''))
    expect(await switchMode(true, 'secret', server)).toEqual({
      kind: 'failed',
      failure: { title: 'Failed to Update', description: 'There was a problem saving your changes.' },
    })
  })
})

it('other work with a proof is not done before the proof', async () => {
  const server = calls()
  const work = vi.fn(async () => undefined)
  server.adminLogin.mockRejectedValueOnce(refusal(429, 'LOGIN_SLOWED', 'Too many failed attempts.'))
  const failureOf = () => ({ title: 'x', description: 'y' })
  expect(await withProof('wrong', work, failureOf, server)).toEqual({ kind: 'password', refusal: 'Too many failed attempts.' })
  expect(work).not.toHaveBeenCalled()
  expect(await withProof('right', work, failureOf, server)).toEqual({ kind: 'done' })
})
