/** Who may call what: every route of the contracts against every kind of visitor at the gateway, and every kind of token at the service itself. */
import { randomBytes } from 'node:crypto'
import { addressOf } from '@passerelle/contracts/client'
import type { ErrorBody } from '@passerelle/contracts/error'
import { allContracts } from '@passerelle/contracts/http/all'
import { type ActorName, callersOf, type Route, type ServiceName } from '@passerelle/contracts/route'
import { type Caller, createTokens, hashToken, systemCaller, TOKEN_HEADER, type Tokens } from '@passerelle/kit/auth'
import { importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day } from './searches.fixture.ts'
import { processNames } from './secrets.ts'
import { type LocalSystem, localSystem, party, Visitor } from './test-visitor.fixture.ts'

type Row = { name: string; service: ServiceName; route: Route }
/** absent: 404, as for an id that does not exist. cross-site: refused because another site asked. */
type Verdict = 'allowed' | 'unauthenticated' | 'forbidden' | 'absent' | 'cross-site'

const rows: Row[] = allContracts.flatMap(({ service, routes }) =>
  Object.entries(routes).map(([name, route]) => ({ name, service, route: route as Route })),
)
/** Ends sessions, so it comes last. */
const ordered = [...rows.filter(({ name }) => name !== 'logout'), ...rows.filter(({ name }) => name === 'logout')]

let system: LocalSystem
let bookings: { user: string; guest: string }
let adminId: string
let adminSession: string
let cells = 0

const PASSWORD = 'Blue-Suitcase-47-Runs'

/** Visitors by what they bring; each call is made with a copy of the cookies. */
const jars = new Map<string, Map<string, string>>()

async function registered(name: string): Promise<Visitor> {
  const visitor = new Visitor(system.url)
  const account = { username: name, email: `${name}@example.org`, firstName: 'Ada', lastName: 'Moreau', password: PASSWORD }
  expect((await visitor.post('/api/auth/register', account)).status).toBe(201)
  expect((await visitor.post('/api/auth/login', { username: name, password: PASSWORD })).status).toBe(200)
  return visitor
}

async function booked(visitor: Visitor, ahead: number): Promise<string> {
  const offer = await visitor.offer(`origin=CDG&destination=LIS&departureDate=${day(ahead)}`)
  const { paymentId } = (await visitor.pay(offer)).body
  const { status, body } = await visitor.book(offer, { paymentId }, { passengers: party(offer) })
  expect(status).toBe(201)
  return body.id
}

/** In its first character: of the last one only some bits count. */
const altered = (token: string) => (token.startsWith('A') ? 'B' : 'A') + token.slice(1)

beforeAll(async () => {
  system = await localSystem({ ACCOUNT_WITHIN_MS: '100' })
  const [owner, other, admin, ended] = [
    await registered('owner'),
    await registered('other'),
    new Visitor(system.url),
    await registered('gone'),
  ]
  const signedIn = await admin.post<{ id: string }>('/api/auth/login', { username: 'admin', password: system.secrets.adminPassword })
  adminId = signedIn.body.id
  adminSession = hashToken([...admin.cookies.values()][0] ?? '')
  const endedCookies = new Map(ended.cookies)
  await ended.post('/api/auth/logout')
  const otherGuest = await new Visitor(system.url).known()
  const guest = await new Visitor(system.url).known()
  const guestCookies = new Map(guest.cookies)
  bookings = { user: await booked(owner, 40), guest: await booked(guest, 41) }
  const [cookie = '', token = ''] = [...owner.cookies][0] ?? []
  jars.set('anonymous', new Map())
  jars.set('a guest', otherGuest.cookies)
  jars.set('the guest of a booking', guestCookies)
  jars.set('a user', other.cookies)
  jars.set('the user of a booking', owner.cookies)
  jars.set('an administrator', admin.cookies)
  jars.set('an ended session', endedCookies)
  jars.set('an invented session', new Map([[cookie, randomBytes(32).toString('base64url')]]))
  jars.set('an altered session', new Map([[cookie, altered(token)]]))
})
afterAll(async () => {
  await system.stop()
})

/** An answer that is about the request, whatever it is, is one to somebody who may ask. */
function verdictOf(status: number, body: Partial<ErrorBody> | null): Verdict {
  if (body?.error === 'CROSS_SITE') return 'cross-site'
  if (status === 401 && body?.error === 'NOT_AUTHENTICATED') return 'unauthenticated'
  if (status === 403) return 'forbidden'
  if (status === 404 && ['NOT_FOUND', 'BOOKING_NOT_FOUND'].includes(body?.error ?? '')) return 'absent'
  return 'allowed'
}

const SIGNED_IN = ['a user', 'the user of a booking', 'an administrator']
const WITH_SESSION = ['a guest', 'the guest of a booking', ...SIGNED_IN]

function expectedAtGateway({ route, name }: Row, who: string, owner: 'user' | 'guest'): Verdict {
  if (route.access === 'internal') return 'absent'
  if (route.access === 'user' && !SIGNED_IN.includes(who)) return 'unauthenticated'
  if (route.access === 'admin' && who !== 'an administrator') return SIGNED_IN.includes(who) ? 'forbidden' : 'unauthenticated'
  // The administrator's proof is asked of whoever is signed in, and refused to all others.
  if (name === 'adminLogin' && who !== 'an administrator') return 'forbidden'
  if (route.access === 'guest' && !WITH_SESSION.includes(who)) return 'unauthenticated'
  if (!isOfOneBooking(name)) return 'allowed'
  return who === `the ${owner} of a booking` || who === 'an administrator' ? 'allowed' : 'absent'
}

const isOfOneBooking = (name: string) => ['getBooking', 'getReceipt', 'cancelBooking', 'quoteCancellation'].includes(name)

function pathOf({ route }: Row, id: string): string {
  return addressOf(route, { params: { id, brandKey: 'default', mode: 'test', key: 'a-key-of-nobody', file: `${'0'.repeat(32)}.svg` } })
}

async function ask(url: string, { method, body, rawBody }: Route, headers: Record<string, string>): Promise<Verdict> {
  const withBody = method !== 'GET' && body !== undefined && !rawBody
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(withBody && { 'content-type': 'application/json' }) },
    ...(withBody && { body: '{}' }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return verdictOf(response.status, isJson ? (JSON.parse(text) as Partial<ErrorBody>) : {})
}

type Mistake = { who: string; expected: Verdict; found: Verdict }

async function mistakes(cases: { who: string; expected: Verdict; found: Promise<Verdict> }[]): Promise<Mistake[]> {
  cells += cases.length
  const answered = await Promise.all(cases.map(async ({ who, expected, found }) => ({ who, expected, found: await found })))
  return answered.filter(({ expected, found }) => expected !== found)
}

const cookieHeader = (cookies: Map<string, string>) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

describe.each(ordered.map((row) => ({ title: `${row.service}.${row.name}`, row })))('$title', ({ row }) => {
  const { route, service } = row

  test('at the gateway', async () => {
    for (const owner of isOfOneBooking(row.name) ? (['user', 'guest'] as const) : (['user'] as const)) {
      const url = system.url + pathOf(row, bookings[owner])
      const cases = [...jars].map(([who, cookies]) => ({
        who,
        expected: expectedAtGateway(row, who, owner),
        found: ask(url, route, { cookie: cookieHeader(cookies) }),
      }))
      expect(await mistakes(cases)).toEqual([])
    }
  })

  test('at the gateway, sent by a page of another site', async () => {
    if (route.method === 'GET') return
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    const cookie = cookieHeader(jars.get('an administrator') as Map<string, string>)
    const url = system.url + pathOf(row, bookings.user)
    const expected: Verdict = route.access === 'internal' ? 'absent' : 'cross-site'
    const cases = foreign.map((headers) => ({ who: JSON.stringify(headers), expected, found: ask(url, route, { cookie, ...headers }) }))
    expect(await mistakes(cases)).toEqual([])
  })

  test('at the service itself', async () => {
    const base = system.services.find(({ name }) => name === service)?.url ?? ''
    const url = base + pathOf(row, bookings.user)
    // Whoever reaches the port gets the same answer: a proxy in front has no token, and what it is told is no secret.
    const forEdge = callersOf(route).includes('edge')
    const cases = [
      ...(await badTokens(service)).map(({ who, token }) => ({
        who,
        expected: forEdge ? ('allowed' as const) : ('unauthenticated' as const),
        token,
      })),
      ...(await goodTokens(service)).map(({ who, actor, signedIn, token }) => ({
        who,
        expected: expectedAtService(row, actor, signedIn),
        token,
      })),
    ].map(({ who, expected, token }) => ({ who, expected, found: ask(url, route, token === null ? {} : { [TOKEN_HEADER]: token }) }))
    expect(await mistakes(cases)).toEqual([])
  })
})

function expectedAtService({ route, service, name }: Row, actor: ActorName, signedIn: boolean): Verdict {
  if (callersOf(route).includes('edge')) return 'allowed'
  if (!callersOf(route).includes(actor)) return 'forbidden'
  if (['guest', 'user', 'admin'].includes(route.access) && !signedIn) return 'unauthenticated'
  // What exists is not told apart from what does not.
  if (service === 'booking' && route.access === 'internal' && isOfOneBooking(name)) return 'absent'
  return 'allowed'
}

function tokensOf(name: ActorName): Promise<Tokens> {
  return createTokens(name, JSON.stringify(system.secrets.keys[name]), JSON.stringify(system.secrets.jwks))
}

const somebody = (actor: string, more: Partial<Caller> = {}): Caller => ({
  ...systemCaller(actor, { brand: 'default', mode: 'test', requestId: 'authorisation' }),
  ...more,
})
const administrator = (actor: string) =>
  somebody(actor, { userId: adminId, sessionId: adminSession, visitorId: 'vis_of_the_matrix', isAdmin: true, ip: '127.0.0.1' })

/** Signed by `key`'s owner, whatever it says. */
async function signed(
  key: ActorName,
  claims: Record<string, unknown>,
  about: { issuer: string; audience: string; kid?: string; age?: number },
) {
  const jwk = system.secrets.keys[key]
  const issuedAt = Math.floor(Date.now() / 1000) - (about.age ?? 0)
  return new SignJWT({ brand: 'default', markupPercent: 0, mode: 'test', rid: 'authorisation', isAdmin: true, sub: adminId, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'passerelle-internal+jwt', kid: about.kid ?? key })
    .setIssuer(about.issuer)
    .setAudience(about.audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 60)
    .sign(await importJWK(jwk, 'EdDSA'))
}

async function badTokens(service: ServiceName): Promise<{ who: string; token: string | null }[]> {
  const gateway = await tokensOf('gateway')
  const neighbour: ActorName = service === 'search' ? 'booking' : 'search'
  const elsewhere = await gateway.mint(neighbour, administrator('gateway'))
  const [head = '', body = '', signature = ''] = (await gateway.mint(service, administrator('gateway'))).split('.')
  const unsigned = `${Buffer.from('{"alg":"none","typ":"passerelle-internal+jwt"}').toString('base64url')}.${body}.`
  return [
    { who: 'nobody', token: null },
    { who: 'garbage', token: 'garbage' },
    { who: 'a token without signature', token: unsigned },
    { who: 'a token whose signature was altered', token: `${head}.${body}.${altered(signature)}` },
    { who: 'a token for another service', token: elsewhere },
    { who: 'a token of two minutes ago', token: await signed('gateway', {}, { issuer: 'gateway', audience: service, age: 120 }) },
    { who: 'a service that says it is the gateway', token: await signed(neighbour, {}, { issuer: 'gateway', audience: service }) },
    {
      who: 'a service with the gateway’s key id',
      token: await signed(neighbour, {}, { issuer: 'gateway', audience: service, kid: 'gateway' }),
    },
    { who: 'an issuer that nobody knows', token: await signed(neighbour, {}, { issuer: 'admin', audience: service }) },
    {
      who: 'a visitor’s token of another service',
      token: await signed(neighbour, { onBehalfOf: elsewhere.replace(/.$/, '') }, { issuer: neighbour, audience: service }),
    },
  ]
}

type Token = { who: string; actor: ActorName; signedIn: boolean; token: string }

async function goodTokens(service: ServiceName): Promise<Token[]> {
  const gateway = await tokensOf('gateway')
  const services = processNames.filter((name) => name !== 'gateway' && name !== service)
  const ofServices = await Promise.all(
    services.flatMap((actor) => [
      // Claims of its own about a user count for nothing.
      signed(actor, {}, { issuer: actor, audience: service }).then((token) => ({
        who: `${actor}, claiming an administrator`,
        actor,
        signedIn: false,
        token,
      })),
      (async (): Promise<Token> => {
        const gatewayToken = await gateway.mint(actor, administrator('gateway'))
        const token = await (await tokensOf(actor)).mint(service, { ...administrator(actor), gatewayToken })
        return { who: `${actor}, for an administrator`, actor, signedIn: true, token }
      })(),
    ]),
  )
  return [
    { who: 'the gateway, for nobody', actor: 'gateway', signedIn: false, token: await gateway.mint(service, somebody('gateway')) },
    {
      who: 'the gateway, for an administrator',
      actor: 'gateway',
      signedIn: true,
      token: await gateway.mint(service, administrator('gateway')),
    },
    ...ofServices,
  ]
}

test('the matrix has at least 700 cells', () => {
  console.log(`authorisation matrix: ${cells} cells over ${rows.length} routes`)
  expect(cells).toBeGreaterThanOrEqual(700)
})
