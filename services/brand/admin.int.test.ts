import type { AuditRecord, BrandMarkup } from '@passerelle/contracts/http/admin'
import type { BrandSettings } from '@passerelle/contracts/http/brand'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { admin, openWorld, type World } from './brand.fixture.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ LIVE_FLIGHTS_CONFIGURED: 'true', MARKUP_PERCENT: '21' })
})
afterAll(() => world.stop())

const unproved = () => ({ ...admin(), adminProofAt: new Date(Date.now() - 16 * 60_000).toISOString() })
const switchTo = (enableLiveMode: boolean, caller = admin(), at?: string) =>
  world.call('/api/admin/settings', { json: { enableLiveMode } }, caller, at)
const audit = async (query = '') =>
  (await world.call(`/api/admin/audit${query}`, {}, admin())).body as unknown as { entries: AuditRecord[]; next: string | null }

describe('the mode', () => {
  test('R-68, ADM-14: a refused switch changes nothing and is recorded with its reason', async () => {
    expect(await switchTo(true)).toMatchObject({ status: 409, body: { error: 'LIVE_NOT_CONFIGURED' } })
    expect(await switchTo(true, unproved())).toMatchObject({ status: 401, body: { error: 'REAUTH_REQUIRED' } })
    const { entries } = await audit('?subject=system')
    expect(entries).toMatchObject([
      { action: 'mode', actor: 'usr_admin', from: 'test', to: 'live', refused: 'REAUTH_REQUIRED' },
      { action: 'mode', actor: 'usr_admin', from: 'test', to: 'live', refused: 'LIVE_NOT_CONFIGURED' },
    ])
  })

  test('R-67, ADM-14, AADM-05, AADM-08, GEN-02: a switch is recorded with who and when, and reaches every replica', async () => {
    const both = await world.replica({ LIVE_CARDS_CONFIGURED: 'true' })
    expect((await switchTo(true, admin(), both.url)).body).toEqual({ enableLiveMode: true })
    expect((await world.call('/api/system/mode')).body).toEqual({ isLiveMode: true, mode: 'live' })
    expect((await switchTo(false, unproved())).status).toBe(401)
    expect((await switchTo(false)).body).toEqual({ enableLiveMode: false })
    expect((await world.call('/api/system/mode', {}, undefined, both.url)).body).toEqual({ isLiveMode: false, mode: 'test' })
    const [last, refused, first] = (await audit('?subject=system')).entries
    expect(last).toMatchObject({ from: 'live', to: 'test', refused: null, actor: 'usr_admin' })
    expect(refused).toMatchObject({ from: 'live', to: 'test', refused: 'REAUTH_REQUIRED' })
    expect(first).toMatchObject({ from: 'test', to: 'live', refused: null })
    expect(Date.now() - Date.parse(last?.at ?? '')).toBeLessThan(60_000)
  })
})

describe('markups', () => {
  const list = async () => (await world.call('/api/admin/markups', {}, admin())).body as unknown as BrandMarkup[]
  const change = (key: string, markupPercent: unknown, caller = admin()) =>
    world.call(`/api/admin/markups/${key}`, { method: 'PUT', json: { markupPercent } }, caller)
  const used = async (key: string) => ((await world.call(`/internal/brands/${key}`)).body as unknown as BrandSettings).markupPercent

  test('R-14: a brand without one follows the default brand, and that one the installation', async () => {
    expect((await list())[0]).toMatchObject({ brandKey: 'default', markupPercent: null, effectivePercent: 21 })
    expect(await change('default', 20)).toMatchObject({
      status: 200,
      body: { markupPercent: 20, effectivePercent: 20, changedBy: 'usr_admin' },
    })
    expect(await change('atlas.example', 18)).toMatchObject({ body: { effectivePercent: 18 } })
    expect([await used('default'), await used('atlas.example'), await used('aurora.example')]).toEqual([20, 18, 20])
    expect(await change('atlas.example', null)).toMatchObject({ body: { markupPercent: null, effectivePercent: 20 } })
    expect(await used('atlas.example')).toBe(20)
  })

  test('are changed by administrators with a fresh password proof, to a percentage of 0 to 100', async () => {
    expect((await change('default', 1, {})).status).toBe(401)
    expect((await change('default', 1, { userId: 'usr_2' })).status).toBe(403)
    expect(await change('default', 1, unproved())).toMatchObject({ status: 401, body: { error: 'REAUTH_REQUIRED' } })
    for (const bad of [-1, 101, '20', undefined]) expect((await change('default', bad)).status, String(bad)).toBe(400)
    expect((await change('nobody.example', 5)).status).toBe(404)
    expect(await used('default')).toBe(20)
  })

  test('every change is recorded, page by page', async () => {
    const { entries } = await audit('?subject=atlas.example')
    expect(entries.map(({ from, to, refused }) => [from, to, refused])).toEqual([
      ['18', 'as default', null],
      ['as default', '18', null],
    ])
    const first = await audit('?limit=3')
    const second = await audit(`?limit=3&before=${first.next}`)
    const all = await audit('?limit=100')
    expect([...first.entries, ...second.entries]).toEqual(all.entries.slice(0, 6))
    expect(all.next).toBeNull()
  })
})

test('AADM-03: the audit and markups are for administrators', async () => {
  for (const path of ['/api/admin/audit', '/api/admin/markups']) {
    expect((await world.call(path)).status).toBe(401)
    expect((await world.call(path, {}, { userId: 'usr_2' })).status).toBe(403)
  }
})
