import { expect, test } from 'vitest'
import { ApiError, addressOf, client, TransportError } from '../client.ts'
import { errorCatalogue } from '../error.ts'
import { openApi } from '../openapi.ts'
import { callersOf } from '../route.ts'
import { passengerProblems } from '../rules/passengers.ts'
import { allContracts } from './all.ts'
import { CreateBooking } from './booking.ts'
import { searchApi } from './search.ts'

const booking = {
  offerId: 'oft_1',
  passengers: [{ type: 'adult', firstName: 'Ines', lastName: 'Moreau', dateOfBirth: '1990-02-14' }],
  paymentDetails: { amount: 274, currency: 'eur', paymentId: 'pay_1' },
}
const message = (change: object) => CreateBooking.safeParse({ ...booking, ...change }).error?.issues[0]?.message

test('ABOOK-03 to ABOOK-06: what is missing from a booking request is named in the texts of the product', () => {
  expect(CreateBooking.safeParse(undefined).error?.issues[0]?.message).toBe('A booking request is required')
  expect(message({ offerId: undefined })).toBe('Offer ID is required for booking')
  expect(message({ passengers: [] })).toBe('At least one passenger is required for booking')
  expect(message({ passengers: undefined })).toBe('At least one passenger is required for booking')
  expect(message({ paymentDetails: undefined })).toBe('Payment details are required for booking')
  expect(message({ paymentDetails: { currency: 'EUR' } })).toBe('Payment details are required for booking')
})

test('ABOOK-30: a passenger carries all that airlines and the booker need, and nothing more', () => {
  const passenger = {
    type: 'child',
    title: 'miss',
    firstName: 'Léa',
    lastName: 'Moreau',
    gender: 'female',
    dateOfBirth: '2019-06-21',
    email: 'lea@example.org',
    phone: '+33 1 23 45 67 89',
    passportNumber: '19KL56147',
    passportExpiryDate: '2031-04-30',
    passportIssuingCountry: 'FR',
  }
  const parsed = (change: object) => CreateBooking.safeParse({ ...booking, passengers: [{ ...passenger, ...change }] })
  expect(parsed({ isAdmin: true }).data?.passengers).toEqual([passenger])
  for (const [field, wrong] of [
    ['type', 'pet'],
    ['title', 'lord'],
    ['gender', 'm'],
  ])
    expect(parsed({ [field as string]: wrong }).error?.issues[0]?.path, field).toEqual(['passengers', 0, field])
  const rules = { passportRequired: true, firstDeparture: '2027-03-04', lastDeparture: '2027-03-11', today: '2026-11-21' }
  for (const [code, problems] of [
    ['FR', []],
    ['FRA', ['passportIssuingCountry']],
    ['F1', ['passportIssuingCountry']],
  ] as const) {
    const people = CreateBooking.parse({ ...booking, passengers: [{ ...passenger, passportIssuingCountry: code }] }).passengers
    expect(passengerProblems(people, rules).map(({ field }) => field)).toEqual(problems)
  }
})

test('an amount may come as number or text and is kept as text; the currency in upper case', () => {
  expect(CreateBooking.parse(booking).paymentDetails).toMatchObject({ amount: '274', currency: 'EUR' })
})

test('APAY-06: zero, negative and non-numbers are refused', () => {
  for (const amount of [0, -1, 'abc', '1e9', Number.NaN])
    expect(message({ paymentDetails: { ...booking.paymentDetails, amount } })).toBeDefined()
})

test('paths are unique per method, internal ones live under /internal', () => {
  const seen = new Set<string>()
  for (const { routes } of allContracts) {
    for (const route of Object.values(routes)) {
      const key = `${route.method} ${route.path}`
      expect(seen.has(key), key).toBe(false)
      seen.add(key)
      expect(route.path.startsWith('/internal/')).toBe(route.access === 'internal')
    }
  }
})

const rows = allContracts.flatMap(({ service, routes }) => Object.entries(routes).map(([name, route]) => ({ service, name, route })))

test('internal calls say which services may make them; all others are made by the gateway', () => {
  for (const { service, name, route } of rows) {
    const callers = callersOf(route)
    if (route.access === 'internal') expect(route.callers?.length, name).toBeGreaterThan(0)
    else expect(callers, name).toContain('gateway')
    expect(callers, name).not.toContain(service)
  }
})

test('EVT-16: nothing is limited by session alone, which costs nothing to get', () => {
  const bySession = rows.filter(({ route }) => route.limits?.some((limit) => limit.by === 'session'))
  expect(bySession.length).toBeGreaterThan(5)
  for (const { name, route } of bySession)
    expect(
      route.limits?.some((limit) => limit.by === 'network'),
      name,
    ).toBe(true)
})

test('EVT-16: what costs money, a supplier’s call or a hash is limited by network and by session', () => {
  const costly = [
    'search startSearch getOffer getSeatMaps verifyOffer',
    'createBooking cancelBooking processCard',
    'login register changePassword setPassword adminLogin forgotPassword deleteAccount',
    'sendContact sendSupportRequest uploadLogo',
  ].flatMap((line) => line.split(' '))
  for (const wanted of costly) {
    const limits = rows.find(({ name }) => name === wanted)?.route.limits ?? []
    expect([...new Set(limits.map((limit) => limit.by))].sort(), wanted).toEqual(['network', 'session'])
  }
})

test('the description has every public call and no internal one', () => {
  const paths = Object.keys(openApi(allContracts).paths as object)
  expect(paths).toContain('/api/bookings/{id}/cancel')
  expect(paths.some((path) => path.includes('internal'))).toBe(false)
})

test('every code of the catalogue has a status and a text', () => {
  for (const [status, text] of Object.values(errorCatalogue)) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text.length).toBeGreaterThan(3)
  }
})

test('RES-12: only non-empty parameters are sent', () => {
  expect(addressOf(searchApi.routes.search, { query: { origin: 'CDG', returnDate: '', cabinClass: undefined, page: 1 } })).toBe(
    '/api/flights/search?origin=CDG&page=1',
  )
})

const answering = (status: number, body: string, statusText = '') =>
  (async () => new Response(body, { status, statusText })) as typeof fetch

test('API-03, R-82: a non-success answer becomes "{status}: {body}", with the message for people beside it', async () => {
  const text = JSON.stringify({ error: 'OFFER_EXPIRED', message: 'gone', requestId: 'r' })
  const error = await client(searchApi, { fetch: answering(410, text) })
    .getOffer({ params: { id: 'x' } })
    .catch((thrown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ message: `410: ${text}`, code: 'OFFER_EXPIRED', displayMessage: 'gone' })
  const empty = await client(searchApi, { fetch: answering(502, '', 'Bad Gateway') })
    .getOffer({ params: { id: 'x' } })
    .catch((thrown) => thrown)
  expect(empty.message).toBe('502: Bad Gateway')
})

test('OFFER-06: an answer that is not JSON is distinguished from no answer', async () => {
  const html = await client(searchApi, { fetch: answering(200, '<html>') })
    .getOffer({ params: { id: 'x' } })
    .catch((thrown) => thrown)
  expect(html).toBeInstanceOf(TransportError)
  expect(html.reason).toBe('not-json')
})
