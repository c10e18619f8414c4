/** Whom a brand's mails come from: set by its administrators, proved by whoever reads the address. */
import type { HostAndSender } from '@passerelle/contracts/http/brand-host'
import { type NameServer, startNameServer } from '@passerelle/simulators/dns/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, admin, eventually, openWorld, type World } from '../brand.fixture.ts'

const KEY = 'rivage.org'
const FROM = { fromName: 'Rivage Voyages', fromAddress: 'hello@rivage.org', replyTo: 'answers@rivage.org' }

let dns: NameServer
let world: World
beforeAll(async () => {
  dns = await startNameServer()
  world = await openWorld({
    DNS_SERVERS: dns.address,
    MAIL_FROM: 'no-reply@passerelle.org',
    MAIL_SPF_INCLUDE: '_spf.passerelle.org',
    MAIL_DKIM_HOST: 'pass1._domainkey.passerelle.org',
  })
  const { body } = await call('POST', '', { key: KEY, name: 'Rivage' })
  await call('POST', `/${KEY}/publish`, { version: (body as unknown as { version: number }).version })
})
afterAll(async () => {
  await world.stop()
  await dns.stop()
})

const call = (method: string, path: string, json?: unknown, caller = admin()) =>
  world.call(`/api/admin/brands${path}`, { method, ...(json !== undefined && { json }) }, caller)
const senderIn = ({ body }: Answer) => (body as unknown as HostAndSender).sender
const sender = async (key = KEY) => senderIn(await call('GET', `/${key}/host`))
const save = (change: object) => call('PUT', `/${KEY}/sender`, { ...FROM, ...change })
const prove = (token: string) => world.call('/api/brands/sender/prove', { json: { token } }, {})
const linksTo = async (address: string) =>
  (await world.mails()).filter(({ to }) => to.includes(address)).flatMap(({ text }) => /confirm-sender#([\w-]+)/.exec(text)?.[1] ?? [])
/** `old`: a link from before the one that is waited for. */
const linkTo = (address: string, old?: string) =>
  eventually(`a link to ${address}`, async () => (await linksTo(address)).find((link) => link !== old))
const settings = async () =>
  ((await world.call(`/internal/brands/${KEY}`)).body as unknown as { version: number; sender: object }) ?? undefined
/** The acknowledgement that a visitor of the brand gets. */
async function acknowledged(email: string) {
  const json = { fullName: 'Ada Moreau', email, subject: 'Bags', message: 'May I?' }
  expect((await world.call('/api/support', { json }, { brand: KEY })).status).toBe(201)
  return eventually('the acknowledgement', async () => (await world.mails()).find(({ to }) => to.includes(email)))
}
test('without a sender of its own a brand’s mails come from the installation’s address, with its name', async () => {
  expect(await sender()).toMatchObject({
    fromName: 'Rivage',
    fromAddress: '',
    proved: false,
    usedAddress: 'no-reply@passerelle.org',
    link: null,
  })
  expect((await acknowledged('first@example.org')).from).toEqual({ name: 'Rivage', address: 'no-reply@passerelle.org' })
})

test('an address is used once its link was opened, which works once', async () => {
  const before = await settings()
  const saved = senderIn(await save({}))
  expect(saved).toMatchObject({ ...FROM, proved: false, usedAddress: 'no-reply@passerelle.org' })
  expect((await settings()).sender).toEqual({ name: 'Rivage Voyages', address: null, replyTo: null })
  const token = await linkTo(FROM.fromAddress)
  const { link } = await sender()
  expect(Date.parse(link?.expiresAt ?? '') - Date.parse(link?.sentAt ?? '')).toBe(86_400_000)
  expect((await acknowledged('second@example.org')).from).toEqual({ name: 'Rivage Voyages', address: 'no-reply@passerelle.org' })

  expect(await prove('x'.repeat(43))).toMatchObject({ status: 410, body: { error: 'LINK_INVALID' } })
  expect(await prove(token)).toMatchObject({ status: 200 })
  expect(await prove(token)).toMatchObject({ status: 410, body: { error: 'LINK_INVALID' } })
  expect(await sender()).toMatchObject({ proved: true, usedAddress: FROM.fromAddress, link: null })
  const after = await settings()
  expect(after.sender).toEqual({ name: 'Rivage Voyages', address: FROM.fromAddress, replyTo: FROM.replyTo })
  expect(after.version, 'consumers are told of both changes').toBe(before.version + 2)
  const mail = await acknowledged('third@example.org')
  expect(mail.from).toEqual({ name: 'Rivage Voyages', address: FROM.fromAddress })
  expect((await world.headers('third@example.org'))['reply-to']).toBe(FROM.replyTo)
  expect((await call('POST', `/${KEY}/sender/link`, {})).body).toMatchObject({ error: 'BRAND_STATE' })
})

test('while another address waits for its proof mails come from the one that was proved', async () => {
  await save({ fromAddress: 'new@rivage.org' })
  expect(await sender()).toMatchObject({ fromAddress: 'new@rivage.org', proved: false, usedAddress: FROM.fromAddress })
  const outdated = await linkTo('new@rivage.org')
  await save({ fromAddress: 'newer@rivage.org' })
  expect((await prove(outdated)).status, 'the address is not the brand’s any more').toBe(410)
  await save({ fromAddress: '' })
  expect(await sender()).toMatchObject({ proved: false, usedAddress: 'no-reply@passerelle.org' })
  expect((await call('POST', `/${KEY}/sender/link`, {})).body).toMatchObject({ error: 'BRAND_STATE' })
})

test('a link of yesterday is refused, and another one can be asked for', async () => {
  await save({ fromAddress: 'late@rivage.org' })
  const old = await linkTo('late@rivage.org')
  await world.mongo.collection('senderLinks').updateMany({}, { $set: { expiresAt: new Date(Date.now() - 1000) } })
  expect(await prove(old)).toMatchObject({ status: 410, body: { error: 'LINK_INVALID' } })
  expect((await sender()).link).toBeNull()
  expect((await call('POST', `/${KEY}/sender/link`, {})).status).toBe(200)
  expect((await prove(await linkTo('late@rivage.org', old))).status).toBe(200)
  expect((await sender()).proved).toBe(true)
})

test('of two who open a link at once one proves the address', async () => {
  await save({ fromAddress: 'both@rivage.org' })
  const token = await linkTo('both@rivage.org')
  expect((await Promise.all([prove(token), prove(token)])).map(({ status }) => status).sort()).toEqual([200, 410])
})

test('the secret of a link is kept nowhere', async () => {
  await save({ fromAddress: 'secret@rivage.org' })
  const token = await linkTo('secret@rivage.org')
  const collections = await world.mongo.listCollections()
  for (const { name } of collections) expect(JSON.stringify(await world.mongo.collection(name).find().toArray()), name).not.toContain(token)
  expect(world.lines.join()).not.toContain(token)
})

test.each([
  { fromName: 'A\r\nBcc: x@example.org' },
  { fromName: '' },
  { fromName: 'A\u202eB' },
  { fromName: 'x'.repeat(81) },
  { fromAddress: 'a@b.org\nBcc: x@example.org' },
  { fromAddress: 'a@b.org, c@d.org' },
  { fromAddress: '<a@b.org>' },
  { fromAddress: 'nobody' },
  { replyTo: 'a@b.org\r\nX: y' },
  { replyTo: 'A <a@b.org>' },
])('%j is refused', async (change) => {
  const before = await sender()
  expect(await save(change)).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
  expect(await sender()).toEqual(before)
})

test('a name with the marks of a header is a name', async () => {
  await save({ fromName: 'Rivage "<x@example.org>", Voyages', fromAddress: '' })
  const mail = await acknowledged('marks@example.org')
  expect(mail.from).toEqual({ name: 'Rivage "<x@example.org>", Voyages', address: 'no-reply@passerelle.org' })
})

test('stored values that a mail must not have are as good as none', async () => {
  const stored = { fromName: 'A\r\nBcc: x@example.org', fromAddress: 'a@b.org', replyTo: '', proved: 'a@b.org' }
  await world.mongo.collection('brands').updateOne({ _id: KEY as never }, { $set: { sender: stored } })
  expect((await settings()).sender).toEqual({ name: 'Rivage', address: null, replyTo: null })
  await world.mongo
    .collection('brands')
    .updateOne({ _id: KEY as never }, { $set: { sender: { ...FROM, proved: 'a@b.org\r\nBcc: c@d.org' } } })
  expect((await settings()).sender).toMatchObject({ address: null, replyTo: null })
})

test('SPF and DKIM are missing, wrong and right', async () => {
  await save({ fromAddress: 'hello@rivage.org' })
  const check = async () =>
    senderIn(await call('POST', `/${KEY}/host/check`, {})).records.map(({ purpose, state }) => `${purpose} ${state}`)
  expect((await sender()).records).toEqual([
    expect.objectContaining({ type: 'TXT', name: 'rivage.org', value: 'v=spf1 include:_spf.passerelle.org ~all', state: 'unknown' }),
    expect.objectContaining({ type: 'CNAME', name: 'pass1._domainkey.rivage.org', value: 'pass1._domainkey.passerelle.org' }),
  ])
  expect(await check()).toEqual(['spf missing', 'dkim missing'])
  dns.zone = { 'rivage.org': { TXT: ['v=spf1 mx -all', 'other'] }, 'pass1._domainkey.rivage.org': { CNAME: ['x.example.net'] } }
  expect(await check()).toEqual(['spf wrong', 'dkim wrong'])
  dns.zone = {
    'rivage.org': { TXT: ['other', 'v=spf1 mx include:_spf.passerelle.org -all'] },
    'pass1._domainkey.rivage.org': { CNAME: ['pass1._domainkey.passerelle.org'] },
  }
  expect(await check()).toEqual(['spf right', 'dkim right'])
  dns.zone['rivage.org'] = { TXT: ['v=spf1 include:_spf.passerelle.org ~all', 'v=spf1 mx -all'] }
  expect((await check())[0], 'two of them are none').toBe('spf wrong')
})

test('staff of one brand sees and changes its own sender and host alone', async () => {
  const staff = (brand: string) => ({ userId: 'usr_2', staffOf: [brand] })
  const calls: [string, string, unknown?][] = [
    ['GET', '/host'],
    ['POST', '/host/check', {}],
    ['PUT', '/sender', FROM],
    ['POST', '/sender/link', {}],
  ]
  const before = await sender()
  for (const [method, path, json] of calls) {
    expect((await call(method, `/${KEY}${path}`, json, staff('atlas.example'))).status, path).toBe(404)
    expect((await call(method, `/${KEY}${path}`, json, { userId: 'usr_3' })).status, path).toBe(403)
    expect((await call(method, `/${KEY}${path}`, json, {})).status, path).toBe(401)
  }
  expect(await sender()).toEqual(before)
  expect((await call('PUT', `/${KEY}/sender`, { ...FROM, fromName: 'Own' }, staff(KEY))).body).toMatchObject({
    sender: { fromName: 'Own' },
  })
})

test('the brands of a system for trying have proved senders of their own', async () => {
  for (const [key, address] of [
    ['default', 'bookings@passerelle.example'],
    ['atlas.example', 'voyages@atlas.example'],
    ['aurora.example', 'hello@aurora.example'],
  ] as const)
    expect(await sender(key), key).toMatchObject({ fromAddress: address, proved: true, usedAddress: address })
})

test('what was done with a sender is recorded, also by the link', async () => {
  const { body } = await world.call(`/api/admin/audit?subject=${KEY}&limit=100`, {}, admin())
  const { entries } = body as unknown as { entries: { action: string; actor: string; to: string }[] }
  expect(entries).toContainEqual(expect.objectContaining({ action: 'brand-sender-proved', actor: 'link', to: FROM.fromAddress }))
  expect(new Set(entries.map(({ action }) => action))).toEqual(
    new Set(['brand-created', 'brand-published', 'brand-sender', 'brand-sender-link', 'brand-sender-proved']),
  )
})
