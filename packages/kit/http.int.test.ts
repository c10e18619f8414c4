/** Rows of a contract as routes: who is let in. */
import { contract } from '@passerelle/contracts/route'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTokens } from './auth.ts'
import { createApp, mount } from './http.ts'
import { createLog } from './log.ts'
import { createMetrics } from './metrics.ts'
import { peer } from './peer.ts'
import { type HttpServer, listen } from './server.ts'
import { createTestKeys, type TestKeys, testCaller } from './testing.ts'

const row = { method: 'GET', summary: '', response: z.object({ userId: z.string().nullable() }) } as const
const api = contract('search', {
  open: { ...row, path: '/api/open', access: 'public' },
  own: { ...row, path: '/api/own', access: 'user' },
  rule: { ...row, path: '/api/rule', access: 'admin' },
  quote: { ...row, path: '/internal/quote', access: 'internal', callers: ['booking'] },
  nobody: { ...row, path: '/internal/nobody', access: 'internal' },
})
let keys: TestKeys
let server: HttpServer
beforeAll(async () => {
  keys = await createTestKeys()
  const { INTERNAL_KEY, INTERNAL_JWKS } = keys.environment('search')
  const log = createLog('test', 'silent')
  const handler = async ({ caller }: { caller: { userId: string | null } }) => ({ userId: caller.userId })
  const handlers = { open: handler, own: handler, rule: handler, quote: handler, nobody: handler }
  const tokens = await createTokens('search', INTERNAL_KEY, INTERNAL_JWKS)
  const router = mount(api, handlers, { tokens, audience: 'search', log, metrics: createMetrics('test') })
  server = await listen(createApp([router], log), '127.0.0.1', 0)
})
afterAll(async () => {
  await server.close()
})

const ask = async (path: string, caller: object) => {
  const response = await fetch(server.url + path, { headers: await keys.headers('search', caller) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const forbidden = { status: 403, body: { error: 'FORBIDDEN' } }

test('API-09: an internal call is for the services that it names; the gateway and everybody else get 403', async () => {
  expect(await ask('/internal/quote', { actor: 'booking' })).toMatchObject({ status: 200 })
  for (const actor of ['gateway', 'payment', 'identity', 'brand'])
    expect(await ask('/internal/quote', { actor }), actor).toMatchObject(forbidden)
})

test('an internal route that names no caller refuses every caller', async () => {
  for (const actor of ['gateway', 'booking']) expect(await ask('/internal/nobody', { actor })).toMatchObject(forbidden)
})

test('other calls are the gateway’s, whoever the visitor is: a service cannot make them for an administrator', async () => {
  const admin = { userId: 'usr_1', isAdmin: true }
  for (const path of ['/api/open', '/api/own', '/api/rule']) {
    expect(await ask(path, { actor: 'gateway', ...admin }), path).toMatchObject({ status: 200, body: { userId: 'usr_1' } })
    expect(await ask(path, { actor: 'booking', ...admin }), path).toMatchObject(forbidden)
  }
})

test('a service that calls for a visitor is answered as that visitor', async () => {
  const { INTERNAL_KEY, INTERNAL_JWKS } = keys.environment('booking')
  const booking = await createTokens('booking', INTERNAL_KEY, INTERNAL_JWKS)
  const caller = await booking.verify(await keys.tokens.mint('booking', testCaller({ userId: 'usr_1' })), 'booking')
  expect(await peer(api, server.url, booking)({ ...caller, actor: 'booking' }).quote()).toEqual({ userId: 'usr_1' })
})
