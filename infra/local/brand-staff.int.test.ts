/** Staff of one brand: every administrator's row of the contracts, asked for what is theirs and for what is another brand's. */
import { addressOf } from '@passerelle/contracts/client'
import { allContracts } from '@passerelle/contracts/http/all'
import type { Route } from '@passerelle/contracts/route'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day } from './searches.fixture.ts'
import { type Answer, eventually, type LocalSystem, ledger, localSystem, type Mailbox, party, Visitor } from './test-visitor.fixture.ts'

const OWN = 'atlas.example'
const OTHER = 'aurora.example'
const PASSWORD = 'Blue-Suitcase-47-Runs'

const rows = allContracts.flatMap(({ routes }) =>
  Object.entries(routes)
    .map(([name, route]) => ({ name, route: route as Route }))
    .filter(({ route }) => route.access === 'admin'),
)
const forAll = rows.filter(({ route }) => !route.byBrand)
const byBrand = rows.filter(({ route }) => route.byBrand)
/** Of one thing: a brand, a booking or a message. */
const ofOne = byBrand.filter(({ route }) => route.params)
const lists = byBrand.filter(({ route }) => !route.params)

type Things = { brandKey: string; booking: string; reference: string; message: string }

let system: LocalSystem
let admin: Visitor
let staff: Visitor
let own: Things
let other: Things
let staffId: string

/** What visitors of a brand leave behind. */
async function visited(brandKey: string): Promise<Things> {
  const visitor = await new Visitor(system.url).known()
  const offer = await visitor.offer(`origin=CDG&destination=LIS&departureDate=${day(40)}&brand=${brandKey}`)
  const on = `?brand=${brandKey}`
  const paid = await visitor.post<{ paymentId: string }>(
    `/api/payments/process-card${on}`,
    {
      amount: offer.price.total,
      currency: offer.price.currency,
      cardDetails: { number: '4242424242424242', expiryMonth: '12', expiryYear: '34', cvv: '123', holderName: 'Ines Moreau' },
      offerId: offer.id,
    },
    { 'idempotency-key': crypto.randomUUID() },
  )
  const booked = await visitor.post<{ id: string; bookingReference: string; brand: string }>(`/api/bookings${on}`, {
    offerId: offer.id,
    passengers: party(offer),
    paymentDetails: { amount: offer.price.total, currency: offer.price.currency, paymentId: paid.body.paymentId },
  })
  expect(booked.status, JSON.stringify(booked.body)).toBe(201)
  expect(booked.body.brand).toBe(brandKey)
  const sent = { fullName: 'Ada Moreau', email: `ada@${brandKey}`, subject: `Bags of ${brandKey}`, message: 'May I?' }
  expect((await visitor.post(`/api/support${on}`, sent)).status).toBe(201)
  const found = await admin.get<{ messages: { id: string }[] }>(`/api/admin/messages?brandKey=${brandKey}`)
  return { brandKey, booking: booked.body.id, reference: booked.body.bookingReference, message: found.body.messages[0]?.id ?? '' }
}

/** Something in every audit. */
async function changed({ brandKey, booking, message }: Things): Promise<void> {
  const proof = await admin.post('/api/admin/login', { password: system.secrets.adminPassword })
  expect(proof.status).toBe(200)
  expect((await admin.call('PUT', `/api/admin/markups/${brandKey}`, { markupPercent: 11 })).status).toBe(200)
  expect((await admin.call('PUT', `/api/admin/messages/${message}/state`, { state: 'answered' })).status).toBe(200)
  expect((await admin.post(`/api/admin/bookings/${booking}/retry`)).status).toBe(409)
}

function ask(visitor: Visitor, route: Route, { brandKey, booking, message }: Things): Promise<Answer> {
  const id = route.path.startsWith('/api/admin/messages') ? message : route.path.startsWith('/api/admin/bookings') ? booking : staffId
  const query = { ids: staffId, version: 1 }
  const withBody = route.method !== 'GET' && route.body !== undefined && !route.rawBody
  return visitor.call(route.method, addressOf(route, { params: { brandKey, id }, query }), withBody ? bodyOf(route) : undefined)
}

/** Good for the row that asks for it, so that what is refused is refused for whose it is. */
const BODY = {
  version: 1,
  markupPercent: 10,
  active: true,
  to: 1,
  state: 'new',
  text: 'Yes',
  reason: 'Paid',
  ending: 'ended',
  refund: '1.00',
  released: true,
  fromName: 'Atlas Voyages',
  fromAddress: 'voyages@atlas.example',
  replyTo: '',
}
const bodyOf = ({ path }: Route) => (path.endsWith('/draft') ? { version: 1, brand: draft } : BODY)
let draft: object

beforeAll(async () => {
  system = await localSystem({ SAMPLE_BRANDS: 'true' })
  admin = new Visitor(system.url)
  await admin.post('/api/auth/login', { username: 'admin', password: system.secrets.adminPassword })
  own = await visited(OWN)
  other = await visited(OTHER)
  await changed(own)
  await changed(other)
  const account = { username: 'sofia', email: 'sofia@example.org', firstName: 'Sofia', lastName: 'Bernard', password: PASSWORD }
  staff = new Visitor(system.url)
  staffId = (await staff.post<{ id: string }>('/api/auth/register', account)).body.id
  await staff.post('/api/auth/login', { username: 'sofia', password: PASSWORD })
  const granted = await admin.call('PUT', '/api/admin/staff', { email: account.email, brands: [OWN] })
  expect(granted).toMatchObject({ status: 200, body: { id: staffId, brands: [OWN] } })
  expect((await staff.get('/api/auth/user')).status, 'sessions from before the right have ended').toBe(401)
  // The address was never proved, so the password was taken: the link came by mail. The test sets it as a visitor would.
  const token = await eventually('the link', async () => {
    const { messages } = await ledger<Mailbox>(system.mailbox)
    return messages.filter(({ to }) => to.includes(account.email)).flatMap(({ text }) => /set-password#([\w-]+)/.exec(text)?.[1] ?? [])[0]
  })
  await staff.post('/api/auth/set-password', { token, newPassword: PASSWORD })
  expect(await staff.post('/api/auth/login', { username: 'sofia', password: PASSWORD })).toMatchObject({
    body: { isAdmin: false, staffOf: [OWN] },
  })
  const { body } = await admin.get<{ brand: { domain: string } }>(`/api/admin/brands/${OWN}`)
  const { domain: _, ...rest } = body.brand
  draft = rest
})
afterAll(async () => {
  await system.stop()
})

test('the contracts have rows of every kind', () => {
  expect([forAll.length, ofOne.length, lists.length].every((count) => count >= 4)).toBe(true)
  console.log(`brand staff matrix: ${forAll.length} rows for all alone, ${ofOne.length} of one thing, ${lists.length} lists`)
})

test.each(forAll)('$name is not there for staff of one brand', async ({ route }) => {
  expect(await ask(staff, route, own)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } })
})

describe.each(ofOne)('$name', ({ route }) => {
  test('is not there for what is another brand’s, as for what does not exist', async () => {
    const nothing = { brandKey: 'nobody.example', booking: 'bk_nobody', reference: 'NOBODY00', message: 'msg_nobody' }
    const [found, missing] = [await ask(staff, route, other), await ask(staff, route, nothing)]
    expect(found.status).toBe(404)
    expect({ ...found.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  })

  test('answers about what is theirs', async () => {
    const { status, body } = await ask(staff, route, own)
    // A change of a markup wants a fresh proof of the password as well.
    expect([403, 404], JSON.stringify(body)).not.toContain(status)
  })
})

test.each(lists)('$name has what is theirs and nothing of another brand', async ({ route }) => {
  const { status, body } = await ask(staff, route, own)
  expect(status).toBe(200)
  const text = JSON.stringify(body)
  for (const hidden of [OTHER, other.booking, other.reference, other.message, 'usr_admin"']) expect(text).not.toContain(hidden)
  if (route.path !== '/api/admin/people') expect(text).toMatch(new RegExp([OWN, own.booking, own.reference, own.message].join('|')))
})

test('a list that is asked for another brand is empty', async () => {
  expect((await staff.get<{ bookings: unknown[] }>(`/api/admin/bookings?brandKey=${OTHER}`)).body.bookings).toEqual([])
  expect((await staff.get<{ messages: unknown[] }>(`/api/admin/messages?brandKey=${OTHER}`)).body.messages).toEqual([])
  expect((await staff.get<{ bookings: unknown[] }>(`/api/admin/bookings?q=${other.reference}`)).body.bookings).toEqual([])
})

test('another brand’s booking is no more open by the calls of travellers', async () => {
  expect((await staff.get(`/api/bookings/${other.booking}`)).status).toBe(404)
  expect((await staff.post(`/api/bookings/${other.booking}/cancel`)).status).toBe(404)
  expect((await staff.get(`/api/bookings/${own.booking}`)).status).toBe(200)
})

test('nobody changes their own rights; those that are taken back count at the next request', async () => {
  const me = (await admin.get<{ id: string; email: string }>('/api/auth/user')).body
  expect((await admin.call('DELETE', `/api/admin/staff/${me.id}`)).body).toMatchObject({ error: 'OWN_RIGHTS' })
  expect((await admin.call('PUT', '/api/admin/staff', { email: me.email, brands: [OWN] })).body).toMatchObject({ error: 'OWN_RIGHTS' })
  expect((await staff.get('/api/admin/bookings')).status).toBe(200)
  expect((await admin.call('DELETE', `/api/admin/staff/${staffId}`)).status).toBe(200)
  expect((await staff.get('/api/admin/bookings')).status).toBe(401)
  expect((await admin.get<{ entries: object[] }>('/api/admin/access?limit=3')).body.entries).toMatchObject([
    { action: 'admin-revoked', userId: staffId, actor: me.id },
    { action: 'admin-granted', userId: staffId, actor: me.id, brands: [OWN] },
    { action: 'admin-verified' },
  ])
})
