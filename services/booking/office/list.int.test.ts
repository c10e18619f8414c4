/** The list of bookings in the back office: what was made, counted and found. */
import { OfficeState } from '@passerelle/contracts/http/back-office'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BookingRecord } from '../domain/booking.ts'
import { openSagaWorld, type SagaWorld } from '../saga.fixture.ts'
import { openOffice } from './office.fixture.ts'

let world: SagaWorld
let office: Awaited<ReturnType<typeof openOffice>>
const admin = () => office.administrator()
const waiting = () => ({
  attention: { reason: 'cancel-unanswered' as const, since: world.clock(), told: false },
  attentionSince: world.clock(),
})
afterAll(async () => {
  await world.stop()
})

const BRANDS = ['default', 'atlas.example', 'aurora.example']
const LANDED = new Date('2026-11-20T09:50:00Z')
const made: { id: string; brand: string; tab: OfficeState; at: number }[] = []
const kinds: [OfficeState, Partial<BookingRecord>][] = [
  ['pending', { state: 'REQUESTED' }],
  ['pending', { state: 'ORDERING' }],
  ['pending', { state: 'ORDER_UNKNOWN' }],
  ['pending', { state: 'ORDERED', orderId: 'its own' }],
  ['pending', { state: 'CAPTURE_FAILED', orderId: 'its own' }],
  ['pending', { state: 'ORDER_FAILED' }],
  ['failed', { state: 'FAILED' }],
  ['confirmed', { state: 'CONFIRMED', orderId: 'its own' }],
  ['confirmed', { state: 'CANCEL_REQUESTED', orderId: 'its own' }],
  ['completed', { state: 'CONFIRMED', orderId: 'its own', lastArrival: LANDED }],
  ['completed', { state: 'COMPLETED', orderId: 'its own', lastArrival: LANDED }],
  ['cancelled', { state: 'ORDER_CANCELLED', orderId: 'its own' }],
  ['cancelled', { state: 'REFUNDED', orderId: 'its own' }],
  ['attention', { state: 'NEEDS_ATTENTION', orderId: 'its own' }],
  ['attention', { state: 'ORDER_CANCELLED', orderId: 'its own' }],
]

beforeAll(async () => {
  world = await openSagaWorld()
  office = await openOffice(world)
  for (let number = 0; number < 300; number++) {
    const [tab, change] = kinds[number % kinds.length] as (typeof kinds)[number]
    const brand = BRANDS[Math.floor(number / kinds.length) % 3] ?? ''
    world.advance(1)
    const wait = tab === 'attention' ? waiting() : {}
    const { _id } = await world.book({}, { ...change, brand, ...wait, leaseUntil: new Date('2100-01-01') })
    made.push({ id: _id, brand, tab, at: number })
  }
  // Of live mode, and of no concern here.
  await world.book({}, { mode: 'live', leaseUntil: new Date('2100-01-01') })
})

const ledger = (brand?: string) => {
  const own = made.filter((one) => brand === undefined || one.brand === brand)
  return Object.fromEntries(OfficeState.options.map((tab) => [tab, own.filter((one) => one.tab === tab).length]))
}
const allOf = async (query: object) => {
  const ids: string[] = []
  for (let before: string | null | undefined; before !== null; ) {
    const page = await admin().list({ ...query, limit: 37, ...(before && { before }) })
    ids.push(...page.bookings.map(({ id }) => id))
    before = page.next
  }
  return ids
}

test('300 bookings in three brands and all states: each tab counts what was made, and together they are all', async () => {
  expect((await admin().list()).counts).toEqual(ledger())
  for (const brand of BRANDS) expect((await admin().list({ brandKey: brand })).counts).toEqual(ledger(brand))
  expect(Object.values(ledger()).reduce((sum, count) => sum + count)).toBe(300)
})

test('page after page has every booking of a tab once, newest first; those that wait, longest waiting first', async () => {
  for (const tab of OfficeState.options) {
    const expected = made.filter((one) => one.tab === tab).map(({ id }) => id)
    expect(await allOf({ state: tab }), tab).toEqual(tab === 'attention' ? expected : expected.reverse())
  }
  expect(await allOf({})).toEqual(made.map(({ id }) => id).reverse())
})

test('one is found by its reference, and all of an address by the contact or a passenger, in any case of letters', async () => {
  const people = [
    {
      id: 'pas_1',
      type: 'adult',
      title: 'mr',
      gender: 'm',
      firstName: 'Jo',
      lastName: 'Ek',
      email: 'Jo@Example.org',
      phone: '+4612345678',
    },
  ] as BookingRecord['people']
  const booking = await world.book({}, { people, reference: 'JOEKREF1', leaseUntil: new Date('2100-01-01') })
  expect((await admin().list({ q: 'jo@example.ORG' })).bookings).toMatchObject([{ id: booking._id, state: 'pending', travellers: 1 }])
  expect((await admin().list({ q: 'joekref1' })).bookings).toMatchObject([{ id: booking._id }])
  expect((await admin().list({ q: 'nobody@example.org' })).counts).toMatchObject({ pending: 0, attention: 0 })
  await world.store.forget(await world.byId(booking._id))
  expect((await admin().list({ q: 'jo@example.org' })).bookings).toEqual([])
})

describe('the list as a table', () => {
  const idsIn = (text: string) => [...text.matchAll(/,(bk_[\w-]+)\r$/gm)].map(([, id]) => id)

  test('has every booking that the list finds once, newest first, of all brands or of one, in a state or in all', async () => {
    const newest = made.map(({ id }) => id).reverse()
    const { text, headers } = await admin().download()
    expect(text).toMatch(/^\uFEFFReference,State,Needs attention,Brand,/)
    expect(idsIn(text).filter((id) => newest.includes(id ?? ''))).toEqual(newest)
    expect(headers['content-disposition']).toMatch(/^attachment; filename="bookings-\d{4}-\d\d-\d\d\.csv"$/)
    const query = { brandKey: 'atlas.example', state: 'cancelled' as const }
    const expected = made.filter(({ brand, tab }) => brand === query.brandKey && tab === query.state).map(({ id }) => id)
    expect(idsIn((await admin().download(query)).text)).toEqual(expected.reverse())
  })

  test('is of their brands alone for staff of a brand, and empty when another is asked for', async () => {
    const staff = office.administrator({ userId: 'usr_sofia', isAdmin: false, staffOf: ['aurora.example'] })
    const own = made.filter(({ brand }) => brand === 'aurora.example').map(({ id }) => id)
    expect(idsIn((await staff.download()).text)).toEqual(own.reverse())
    expect(idsIn((await staff.download({ brandKey: 'atlas.example' })).text)).toEqual([])
  })

  test('cannot run as a formula in a spreadsheet, whatever a traveller has typed', async () => {
    const contact = {
      email: 'eve@example.org',
      phone: '+33123456789',
      firstName: '=HYPERLINK("https://evil.example";"x")',
      lastName: 'Eve',
    }
    await world.book({}, { contact, reference: 'FORMULA1', leaseUntil: new Date('2100-01-01') })
    const { text } = await admin().download({ q: 'FORMULA1' })
    expect(text.split('\r\n')[1]).toMatch(/^FORMULA1,pending,,default,[^,]+,"'=HYPERLINK/)
  })

  test('is recorded for whoever has taken it, without the address that was looked for', async () => {
    world.advance(1)
    await admin().download({ q: 'somebody@example.org' })
    world.advance(1)
    const staff = office.administrator({ userId: 'usr_sofia', isAdmin: false, staffOf: ['aurora.example'] })
    await staff.download({ state: 'failed' })
    const { entries } = await admin().audit({ subject: 'bookings' })
    expect(entries.slice(0, 2)).toMatchObject([
      {
        action: 'bookings-downloaded',
        actor: 'usr_sofia',
        brandKey: 'aurora.example',
        to: expect.stringMatching(/^\d+ bookings, in state failed$/),
      },
      { action: 'bookings-downloaded', actor: 'usr_admin', brandKey: null, to: '0 bookings, found by reference or e-mail' },
    ])
  })
})
