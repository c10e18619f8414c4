import { BrandSettings } from '@passerelle/contracts/http/brand'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import type { RunningService } from '@passerelle/kit/service'
import { createTestKeys, type TestKeys } from '@passerelle/kit/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type World } from './brand.fixture.ts'

let world: World
let keys: TestKeys
let service: RunningService
let lines: string[]

beforeAll(async () => {
  world = await openWorld()
  ;({ keys, service, lines } = world)
})
afterAll(() => world.stop())

const call = async (path: string, init: RequestInit = {}, caller: object = {}) => {
  const response = await fetch(service.url + path, {
    ...init,
    headers: { ...(await keys.headers('brand', caller)), ...(init.body && { 'content-type': 'application/json' }) },
  })
  return { status: response.status, body: await response.json() }
}
const admin = { userId: 'usr_1', isAdmin: true, adminProofAt: new Date().toISOString() }

describe('brands', () => {
  test('ABRND-01: a brand is answered by its key, an unknown one is 404', async () => {
    expect(await call('/api/brands/atlas.example')).toMatchObject({
      status: 200,
      body: { name: 'Atlas Voyages', theme: { primary: '#a8452a' } },
    })
    expect(await call('/api/brands/nobody.example')).toMatchObject({ status: 404, body: { error: 'BRAND_NOT_FOUND' } })
  })

  test('ABRND-02: a bad key answers 4xx, never 500', async () => {
    for (const key of ['%00', 'a%20b', '..%2F..', 'x'.repeat(300), '%24ne', '%FF'])
      expect((await call(`/api/brands/${key}`)).status).toBeLessThan(500)
  })

  test('R-14: a host without a brand of its own gets the default brand and its markup', async () => {
    expect(await call('/internal/brands/nobody.example')).toMatchObject({ status: 200, body: { key: 'default', markupPercent: 23 } })
  })
})

describe('a brand whose stored values cannot be used', () => {
  test.each([
    ['one colour', { 'brand.theme.primary': 'teal' }, { theme: { ...defaultBrand.theme, primary: defaultBrand.theme.primary } }],
    ['no theme at all, as in an older release', { 'brand.theme': null }, { theme: defaultBrand.theme }],
    [
      'logo and social links',
      { 'brand.logo': 'javascript:alert(1)', 'brand.social.facebook': 'facebook' },
      { logo: '', social: defaultBrand.social },
    ],
    ['everything', { brand: 'nonsense', version: 'x', markupPercent: 'much' }, { name: defaultBrand.name, theme: defaultBrand.theme }],
  ])('R-75: is answered with default values in their place: %s', async (what, changes, expected) => {
    const key = `${what.replace(/\W+/g, '-')}.example`
    const stored = { _id: key as never, version: 3, brand: { ...defaultBrand, domain: key }, markupPercent: 10, active: true }
    await world.mongo.collection('brands').insertOne(stored)
    await world.mongo.collection('brands').updateOne({ _id: key as never }, { $set: changes })

    const [shown, settings, again] = [
      await call(`/api/brands/${key}`),
      await call(`/internal/brands/${key}`),
      await call(`/api/brands/${key}`),
    ]
    expect([shown.status, settings.status, again.status]).toEqual([200, 200, 200])
    expect(shown.body).toMatchObject({ domain: key, ...expected })
    expect(BrandSettings.parse(settings.body)).toMatchObject({ key, brand: shown.body, markupPercent: what === 'everything' ? 23 : 10 })
    expect(lines.filter((line) => line.includes(key))).toHaveLength(1)
  })
})

describe('the mode', () => {
  test('AADM-01: everybody may know it', async () =>
    expect((await call('/api/system/mode')).body).toEqual({ isLiveMode: false, mode: 'test' }))

  test('AADM-03, AADM-04: settings are for administrators and hold no key: 401 signed out, 403 for others', async () => {
    expect((await call('/api/admin/settings')).status).toBe(401)
    expect((await call('/api/admin/settings', {}, { userId: 'usr_2' })).status).toBe(403)
    expect((await call('/api/admin/settings', {}, admin)).body).toEqual({
      enableLiveMode: false,
      duffelApiConfigured: false,
      stripeConfigured: false,
      environment: 'development',
    })
  })

  test('AADM-06: live without configured providers answers 409 and stays test', async () => {
    const answer = await call('/api/admin/settings', { method: 'POST', body: JSON.stringify({ enableLiveMode: true }) }, admin)
    expect(answer).toMatchObject({ status: 409, body: { error: 'LIVE_NOT_CONFIGURED' } })
    expect((await call('/api/system/mode')).body).toMatchObject({ mode: 'test' })
  })

  test('a switch needs a password proof of at most 15 minutes ago', async () => {
    const old = { ...admin, adminProofAt: new Date(Date.now() - 16 * 60_000).toISOString() }
    expect(await call('/api/admin/settings', { method: 'POST', body: '{"enableLiveMode":false}' }, old)).toMatchObject({
      status: 401,
      body: { error: 'REAUTH_REQUIRED' },
    })
  })
})

describe('a service refuses', () => {
  const status = async (path: string, init: RequestInit) => (await fetch(service.url + path, init)).status

  test('whoever has no token of ours', async () => {
    expect(await status('/api/system/mode', {})).toBe(401)
    const strange = await createTestKeys()
    expect(await status('/api/system/mode', { headers: await strange.headers('brand') })).toBe(401)
    expect(await status('/api/system/mode', { headers: await keys.headers('booking') })).toBe(401)
  })

  test('API-08 to API-11: broken, wrong and too large bodies, unknown paths and methods, all as JSON', async () => {
    const headers = { ...(await keys.headers('brand', admin)), 'content-type': 'application/json' }
    const answers = [
      [400, { method: 'POST', headers, body: '{"a":' }, 'MALFORMED_JSON'],
      [400, { method: 'POST', headers, body: '{"enableLiveMode":"yes"}' }, 'VALIDATION_ERROR'],
      [413, { method: 'POST', headers, body: JSON.stringify({ x: 'x'.repeat(40_000) }) }, 'BODY_TOO_LARGE'],
      [415, { method: 'POST', headers: { ...headers, 'content-type': 'text/plain' }, body: 'x' }, 'UNSUPPORTED_MEDIA_TYPE'],
      [405, { method: 'DELETE', headers }, 'METHOD_NOT_ALLOWED'],
    ] as const
    for (const [expected, init, code] of answers) {
      const response = await fetch(`${service.url}/api/admin/settings`, init)
      const body = (await response.json()) as Record<string, unknown>
      expect([response.status, body.error]).toEqual([expected, code])
      expect(typeof body.message === 'string' && typeof body.requestId === 'string').toBe(true)
      expect(JSON.stringify(body)).not.toMatch(/at .*\.ts/)
    }
    expect(await status('/api/nothing', { headers })).toBe(404)
  })
})

test('EVT-11: liveness and readiness answer on a port of their own', async () => {
  expect((await fetch(`${service.adminUrl}/livez`)).status).toBe(200)
  expect((await fetch(`${service.adminUrl}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${service.adminUrl}/metrics`)).text()).toContain('http_server_request_duration_seconds_bucket')
})
