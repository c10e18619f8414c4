/** The whole system while its identity service is away, and what follows when it is back. */

import { allContracts } from '@passerelle/contracts/http/all'
import type { Booking } from '@passerelle/contracts/http/booking'
import type { Route } from '@passerelle/contracts/route'
import { identity } from '@passerelle/identity/service'
import { type RunningService, start } from '@passerelle/kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environmentOf, type LocalSystem as Settings } from './environment.ts'
import { eventually, type LocalSystem, ledger, localSystem, type Mailbox, party, testCard, Visitor } from './test-visitor.fixture.ts'

const NAMESPACE = `t${Math.random().toString(36).slice(2, 8)}-`
let system: LocalSystem
let returned: RunningService | undefined
beforeAll(async () => {
  system = await localSystem({ NAMESPACE })
})
afterAll(async () => {
  await returned?.stop()
  await system.stop()
})

const search = (ahead: number) =>
  `origin=CDG&destination=LIS&departureDate=${new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)}`
const urlOf = (name: string) => system.services.find((service) => service.name === name)?.url ?? ''

/** The same service at the same address, as a platform would start it again. */
function startAgain(): Promise<RunningService> {
  const addresses = Object.fromEntries(system.services.map(({ name, url }) => [name, url])) as Settings['addresses']
  const { secrets, backbone, suppliers } = system
  const settings: Settings = {
    given: { LOG_LEVEL: 'silent', NAMESPACE },
    secrets,
    backbone,
    suppliers,
    addresses,
    publicUrl: 'http://localhost:8080',
  }
  return start(identity, { ...environmentOf('identity', settings), PORT: new URL(urlOf('identity')).port })
}

test('EVT-09: search and a guest’s booking work, no account is made, and it follows by event with the first booking in it', async () => {
  await system.services.find((service) => service.name === 'identity')?.stop()
  const ines = new Visitor(system.url)
  const offer = await ines.offer(search(40))
  const passengers = party(offer)
  const email = String(passengers[0]?.email)
  const paid = await ines.pay(offer)
  expect(paid).toMatchObject({ status: 200, body: { success: true } })
  const booked = await ines.book(offer, { paymentId: paid.body.paymentId }, { passengers })
  expect(booked).toMatchObject({ status: 201, body: { status: 'confirmed', accountCreated: false, accountInfo: null } })
  expect([...ines.cookies.keys()]).toEqual([])
  expect(await ines.post('/api/auth/login', { username: 'a', password: 'b' })).toMatchObject({
    status: 503,
    body: { error: 'UPSTREAM_UNAVAILABLE', message: expect.any(String), requestId: expect.any(String) },
  })
  expect((await ines.get('/api/system/mode')).status).toBe(200)

  returned = await startAgain()
  const welcome = await eventually(
    'the welcome',
    async () =>
      (await ledger<Mailbox>(system.mailbox)).messages.find((mail) => mail.to.includes(email) && mail.subject.startsWith('Your account')),
    40,
  )
  const token = /set-password#([\w-]+)/.exec(welcome.text)?.[1]
  expect((await ines.post('/api/auth/set-password', { token, newPassword: 'Chosen-By-Me-12' })).status).toBe(200)
  expect((await ines.post('/api/auth/login', { username: email, password: 'Chosen-By-Me-12' })).status).toBe(200)
  const trips = await eventually('the trip', async () => {
    const { body } = await ines.get<Booking[]>('/api/bookings')
    return body.length > 0 && body
  })
  expect(trips.map((trip) => trip.id)).toEqual([booked.body.id])
}, 90_000)

test('API-11: a body of more than 32 KiB is refused by every call that takes one', async () => {
  const large = { offerId: 'x'.repeat(40_000), username: 'x', password: 'x' }
  for (const path of ['/api/payments/process-card', '/api/bookings', '/api/bookings/retrieve', '/api/auth/login', '/api/auth/register'])
    expect(await new Visitor(system.url).post(path, large), path).toMatchObject({ status: 413, body: { error: 'BODY_TOO_LARGE' } })
  expect((await new Visitor(system.url).post('/api/auth/login', { username: 'x', password: 'x' })).status).toBe(401)
})

test('no answer may be kept unless its row says for how long', async () => {
  const ines = new Visitor(system.url)
  const offer = await ines.offer(search(41))
  await ines.book(offer, { cardDetails: testCard })
  const [trip] = (await ines.get<Booking[]>('/api/bookings')).body
  const rows = allContracts.flatMap(({ routes }) => Object.values(routes)) as Route[]
  const reads = rows.filter((route) => route.method === 'GET' && route.access !== 'internal')
  expect(reads.length).toBeGreaterThan(8)
  for (const route of reads) {
    const id = route.path.startsWith('/api/bookings') ? trip?.id : offer.id
    const path = route.path.replace(':brandKey', 'default').replace(/:\w+/, id ?? '')
    const answer = await ines.get(route.path === '/api/flights/search' ? `${path}?${search(41)}` : path)
    const expected = route.cacheSeconds && answer.status === 200 ? `public, max-age=${route.cacheSeconds}` : 'no-store'
    expect(answer.headers.get('cache-control'), `${path} ${answer.status}`).toBe(expected)
  }
})
