/** Accounts and brands through the gateway, with every service behind it. */
import type { AccountData, SessionInfo } from '@passerelle/contracts/http/account'
import type { Brand } from '@passerelle/contracts/http/brand'
import type { ManagedBrand } from '@passerelle/contracts/http/brand-manager'
import { delay } from '@passerelle/kit/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day } from './searches.fixture.ts'
import { type LocalSystem, localSystem, party, Visitor } from './test-visitor.fixture.ts'

let system: LocalSystem
beforeAll(async () => {
  system = await localSystem()
})
afterAll(async () => {
  await system.stop()
})

const PASSWORD = 'Blue-Suitcase-47-Runs'
const SEARCH = () => `origin=CDG&destination=LIS&departureDate=${day(50)}`

async function signIn(username: string, password = PASSWORD): Promise<Visitor> {
  const visitor = new Visitor(system.url)
  expect((await visitor.post('/api/auth/login', { username, password })).status).toBe(200)
  return visitor
}

async function registered(username: string): Promise<Visitor> {
  const account = { username, email: `${username}@example.org`, firstName: 'Ada', lastName: 'Moreau', password: PASSWORD }
  expect((await new Visitor(system.url).post('/api/auth/register', account)).status).toBe(201)
  return signIn(username)
}

async function eventually<T>(what: string, read: () => Promise<T | undefined | false>): Promise<T> {
  for (let i = 0; i < 400; i++) {
    const value = await read()
    if (value) return value
    await delay(50)
  }
  throw new Error(`${what} did not happen within 20 s`)
}

const mailTo = (address: string, subject: RegExp) =>
  eventually(`a mail to ${address}`, async () => {
    const ledger = (await (await fetch(`${system.mailbox}/_sim/ledger`)).json()) as {
      messages: { to: string[]; subject: string; text: string }[]
    }
    return ledger.messages.find((mail) => mail.to.includes(address) && subject.test(mail.subject))
  })
const isSignedIn = async (visitor: Visitor) => (await visitor.get('/api/auth/user')).status === 200

describe('an account', () => {
  test('R-60: whose password was forgotten is opened by the link of a mail, and every session ends at once', async () => {
    const ada = await registered('forgetful')
    expect(await isSignedIn(ada)).toBe(true)
    expect((await new Visitor(system.url).post('/api/auth/forgot-password', { email: 'forgetful@example.org' })).status).toBe(200)
    const { text } = await mailTo('forgetful@example.org', /new password/)
    const token = /\/set-password#([\w-]+)/.exec(text)?.[1]
    const newPassword = 'Green-Umbrella-12-Sings'
    expect((await new Visitor(system.url).post('/api/auth/set-password', { token, newPassword })).status).toBe(200)
    expect(await isSignedIn(ada)).toBe(false)
    expect(await isSignedIn(await signIn('forgetful', newPassword))).toBe(true)
  })

  test('ends a session elsewhere, and that one is over at once', async () => {
    const here = await registered('travelling')
    const elsewhere = await signIn('travelling')
    expect(await isSignedIn(elsewhere)).toBe(true)
    const { body } = await here.get<SessionInfo[]>('/api/auth/sessions')
    expect(body.map(({ current }) => current)).toEqual([true, false])
    expect((await here.call('DELETE', `/api/auth/sessions/${body[1]?.id}`)).status).toBe(200)
    expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([true, false])
  })

  test('has its bookings in the copy of its data; deleted, it leaves them to their reference', async () => {
    const ada = await registered('leaving')
    const offer = await ada.offer(SEARCH())
    const { paymentId } = (await ada.pay(offer)).body
    const booked = await ada.book(offer, { paymentId }, { passengers: party(offer) })
    expect(booked.status).toBe(201)
    const copy = await ada.get<AccountData>('/api/auth/export')
    expect(copy.headers.get('content-disposition')).toContain('my-data.json')
    expect(copy.body.bookings.map(({ id }) => id)).toEqual([booked.body.id])
    expect((await ada.post('/api/auth/delete-account', { password: 'wrong' })).status).toBe(400)
    const cookies = new Map(ada.cookies)
    expect((await ada.post('/api/auth/delete-account', { password: PASSWORD })).status).toBe(200)
    const old = new Visitor(system.url)
    old.cookies = cookies
    expect(await isSignedIn(old)).toBe(false)
    expect((await old.post('/api/auth/login', { username: 'leaving', password: PASSWORD })).status).toBe(401)
    const again = await registered('leaving')
    expect((await again.get<unknown[]>('/api/bookings')).body).toEqual([])
  })
})

test('BMGR-02, BMGR-03: a brand is made from nothing, previewed, published, sold under, written to, and deactivated', async () => {
  const admin = await signIn('admin', system.secrets.adminPassword)
  const created = await admin.post<ManagedBrand>('/api/admin/brands', { key: 'rivage.org', name: 'Rivage' })
  expect(created.status).toBe(201)
  const { domain: _, ...input } = created.body.brand
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script><rect width="9" height="9"/></svg>'
  const upload = await admin.call<{ logo: string }>('POST', '/api/admin/brands/rivage.org/logos', svg, { 'content-type': 'image/svg+xml' })
  expect(upload.status).toBe(201)
  const brand = { ...input, logo: upload.body.logo, contact: { ...input.contact, email: 'desk@rivage.org' } }
  const saved = await admin.call<ManagedBrand>('PUT', '/api/admin/brands/rivage.org/draft', { version: created.body.version, brand })
  expect(saved.status).toBe(200)
  expect((await admin.post<{ path: string }>('/api/admin/brands/rivage.org/preview', {})).body.path).toMatch(/^\/\?preview=[a-f0-9]{40}$/)
  const published = await admin.post<ManagedBrand>('/api/admin/brands/rivage.org/publish', { version: saved.body.version })
  expect(published.body).toMatchObject({ status: 'live', published: 1 })

  const visitor = new Visitor(system.url)
  visitor.cookies.set('brand', 'rivage.org')
  expect((await visitor.get<Brand>('/api/brands/rivage.org')).body).toMatchObject({ name: 'Rivage', logo: upload.body.logo })
  const logo = await fetch(system.url + upload.body.logo)
  expect([logo.status, logo.headers.get('content-type'), await logo.text()]).toEqual([
    200,
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"></rect></svg>',
  ])
  const offer = await visitor.offer(SEARCH())
  const { paymentId } = (await visitor.pay(offer)).body
  const booked = await visitor.book(offer, { paymentId }, { passengers: party(offer) })
  expect(booked.body.brand).toBe('rivage.org')
  const message = {
    firstName: 'Ada',
    lastName: 'Moreau',
    email: 'ada@example.org',
    inquiryType: 'booking',
    message: 'Hello',
    consent: true,
  }
  expect((await visitor.post('/api/contact', message)).status).toBe(201)
  expect((await mailTo('desk@rivage.org', /New message/)).text).toContain('Hello')

  const active = { version: published.body.version, active: false }
  expect((await admin.call('PUT', '/api/admin/brands/rivage.org/active', active)).status).toBe(200)
  expect((await visitor.get('/api/brands/rivage.org')).status).toBe(404)
})
