import type { ListedBrand, ManagedBrand } from '@passerelle/contracts/http/brand-manager'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, admin, eventually, openWorld, type World } from '../brand.fixture.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

const brandOf = ({ body }: Answer) => body as unknown as ManagedBrand
const call = (method: string, path: string, json?: unknown) =>
  world.call(`/api/admin/brands${path}`, { method, ...(json !== undefined && { json }) }, admin())
const create = async (key: string, more: object = {}) => brandOf(await call('POST', '', { key, name: 'Rivage', ...more }))
const inputOf = ({ brand: { domain: _, ...input } }: ManagedBrand) => ({
  ...input,
  contact: { ...input.contact, email: 'hello@rivage.org' },
})
const save = (brand: ManagedBrand, change: object) =>
  call('PUT', `/${brand.key}/draft`, { version: brand.version, brand: { ...inputOf(brand), ...change } })
const publish = (brand: ManagedBrand, note?: string) => call('POST', `/${brand.key}/publish`, { version: brand.version, note })
const served = async (key: string) =>
  (await world.call(`/internal/brands/${key}`)).body as unknown as { key: string; brand: { name: string } }
const theme = (primary: string) => ({ theme: { ...defaultBrand.theme, primary } })

describe('who may', () => {
  test('BMGR-01, ABRND-03, R-72: nobody but administrators', async () => {
    const calls: [string, string, unknown?][] = [
      ['GET', ''],
      ['POST', '', { key: 'a.org', name: 'A' }],
      ['GET', '/default'],
      ['PUT', '/default/draft', {}],
      ['DELETE', '/default/draft?version=1'],
      ['POST', '/default/publish', {}],
      ['POST', '/default/roll-back', {}],
      ['PUT', '/default/active', {}],
      ['POST', '/default/preview', {}],
      ['POST', '/default/logos'],
    ]
    for (const [method, path, json] of calls) {
      const init = { method, ...(json !== undefined && { json }) }
      expect((await world.call(`/api/admin/brands${path}`, init)).status, `${method} ${path}`).toBe(401)
      expect((await world.call(`/api/admin/brands${path}`, init, { userId: 'usr_2' })).status, `${method} ${path}`).toBe(403)
    }
  })
})

describe('a brand', () => {
  test('BMGR-02, R-72: is made as a draft that nobody sees, saved, published and then served to its host', async () => {
    const made = await create('rivage.org')
    expect(made).toMatchObject({ status: 'draft', published: 0, versions: [], brand: { name: 'Rivage', domain: 'rivage.org', logo: '' } })
    expect((await world.call('/api/brands/rivage.org')).status).toBe(404)
    expect((await served('rivage.org')).key).toBe('default')
    const saved = brandOf(await save(made, theme('#123456')))
    expect(saved).toMatchObject({ status: 'draft', draftBy: 'usr_admin' })
    const live = brandOf(await publish(saved))
    expect(live).toMatchObject({
      status: 'live',
      published: 1,
      draftAt: null,
      versions: [{ number: 1, by: 'usr_admin', note: 'First version' }],
    })
    expect((await world.call('/api/brands/rivage.org')).body).toMatchObject({ name: 'Rivage', theme: { primary: '#123456' } })
    expect((await served('rivage.org')).key).toBe('rivage.org')
  })

  test('R-72: is listed with its state and what its draft changes, the default brand first', async () => {
    const live = brandOf(await call('GET', '/rivage.org'))
    await save(live, { ...theme('#654321'), social: { ...defaultBrand.social, instagram: 'https://example.org/rivage' } })
    const list = (await call('GET', '')).body as unknown as ListedBrand[]
    expect(list[0]).toMatchObject({ key: 'default', status: 'live' })
    expect(list.find(({ key }) => key === 'rivage.org')).toMatchObject({
      name: 'Rivage',
      status: 'live',
      published: 1,
      changes: ['theme.primary', 'social.instagram'],
      host: { looked: false, proved: false, toMend: 0 },
      sender: { address: '', proved: false },
    })
    expect(list[0]?.host).toBeNull()
    expect((await world.call('/api/brands/rivage.org')).body).toMatchObject({ theme: { primary: '#123456' } })
  })

  test('R-72: a version is rolled back by publishing it again, and nothing is lost', async () => {
    const second = brandOf(await publish(brandOf(await call('GET', '/rivage.org')), 'Darker'))
    expect(second.versions.map(({ number, note }) => [number, note])).toEqual([
      [2, 'Darker'],
      [1, 'First version'],
    ])
    const third = brandOf(await call('POST', '/rivage.org/roll-back', { version: second.version, to: 1 }))
    expect(third).toMatchObject({ published: 3, versions: [{ number: 3, note: 'Version 1 again' }, { number: 2 }, { number: 1 }] })
    expect((await world.call('/api/brands/rivage.org')).body).toMatchObject({ theme: { primary: '#123456' } })
    expect((await call('POST', '/rivage.org/roll-back', { version: third.version, to: 9 })).body).toMatchObject({ error: 'BRAND_STATE' })
  })

  test('R-72: is deactivated, and its host shows the default brand until it is served again', async () => {
    const live = brandOf(await call('GET', '/rivage.org'))
    const off = brandOf(await call('PUT', '/rivage.org/active', { version: live.version, active: false }))
    expect(off.status).toBe('deactivated')
    expect((await served('rivage.org')).key).toBe('default')
    await call('PUT', '/rivage.org/active', { version: off.version, active: true })
    expect((await served('rivage.org')).key).toBe('rivage.org')
    const fallback = brandOf(await call('GET', '/default'))
    expect(await call('PUT', '/default/active', { version: fallback.version, active: false })).toMatchObject({
      status: 409,
      body: { error: 'BRAND_STATE', message: 'The default brand is always served.' },
    })
  })

  test('R-72: saving what somebody else has changed meanwhile is refused and writes nothing', async () => {
    const loaded = brandOf(await call('GET', '/rivage.org'))
    const answers = await Promise.all([save(loaded, theme('#111111')), save(loaded, theme('#222222'))])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toMatchObject({ error: 'BRAND_RACE' })
    const discarded = brandOf(await call('DELETE', `/rivage.org/draft?version=${brandOf(await call('GET', '/rivage.org')).version}`))
    expect(discarded).toMatchObject({ changes: [], draftAt: null })
  })

  test('R-72: every change is recorded with who and when, also the refused ones', async () => {
    const { body } = await world.call('/api/admin/audit?subject=rivage.org&limit=100', {}, admin())
    const { entries } = body as unknown as { entries: { action: string; actor: string; refused: string | null; at: string }[] }
    expect(new Set(entries.map(({ action }) => action))).toEqual(
      new Set([
        'brand-created',
        'brand-draft-saved',
        'brand-published',
        'brand-rolled-back',
        'brand-deactivated',
        'brand-activated',
        'brand-draft-discarded',
      ]),
    )
    expect(entries.every(({ actor, at }) => actor === 'usr_admin' && Date.parse(at) > 0)).toBe(true)
    expect(entries.map(({ refused }) => refused)).toEqual(expect.arrayContaining(['BRAND_RACE', 'BRAND_STATE', null]))
  })

  test('BMGR-03, R-72: another replica serves what was published, and the bus says so', async () => {
    const other = await world.replica()
    const live = brandOf(await call('GET', '/rivage.org'))
    await publish(brandOf(await save(live, { name: 'Rivage Voyages' })))
    const { body } = await world.call('/internal/brands/rivage.org', {}, {}, other.url)
    expect(body).toMatchObject({ brand: { name: 'Rivage Voyages' } })
    await eventually('an empty outbox', async () => (await world.mongo.collection('brands').countDocuments({ outboxPending: true })) === 0)
  })
})

describe('a new key', () => {
  test.each(['', 'localhost', '127.0.0.1', 'www.rivage.org', 'preview.org', 'a b.org', '-a.org', 'rivage.org/x', `${'x'.repeat(250)}.org`])(
    'R-73: %j is refused',
    async (key) => expect(await call('POST', '', { key, name: 'X' })).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } }),
  )

  test('R-73: is written in lower case, and one that is taken is refused', async () => {
    expect((await create('Flights.Example.ORG', { like: 'atlas.example' })).key).toBe('flights.example.org')
    expect(await call('POST', '', { key: 'flights.example.org', name: 'X' })).toMatchObject({
      status: 409,
      body: { error: 'BRAND_EXISTS' },
    })
    expect(brandOf(await call('GET', '/flights.example.org')).brand.theme.primary).toBe('#a8452a')
  })
})

describe('hostile values', () => {
  const bad = ['red', '#12', '#fff;}</style><script>', 'url(x)', 'var(--x)', 'expression(alert(1))', '', 'rgb(0,0,0)', '#ggg', ' #fff']
  const links = [
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'https://',
    "https://a;script-src'x'",
    'https://user:pw@a.org',
    'ftp://a',
    'https://a b',
  ]
  test.each([
    ...bad.map((value) => ['theme', { ...defaultBrand.theme, accent: value }] as const),
    ...links.map((value) => ['logo', value] as const),
    ...links.map((value) => ['social', { ...defaultBrand.social, facebook: value }] as const),
    ['theme', { ...defaultBrand.theme, font: 'x;}</style>' }],
    ['name', ''],
    ['name', 'A\u202eB'],
    ['contact', { ...defaultBrand.contact, email: 'a@b\nBcc: c@d.org' }],
    ['content', { ...defaultBrand.content, conversionId: "AW-1');alert(1)//" }],
    ['content', { ...defaultBrand.content, texts: { '__proto__ x': 'x' } }],
    ['content', { ...defaultBrand.content, texts: { big: 'x'.repeat(4001) } }],
    ['content', { ...defaultBrand.content, promotions: 'yes' }],
  ] as const)('BMGR-04, R-75: %s %j is refused', async (field, value) => {
    const brand = brandOf(await call('GET', '/flights.example.org'))
    expect(await save(brand, { [field]: value })).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
  })
})

describe('a preview', () => {
  test('BMGR-02: shows the draft, as it is saved, to whoever has its token, and to nobody else', async () => {
    const brand = brandOf(await call('GET', '/flights.example.org'))
    const { body, status } = await call('POST', '/flights.example.org/preview', {})
    expect(status).toBe(200)
    const { path } = body as unknown as { path: string }
    const key = `${path.replace('/?preview=', 'preview.')}.atlas.example`
    expect(await served(key)).toMatchObject({ key: 'flights.example.org', brand: { name: 'Rivage' } })
    await save(brand, { name: 'Shown before it is published' })
    expect((await served(key)).brand.name).toBe('Shown before it is published')
    expect((await served('flights.example.org')).key).toBe('default')
    expect((await served(`preview.${'0'.repeat(40)}.atlas.example`)).key).toBe('atlas.example')
    await world.mongo.collection('previews').updateMany({}, { $set: { expiresAt: new Date(Date.now() - 1000) } })
    expect((await served(key)).key).toBe('atlas.example')
  })

  test('BMGR-02: shows an earlier version; one that is not kept is refused', async () => {
    const { body } = await call('POST', '/rivage.org/preview', { number: 1 })
    const key = `${(body as unknown as { path: string }).path.replace('/?preview=', 'preview.')}.rivage.org`
    expect((await served(key)).brand.name).toBe('Rivage')
    expect(await call('POST', '/rivage.org/preview', { number: 99 })).toMatchObject({ status: 409, body: { error: 'BRAND_STATE' } })
  })
})

describe('a logo', () => {
  const upload = (bytes: Uint8Array) => world.call('/api/admin/brands/rivage.org/logos', { bytes }, admin())
  const svg = (inner: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">${inner}</svg>`)

  test('R-75: is stored, and served as a picture under a policy of its own', async () => {
    const { status, body } = await upload(svg('<script>alert(1)</script><path d="M0 0h10v10z" fill="#123456" onload="alert(1)"/>'))
    expect(status).toBe(201)
    const { logo } = body as unknown as { logo: string }
    const shown = await world.call(logo)
    expect(shown.headers.get('content-type')).toBe('image/svg+xml')
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(shown.headers.get('cache-control')).toContain('max-age=31536000')
    expect(shown.bytes.toString()).toContain('fill="#123456"')
    expect(shown.bytes.toString()).not.toMatch(/script|onload|alert/)
    const brand = brandOf(await call('GET', '/rivage.org'))
    expect((await save(brand, { logo })).status).toBe(200)
  })

  test('of PNG keeps its bytes', async () => {
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
    const { body } = await upload(png)
    expect(body).toMatchObject({ type: 'image/png', bytes: png.length })
    expect((await world.call((body as unknown as { logo: string }).logo)).bytes.equals(png)).toBe(true)
  })

  test.each([
    ['nothing', Buffer.alloc(0), 422],
    ['a web page', Buffer.from('<html><body>hello</body></html>'), 422],
    ['a GIF', Buffer.from('R0lGODlhAQABAAAAACw=', 'base64'), 422],
    ['a program', Buffer.from('MZ\u0000\u0000'), 422],
    ['more than 200 KB', svg(`<path d="${'M0 0'.repeat(55_000)}"/>`), 422],
    ['more than any file', Buffer.alloc(300_000, 32), 413],
  ])('is refused when it is %s', async (_, bytes, status) => expect((await upload(bytes)).status).toBe(status))

  test('that is not there is 404, and a name that is none 400', async () => {
    expect((await world.call(`/api/brands/rivage.org/logos/${'0'.repeat(32)}.svg`)).status).toBe(404)
    expect((await world.call('/api/brands/rivage.org/logos/..%2Fsecret')).status).toBe(400)
  })
})
