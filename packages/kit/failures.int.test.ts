/** How a failed call is reported by the service that failed. */
import { AppError } from '@passerelle/contracts/error'
import { contract } from '@passerelle/contracts/route'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createApp, mount } from './http.ts'
import { createLog } from './log.ts'
import { createMetrics } from './metrics.ts'
import { type HttpServer, listen } from './server.ts'
import { createTestKeys } from './testing.ts'

const row = {
  method: 'GET',
  access: 'user',
  summary: '',
  response: z.object({ count: z.int() }),
  failure: 'Unable to read things',
} as const
const api = contract('search', {
  crash: { ...row, path: '/crash' },
  misfit: { ...row, path: '/misfit' },
  away: { ...row, path: '/away' },
  admins: { ...row, path: '/admins/:id', access: 'admin' },
})

let server: HttpServer
let headers: Record<string, string>
const lines: string[] = []
beforeAll(async () => {
  const keys = await createTestKeys()
  const log = createLog('test', 'info', { write: (line) => void lines.push(line) })
  const handlers = {
    crash: async () => {
      throw new TypeError('a secret of the code')
    },
    misfit: async () => ({ count: 1.5 }),
    away: async () => {
      throw new AppError('UPSTREAM_UNAVAILABLE', { retryAfter: 2 })
    },
    admins: async () => ({ count: 1 }),
  }
  const http = { tokens: keys.tokens, audience: 'search', log, metrics: createMetrics('test') }
  server = await listen(createApp([mount(api, handlers, http)], log), '127.0.0.1', 0)
  headers = await keys.headers('search', { userId: 'usr_1' })
})
afterAll(() => server.close())

const failureAt = async (path: string, given = headers) => {
  const response = await fetch(server.url + path, { headers: given })
  return { status: response.status, ...((await response.json()) as { message: string }) }
}

test('ABOOK-20: with the words of its row, whatever went wrong', async () => {
  const own = 'Unable to read things: something went wrong on our side.'
  expect(await failureAt('/crash')).toMatchObject({ status: 500, message: own })
  expect(await failureAt('/misfit')).toMatchObject({ status: 500, message: own })
  expect(await failureAt('/away')).toMatchObject({
    status: 503,
    message: 'Unable to read things: this part of the website is not available right now. Please try again in a moment.',
  })
})

test('ABOOK-19: unless the caller may not ask at all', async () => {
  expect(await failureAt('/crash', {})).toMatchObject({ status: 401, message: 'Not authenticated' })
})

test('R-67: what somebody may not do is logged by the route and the code, without the address', async () => {
  lines.length = 0
  expect((await failureAt('/admins/secret-id?q=secret-query')).status).toBe(403)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { code: 'FORBIDDEN', method: 'GET', route: '/admins/:id', msg: 'request refused', requestId: expect.any(String) },
  ])
  expect(lines.join()).not.toContain('secret')
})
