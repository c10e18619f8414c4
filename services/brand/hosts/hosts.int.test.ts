/** A brand's host in front of a name server that has no, wrong and right records, and what a proxy in front is told of it. */
import type { HostAndSender } from '@passerelle/contracts/http/brand-host'
import type { ListedBrand, ManagedBrand } from '@passerelle/contracts/http/brand-manager'
import { type NameServer, startNameServer } from '@passerelle/simulators/dns/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, admin, eventually, openWorld, type World } from '../brand.fixture.ts'
import { nameServers } from './name-servers.ts'

let dns: NameServer
let world: World
beforeAll(async () => {
  dns = await startNameServer()
  world = await openWorld({
    DNS_SERVERS: dns.address,
    PUBLIC_URL: 'https://flights.passerelle.org',
    HOST_TARGET: 'edge.passerelle.org',
    HOST_ADDRESSES: '192.0.2.44, 2001:DB8:44:0::10',
    // Nobody listens there.
    HOST_TLS_ADDRESS: '127.0.0.1:9',
  })
})
afterAll(async () => {
  await world.stop()
  await dns.stop()
})
beforeEach(() => {
  dns.state = 'answers'
  dns.zone = {}
})

const call = (method: string, path: string, json?: unknown, caller = admin()) =>
  world.call(`/api/admin/brands${path}`, { method, ...(json !== undefined && { json }) }, caller)
const seen = ({ body }: Answer) => body as unknown as HostAndSender
const check = async (key: string) => seen(await call('POST', `/${key}/host/check`, {}))
const create = async (key: string) => (await call('POST', '', { key, name: 'Rivage' })).body as unknown as ManagedBrand
const publish = async ({ key, version }: ManagedBrand) =>
  (await call('POST', `/${key}/publish`, { version })).body as unknown as ManagedBrand
const token = async (key: string) => seen(await call('GET', `/${key}/host`)).host?.records[0]?.value ?? ''
const states = ({ host }: HostAndSender) => host?.records.map(({ type, state }) => `${type} ${state}`)
const listed = async (key: string) => ((await call('GET', '')).body as unknown as ListedBrand[]).find((brand) => brand.key === key)
/** As a proxy asks: without a token. */
const ask = async (query: string) => (await fetch(`${world.service.url}/internal/edge/certificate?${query}`)).status
const right = async (key: string) => {
  dns.zone = {
    [`_passerelle.${key}`]: { TXT: [await token(key)] },
    [key]: { A: ['192.0.2.44'], AAAA: ['2001:db8:44::10'] },
    [`www.${key}`]: { CNAME: ['edge.passerelle.org'] },
  }
}

describe('the records of a host', () => {
  test('are shown before anybody has looked, and are missing while there are none', async () => {
    await create('rivage.org')
    const shown = seen(await call('GET', '/rivage.org/host'))
    expect(shown.host).toMatchObject({ host: 'rivage.org', proved: false, lookedAt: null })
    expect(shown.host?.records).toEqual([
      expect.objectContaining({
        type: 'TXT',
        name: '_passerelle.rivage.org',
        value: expect.stringMatching(/^passerelle-host=[0-9a-f]{24}$/),
      }),
      expect.objectContaining({ type: 'A', name: 'rivage.org', value: '192.0.2.44', state: 'unknown' }),
      expect.objectContaining({ type: 'AAAA', name: 'rivage.org', value: '2001:db8:44::10' }),
      expect.objectContaining({ type: 'CNAME', name: 'www.rivage.org', value: 'edge.passerelle.org' }),
    ])
    const looked = await check('rivage.org')
    expect(states(looked)).toEqual(['TXT missing', 'A missing', 'AAAA missing', 'CNAME missing'])
    expect(Date.parse(looked.host?.lookedAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect(looked.host).toMatchObject({ proved: false, certificates: [{ state: 'waiting' }, { state: 'waiting' }] })
  })

  test('are wrong with what was found in their place', async () => {
    dns.zone = {
      '_passerelle.rivage.org': { TXT: ['v=other', `passerelle-host=${'0'.repeat(24)}`] },
      'rivage.org': { A: ['192.0.2.44', '198.51.100.7'], AAAA: ['2001:db8:9::1'] },
      'www.rivage.org': { CNAME: ['shops.example.net'] },
    }
    const { host } = await check('rivage.org')
    expect(host?.records.map(({ state, found }) => [state, found])).toEqual([
      ['wrong', [`passerelle-host=${'0'.repeat(24)}`]],
      ['wrong', ['198.51.100.7']],
      ['wrong', ['2001:db8:9::1']],
      ['wrong', ['shops.example.net']],
    ])
    expect(host?.proved).toBe(false)
  })

  test('prove the host when they are right, and not any more when they are taken away', async () => {
    await right('rivage.org')
    const proved = await check('rivage.org')
    expect(states(proved)).toEqual(['TXT right', 'A right', 'AAAA right', 'CNAME right'])
    expect(proved.host).toMatchObject({ proved: true, certificates: [{ state: 'unpublished' }, { state: 'unpublished' }] })
    expect((await listed('rivage.org'))?.host).toMatchObject({ looked: true, proved: true, toMend: 0 })
    delete dns.zone['_passerelle.rivage.org']
    expect((await check('rivage.org')).host?.proved).toBe(false)
    expect((await listed('rivage.org'))?.host).toMatchObject({ looked: true, proved: false, toMend: 1 })
  })

  test('stay what they were while the name server is silent or fails', async () => {
    await right('rivage.org')
    await check('rivage.org')
    for (const state of ['silent', 'failing'] as const) {
      dns.state = state
      expect((await check('rivage.org')).host?.proved).toBe(true)
    }
  }, 30_000)

  test('of a host below a domain are one alias, which may be addresses in its place', async () => {
    await create('flights.rivage.org')
    const value = await token('flights.rivage.org')
    for (const [zone, state] of [
      [{ CNAME: ['Edge.Passerelle.org'] }, 'right'],
      [{ A: ['192.0.2.44'] }, 'right'],
      [{ A: ['198.51.100.7'] }, 'wrong'],
    ] as const) {
      dns.zone = { '_passerelle.flights.rivage.org': { TXT: [value] }, 'flights.rivage.org': zone }
      expect(states(await check('flights.rivage.org'))).toEqual(['TXT right', `CNAME ${state}`])
    }
  })

  test('are looked at again without anybody asking', async () => {
    await create('again.org')
    await right('again.org')
    await world.mongo.collection('hosts').updateOne({ _id: 'again.org' as never }, { $set: { nextAt: new Date(0) } })
    await eventually('the look', async () => seen(await call('GET', '/again.org/host')).host?.proved)
  })

  test('hostile ones are shown as plain short text', async () => {
    dns.zone = { '_passerelle.rivage.org': { TXT: [`passerelle-host=\u0007<script>\u001b[31m${'x'.repeat(400)}`] } }
    const [found = ''] = (await check('rivage.org')).host?.records[0]?.found ?? []
    expect(found).toMatch(/^passerelle-host=\?<script>\?\[31mx+$/)
    expect(found.length).toBeLessThanOrEqual(120)
  })
})

test('a question that nobody answers ends with its deadline', async () => {
  dns.state = 'silent'
  const records = await nameServers([dns.address], 100).look([{ purpose: 'ownership', type: 'TXT', name: 'rivage.org', value: 'x' }], {
    name: 'edge.passerelle.org',
    addresses: [],
  })
  expect(records).toMatchObject([{ state: 'unknown', found: [] }])
})

test('a proxy in front is told yes for the proved hosts of published brands alone', async () => {
  const yes = 200
  const no = 404
  const draft = await create('voile.org')
  expect(await ask('domain=voile.org'), 'draft').toBe(no)
  await right('voile.org')
  await check('voile.org')
  expect(await ask('domain=voile.org'), 'proved draft').toBe(no)
  const live = await publish(draft)
  expect(await ask('domain=voile.org'), 'proved and published').toBe(yes)
  expect(await ask('domain=VOILE.org'), 'in capitals').toBe(yes)
  expect(await ask('domain=www.voile.org'), 'www with its record').toBe(yes)
  delete dns.zone['www.voile.org']
  await check('voile.org')
  expect(await ask('domain=www.voile.org'), 'www without its record').toBe(no)
  const off = (await call('PUT', '/voile.org/active', { version: live.version, active: false })).body as unknown as ManagedBrand
  expect(await ask('domain=voile.org'), 'deactivated').toBe(no)
  await call('PUT', '/voile.org/active', { version: off.version, active: true })
  expect(await ask('domain=voile.org'), 'served again').toBe(yes)
  dns.zone = {}
  await check('voile.org')
  expect(await ask('domain=voile.org'), 'records taken away').toBe(no)
  await publish(await create('unproved.org'))
  expect(await ask('domain=unproved.org'), 'published and not proved').toBe(no)
  for (const host of [
    'unknown.org',
    'default',
    'localhost',
    '127.0.0.1',
    '[::1]',
    'atlas.example',
    'flights.passerelle.org',
    'www.default',
  ])
    expect(await ask(`domain=${encodeURIComponent(host)}`), host).toBe(no)
  for (const host of [
    '*.voile.org',
    'voile.org.',
    'voile.org:443',
    'voile.org/x',
    'a b',
    '%00',
    '$where',
    '\u0000',
    '../x',
    'x'.repeat(255),
  ])
    expect(await ask(`domain=${encodeURIComponent(host)}`), host).toBe(no)
  for (const query of ['', 'domain=', `domain=${'x'.repeat(256)}`, 'domain=a&domain=b', 'domain[$ne]=x'])
    expect(await ask(query), query).toBe(400)
})

test.each(['flights.passerelle.org', 'edge.passerelle.org'])('a brand cannot have the installation’s own host %s', async (key) =>
  expect(await call('POST', '', { key, name: 'X' })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'key', message: 'This host is the installation’s own' }] },
  }),
)

test('a brand may have a host in another script, and has it once', async () => {
  expect((await call('POST', '', { key: 'xn--flge-1ra.org', name: 'X' })).status).toBe(201)
  expect((await call('POST', '', { key: 'XN--FLGE-1RA.org', name: 'X' })).status).toBe(409)
  for (const key of ['192.0.2.44', '2001:db8::1', '1.2.3']) expect((await call('POST', '', { key, name: 'X' })).status, key).toBe(400)
})
