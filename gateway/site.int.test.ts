/** The page of a host's brand, and what happens to brand and mode while the brand service is away. */
import { hash } from 'node:crypto'
import { delay, replaceRuntime } from '@passerelle/kit/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, BOOKING, brandNamed, CARD_PAYMENT, openWorld, type World } from './gateway.fixture.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world.stop()
})
const OFFER = '/api/flights/offer/oft_1'
const at = (host: string, more: Record<string, string> = {}) => ({ headers: { host, ...more } })
const titleOf = (text: string) => /<title>(.*?) - Flight Booking<\/title>/.exec(text)?.[1]
const brandSeen = () => world.stubs.search.received.at(-1)?.caller

describe('a preview', () => {
  const token = 'a'.repeat(40)

  test('BMGR-02: shows the brand of its token on this page and in the calls that follow, until it is left', async () => {
    world.stubs.brand.handlers[`GET /internal/brands/preview.${token}.atlas.example`] = (_, response) =>
      response.json({ ...brandNamed('rivage.example', 7), brand: { ...brandNamed('rivage.example').brand, name: 'Rivage draft' } })
    const page = await world.ask(`/?preview=${token}`, at('atlas.example'))
    expect(titleOf(page.text)).toBe('Rivage draft')
    expect(page.headers['x-robots-tag']).toBe('noindex')
    expect(page.cookies).toEqual([`brand-preview=${token}; Max-Age=3600; Path=/; HttpOnly; SameSite=Lax`])
    const cookie = `brand-preview=${token}`
    await world.ask(OFFER, at('atlas.example', { cookie }))
    expect(brandSeen()).toMatchObject({ brand: 'rivage.example', markupPercent: 7 })
    expect(titleOf((await world.ask('/', at('atlas.example'))).text)).toBe('Brand atlas.example')
    const left = await world.ask('/?preview=off', at('atlas.example', { cookie }))
    expect(titleOf(left.text)).toBe('Brand atlas.example')
    expect(left.cookies).toEqual(['brand-preview=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
  })

  test('of a token that is none is the brand of the host', async () => {
    for (const cookie of ['brand-preview=../x', 'brand-preview=', `brand-preview=${'A'.repeat(40)}`])
      expect(titleOf((await world.ask('/', at('atlas.example', { cookie }))).text)).toBe('Brand atlas.example')
  })
})

test('BMGR-03, R-72: a brand that was changed is shown by every gateway within a minute, without a restart and without the bus', async () => {
  const named = (name: string) => {
    world.stubs.brand.handlers['GET /internal/brands/changed.example'] = (_, response) =>
      response.json({ ...brandNamed('changed.example'), brand: { ...brandNamed('changed.example').brand, name } })
  }
  const gateways = [world.url, (await world.another()).url]
  const shown = () => Promise.all(gateways.map(async (url) => titleOf((await ask(url, '/', at('changed.example'))).text)))
  named('Before')
  expect(await shown()).toEqual(['Before', 'Before'])
  named('After')
  expect(await shown()).toEqual(['Before', 'Before'])
  const restore = replaceRuntime({ monotonic: () => performance.now() + 60_000 })
  try {
    expect(await shown()).toEqual(['After', 'After'])
  } finally {
    restore()
  }
})

describe('R-22: the page of the card fields', () => {
  const PATH = '/booking/card'
  const inMode = async (mode: 'test' | 'live', environment: Record<string, string>) => {
    world.stubs.brand.handlers['GET /api/system/mode'] = (_, response) => response.json({ isLiveMode: mode === 'live', mode })
    const { url, stop } = await world.another(environment)
    try {
      return await Promise.all(['/booking', PATH, PATH].map((path) => ask(url, path, at('atlas.example'))))
    } finally {
      await stop()
      world.stubs.brand.handlers['GET /api/system/mode'] = (_, response) => response.json({ isLiveMode: false, mode: 'test' })
    }
  }
  const KEY = { STRIPE_LIVE_PUBLISHABLE_KEY: 'pk_live_1' }
  const seen = ({ headers, text }: Awaited<ReturnType<typeof ask>>) => ({
    provider: /stripe|127\.0\.0\.1/.test(String(headers['content-security-policy'])),
    key: text.includes('pk_live_1'),
    frame: [headers['x-frame-options'], /frame-ancestors ([^;]+)/.exec(String(headers['content-security-policy']))?.[1]],
  })
  const OWN = ['SAMEORIGIN', "'self'"]

  test('lets the provider in and has the key in live mode, and every other page stays as it is', async () => {
    const [other, first, again] = await inMode('live', KEY)
    expect(other && seen(other)).toEqual({ provider: false, key: false, frame: ['DENY', "'none'"] })
    for (const one of [first, again]) expect(one && seen(one)).toEqual({ provider: true, key: true, frame: OWN })
    expect(first?.text).toContain('<script type="application/json" id="card-fields">{"publishableKey":"pk_live_1","script":null}</script>')
  })

  test('has nothing of the provider in test mode, nor without a key', async () => {
    for (const [mode, environment] of [
      ['test', KEY],
      ['live', {}],
    ] as const) {
      const answers = await inMode(mode, environment)
      expect(answers.map((one) => seen(one).provider || seen(one).key)).toEqual([false, false, false])
    }
  })

  test('takes the script from the address that is set', async () => {
    const [, page] = await inMode('live', { ...KEY, STRIPE_SCRIPT_URL: 'http://127.0.0.1:8192/endive/stripe.js' })
    expect(page?.headers['content-security-policy']).toContain('frame-src http://127.0.0.1:8192;')
    expect(page?.text).toContain('"script":"http://127.0.0.1:8192/endive/stripe.js"')
  })
})

describe('the page', () => {
  test('has the brand, and no script or style but those that its policy names', async () => {
    const answers = await Promise.all([1, 2].map(() => world.ask('/', at('atlas.example'))))
    expect(answers[0]?.text).toBe(answers[1]?.text)
    const policy = String(answers[0]?.headers['content-security-policy'])
    const style = /<style id="brand-css">([^<]+)<\/style>/.exec(answers[0]?.text ?? '')?.[1] ?? ''
    expect(policy).toContain(`'sha256-${hash('sha256', style, 'base64')}'`)
    expect(policy).toMatch(/script-src 'self';/)
    const other = await world.ask('/', at('aurora.example'))
    expect(other.headers['content-security-policy']).not.toContain('unsafe')
    expect(answers[0]).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', 'x-frame-options': 'DENY' },
    })
    expect(titleOf(answers[0]?.text ?? '')).toBe('Brand atlas.example')
    expect(answers[0]?.text).toContain('"name":"Brand atlas.example"')
    expect(answers[0]?.text).toMatch(/--brand:#/)
  })

  test('a logo of another host may be shown, and nothing else of it', async () => {
    const { brand, ...settings } = brandNamed('logo.example')
    world.stubs.brand.handlers['GET /internal/brands/logo.example'] = (_, response) =>
      response.json({ ...settings, brand: { ...brand, logo: 'https://cdn.example.org/logo.svg' } })
    const policy = String((await world.ask('/', at('logo.example'))).headers['content-security-policy'])
    expect(policy).toContain("img-src 'self' data: https://cdn.example.org;")
    expect(policy.split('cdn.example.org')).toHaveLength(2)
  })

  test('R-75: survives a brand whose stored values cannot be shown, with the default ones in their place', async () => {
    const { brand, ...settings } = brandNamed('old.example')
    world.stubs.brand.handlers['GET /internal/brands/old.example'] = (_, response) =>
      response.json({ ...settings, brand: { ...brand, theme: { primary: 'teal', background: null }, logo: 'https://', social: 'none' } })
    const answer = await world.ask('/', at('old.example'))
    expect([answer.status, titleOf(answer.text)]).toEqual([200, 'Brand old.example'])
    expect(answer.text).toMatch(/--brand:#0f766e/)
    expect(answer.text).not.toMatch(/NaN|undefined/)
  })

  test('is the answer for every address of the website, deep ones too', async () => {
    for (const path of ['/', '/search?origin=CDG', '/booking/oft_1', '/account-settings', '/no/such/page'])
      expect((await world.ask(path)).headers['content-type'], path).toContain('text/html')
    expect((await world.ask('/', { method: 'HEAD' })).status).toBe(200)
    expect((await world.ask('/', { method: 'POST' })).status).toBe(404)
  })

  test('never leaves as a bare file, however its name is written', async () => {
    for (const path of ['/index.html', '//index.html', '/./index.html', '/assets/../index.html', '/%69ndex.html', '/index.html?x=1']) {
      const answer = await world.ask(path)
      expect(answer.text, path).not.toContain('id="brand">null')
    }
    expect(await world.ask('/index.html')).toMatchObject({ status: 301, headers: { location: '/' } })
  })

  test('files are files, and one that is not there is not the page', async () => {
    expect(await world.ask('/robots.txt')).toMatchObject({ status: 200, text: 'User-agent: *\n' })
    for (const path of ['/assets/gone-1a2b3c.js', '/favicon.png', '/../package.json', '/..%2f..%2fpackage.json', '/.vite/manifest.json']) {
      const answer = await world.ask(path)
      expect(answer.status, path).toBeGreaterThanOrEqual(400)
      expect(answer.headers['content-type'], path).toContain('application/json')
    }
  })
})

describe('the brand of a request', () => {
  test('BRAND-02 to BRAND-06: comes from the host, and its markup with it', async () => {
    for (const [host, key] of [
      ['atlas.example', 'atlas.example'],
      ['www.fly.atlas.example', 'fly.atlas.example'],
      ['ATLAS.example:8080', 'atlas.example'],
      ['atlas.example.', 'atlas.example'],
    ] as const) {
      await world.ask(OFFER, at(host))
      expect(brandSeen(), host).toMatchObject({ brand: key, markupPercent: 10 })
    }
    await world.ask(OFFER, at('unknown.org'))
    expect(brandSeen()).toMatchObject({ brand: 'default', markupPercent: 23 })
  })

  test('BRAND-07: on localhost and addresses ?brand= decides, and a cookie carries it to the calls of the page', async () => {
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080']) {
      const page = await world.ask('/?brand=Aurora.example', at(host))
      expect(titleOf(page.text), host).toBe('Brand aurora.example')
      expect(page.cookies).toEqual(['brand=aurora.example; Path=/; SameSite=Lax'])
      await world.ask(OFFER, at(host, { cookie: 'brand=aurora.example' }))
      expect(brandSeen()).toMatchObject({ brand: 'aurora.example', markupPercent: 10 })
    }
    expect(titleOf((await world.ask('/', at('localhost'))).text)).toBe('Passerelle')
  })

  test('BRAND-08: on an ordinary host neither the address nor the cookie decides, and no cookie is set', async () => {
    const page = await world.ask('/?brand=aurora.example', at('atlas.example', { cookie: 'brand=aurora.example' }))
    expect(titleOf(page.text)).toBe('Brand atlas.example')
    expect(page.cookies).toEqual([])
    await world.ask(`${OFFER}?brand=aurora.example`, at('atlas.example', { cookie: 'brand=aurora.example' }))
    expect(brandSeen()?.brand).toBe('atlas.example')
  })

  test('a key that is none is the default one', async () => {
    for (const query of ['../../secret', '<script>', '%00', 'a b', `${'x'.repeat(300)}`, '']) {
      const page = await world.ask(`/?brand=${encodeURIComponent(query)}`, at('localhost'))
      expect([page.status, titleOf(page.text), page.cookies], query).toEqual([200, 'Passerelle', []])
    }
    expect((await world.ask('/?brand=a&brand=b', at('localhost'))).status).toBe(200)
  })
})

describe('the brand service', () => {
  const sells = [
    ['GET', OFFER, undefined],
    ['POST', '/api/payments/process-card', CARD_PAYMENT],
    ['POST', '/api/bookings', BOOKING],
  ] as const

  test('unavailable from the start: nothing is sold, pages and sign-in work', async () => {
    await world.stubs.brand.stop()
    try {
      const { url } = await world.another()
      for (const [method, path, json] of sells)
        expect(await ask(url, path, { method, json }), path).toMatchObject({
          status: 503,
          body: { error: 'UPSTREAM_UNAVAILABLE' },
          headers: { 'retry-after': '2' },
        })
      expect((await ask(url, '/api/auth/login', { method: 'POST', json: {} })).status).toBe(200)
      expect(titleOf((await ask(url, '/')).text)).toBe('Passerelle')
    } finally {
      await world.stubs.brand.start()
    }
  })

  test('unavailable or hanging later: brand, markup and mode keep their last values, and change again when it is back', async () => {
    const { url } = await world.another()
    const offer = () => ask(url, OFFER, at('atlas.example'))
    const mode = (name: 'test' | 'live') => {
      world.stubs.brand.handlers['GET /api/system/mode'] = (_, response) => response.json({ isLiveMode: name === 'live', mode: name })
    }
    mode('live')
    await offer()
    expect(brandSeen()).toMatchObject({ brand: 'atlas.example', markupPercent: 10, mode: 'live' })
    // Longer than the mode is taken for granted.
    const staleMs = 2100
    await world.stubs.brand.stop()
    await delay(staleMs)
    expect((await offer()).status).toBe(200)
    expect(brandSeen()).toMatchObject({ brand: 'atlas.example', markupPercent: 10, mode: 'live' })
    await world.stubs.brand.start()
    world.stubs.brand.handlers['GET /api/system/mode'] = () => undefined
    await delay(staleMs)
    expect((await offer()).status).toBe(200)
    expect(brandSeen()?.mode).toBe('live')
    mode('test')
    await delay(staleMs)
    await offer()
    expect(brandSeen()?.mode).toBe('test')
  })

  test('is asked once for many visitors of one host', async () => {
    world.stubs.brand.received = []
    const { url } = await world.another()
    await Promise.all(Array.from({ length: 30 }, () => ask(url, OFFER, at('atlas.example'))))
    expect(world.stubs.brand.received.filter((one) => one.path === '/internal/brands/atlas.example')).toHaveLength(1)
  })
})
