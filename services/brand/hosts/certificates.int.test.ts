/** The certificate of a brand's host, in front of a name server and an entrance on loopback. */
import type { HostAndSender } from '@passerelle/contracts/http/brand-host'
import type { ListedBrand } from '@passerelle/contracts/http/brand-manager'
import { type NameServer, startNameServer } from '@passerelle/simulators/dns/server'
import { makeCertificate } from '@passerelle/simulators/tls/certificate'
import { startTlsEntrance, type TlsEntrance } from '@passerelle/simulators/tls/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Answer, admin, openWorld, type World } from '../brand.fixture.ts'
import { hostConfig } from './parts.ts'

let dns: NameServer
let edge: TlsEntrance
let world: World
beforeAll(async () => {
  dns = await startNameServer()
  edge = await startTlsEntrance()
  world = await openWorld({
    DNS_SERVERS: dns.address,
    HOST_TARGET: 'edge.passerelle.org',
    HOST_ADDRESSES: '192.0.2.44',
    HOST_TLS_ADDRESS: edge.address,
  })
})
afterAll(async () => {
  await world.stop()
  await dns.stop()
  await edge.stop()
})
beforeEach(() => {
  dns.zone = {}
  edge.certificates = {}
  edge.asked = []
})

const call = (method: string, path: string, json?: unknown) =>
  world.call(`/api/admin/brands${path}`, { method, ...(json !== undefined && { json }) }, admin())
const answers = ({ body }: Answer) => (body as unknown as HostAndSender).host?.certificates.map(({ answers: answer }) => answer)
const shown = async (key: string) => answers(await call('GET', `/${key}/host`))
const check = async (key: string) => answers(await call('POST', `/${key}/host/check`, {}))
const listed = async (key: string) => ((await call('GET', '')).body as unknown as ListedBrand[]).find((brand) => brand.key === key)?.host
const right = async (key: string) => {
  const { host } = (await call('GET', `/${key}/host`)).body as unknown as HostAndSender
  dns.zone = {
    [`_passerelle.${key}`]: { TXT: [host?.records[0]?.value ?? ''] },
    [key]: { A: ['192.0.2.44'] },
    [`www.${key}`]: { CNAME: ['edge.passerelle.org'] },
  }
}

describe('the certificate of a host', () => {
  const key = 'etoile.org'
  const from = new Date('2026-01-01T00:00:00.000Z')
  const to = new Date('2049-02-09T10:00:00.000Z')

  test('is not asked for before the host is proved', async () => {
    await call('POST', '', { key, name: 'Étoile' })
    edge.certificates = { [key]: makeCertificate([key], from, to) }
    expect(await check(key)).toEqual([null, null])
    expect(edge.asked).toEqual([])
    expect((await listed(key))?.certificate).toBeNull()
  })

  test('is shown with its end, that of www beside it', async () => {
    await right(key)
    edge.certificates = { [key]: makeCertificate([key], from, to) }
    // Signed by itself: whether an authority has signed it is shown in certificates.test.ts.
    const seen = { state: 'untrusted', endsAt: to.toISOString() }
    expect(await check(key)).toEqual([seen, { state: 'none', endsAt: null }])
    expect(edge.asked.toSorted()).toEqual([key, `www.${key}`])
    expect((await listed(key))?.certificate).toEqual(seen)
    edge.certificates = { [key]: makeCertificate(['other.org'], from, to) }
    expect((await check(key))?.[0]).toEqual({ ...seen, state: 'other-name' })
    edge.certificates = { [key]: makeCertificate([key], new Date(0), from) }
    expect((await check(key))?.[0]).toEqual({ state: 'ended', endsAt: from.toISOString() })
  })

  test('stays what it was when the host is not proved any more, and ends by itself', async () => {
    expect((await check(key))?.[0]).toEqual({ state: 'ended', endsAt: from.toISOString() })
    const certificates = [{ host: key, state: 'valid', endsAt: from.toISOString() }]
    await world.mongo.collection('hosts').updateOne({ _id: key as never }, { $set: { certificates } })
    expect((await shown(key))?.[0]).toEqual({ state: 'ended', endsAt: from.toISOString() })
    expect(edge.asked).toEqual([])
  })

  test('is looked at again in ten minutes while none is valid, though the records are right', async () => {
    await right(key)
    await check(key)
    const kept = await world.mongo.collection('hosts').findOne({ _id: key as never })
    expect(kept?.nextAt.getTime() - kept?.lookedAt.getTime()).toBe(600_000)
  })

  test('is not known of a document of the release before', async () => {
    await world.mongo.collection('hosts').updateOne({ _id: key as never }, { $unset: { certificates: '' } })
    expect(await shown(key)).toEqual([null, null])
    expect(await listed(key)).toMatchObject({ proved: true, certificate: null })
  })
})

test.each(['edge', 'edge:0', 'edge:70000', 'https://edge:443', 'a b:443'])('HOST_TLS_ADDRESS cannot be %s', (address) => {
  expect(z.object(hostConfig).safeParse({ HOST_TLS_ADDRESS: address }).success).toBe(false)
})
