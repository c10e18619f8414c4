import { afterEach, describe, expect, it, vi } from 'vitest'
import { createQueryClient, defaultRead } from './query-client.ts'

const answer = (status: number, body: unknown) =>
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(async () => Response.json(body, { status })),
  )
const signal = new AbortController().signal
const notAuthenticated = { error: 'NOT_AUTHENTICATED', message: 'Not authenticated', requestId: 'r' }

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('default reads', () => {
  it('API-01, API-02, API-04: GET the first element of the query key, with cookies and without a body', async () => {
    answer(200, { mode: 'test' })
    expect(await defaultRead({ queryKey: ['/api/system/mode', 'x'], signal, meta: undefined })).toEqual({ mode: 'test' })
    const [address, init] = vi.mocked(fetch).mock.calls[0]!
    expect(address).toBe('/api/system/mode')
    expect(init).toMatchObject({ method: 'GET', credentials: 'include' })
    expect(init?.headers).not.toHaveProperty('content-type')
    expect(init).not.toHaveProperty('body')
  })

  it('API-03: a failure reads "{status}: {body}"', async () => {
    vi.stubGlobal('fetch', async () => new Response('out of order', { status: 503, statusText: 'Service Unavailable' }))
    await expect(defaultRead({ queryKey: ['/api/x'], signal, meta: undefined })).rejects.toThrow('503: out of order')
  })

  it('API-06: a 401 gives null when so configured, else an error', async () => {
    answer(401, notAuthenticated)
    expect(await defaultRead({ queryKey: ['/api/auth/user'], signal, meta: { on401: 'null' } })).toBeNull()
    await expect(defaultRead({ queryKey: ['/api/auth/user'], signal, meta: undefined })).rejects.toMatchObject({ status: 401 })
  })

  it('API-07: a 401 on bookings is a warning about test mode, and still an error for its screen', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    answer(401, notAuthenticated)
    await expect(defaultRead({ queryKey: ['/api/bookings'], signal, meta: undefined })).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' })
    expect(warn.mock.calls[0]?.[0]).toContain('test mode')
  })

  it('API-05: no retry, no refetch on focus, no polling, never stale', () => {
    expect(createQueryClient().getDefaultOptions().queries).toMatchObject({
      retry: false,
      refetchOnWindowFocus: false,
      refetchInterval: false,
      staleTime: Number.POSITIVE_INFINITY,
    })
  })
})
