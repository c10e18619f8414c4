/** Who may say what in an internal token. */
import { importJWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, createTokens, TOKEN_HEADER, type Tokens } from './auth.ts'
import { replaceRuntime } from './runtime.ts'
import { createTestKeys, type TestKeys, testCaller } from './testing.ts'

let keys: TestKeys
let gateway: Tokens
let booking: Tokens
let search: Tokens
const tokensOf = (owner: string, as = owner) => {
  const { INTERNAL_KEY, INTERNAL_JWKS } = keys.environment(owner)
  return createTokens(as, INTERNAL_KEY, INTERNAL_JWKS)
}
beforeAll(async () => {
  keys = await createTestKeys()
  ;[gateway, booking, search] = (await Promise.all(['gateway', 'booking', 'search'].map((name) => tokensOf(name)))) as [
    Tokens,
    Tokens,
    Tokens,
  ]
})

const visitor = { userId: 'usr_1', sessionId: 'ses_1', visitorId: 'vis_1', isAdmin: true, adminProofAt: '2026-11-21T10:00:00.000Z' }
const refused = { code: 'NOT_AUTHENTICATED' }

/** Whatever the owner of a key may think of. */
async function forged(owner: string, claims: Record<string, unknown>, header: Record<string, unknown> = {}): Promise<string> {
  const jwk = JSON.parse(keys.environment(owner).INTERNAL_KEY)
  return new SignJWT({ brand: 'default', markupPercent: 0, mode: 'test', ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'passerelle-internal+jwt', kid: owner, ...header })
    .setIssuedAt()
    .setExpirationTime('60s')
    .sign(await importJWK(jwk, 'EdDSA'))
}

describe('the gateway', () => {
  test('says who the visitor is', async () => {
    const caller = await booking.verify(await gateway.mint('booking', testCaller(visitor)), 'booking')
    expect(caller).toMatchObject({ actor: 'gateway', ...visitor, brand: 'default', markupPercent: 23, mode: 'test', ip: '127.0.0.1' })
  })

  test('is understood by the service it speaks to and by no other', async () => {
    const token = await gateway.mint('booking', testCaller(visitor))
    await expect(search.verify(token, 'search')).rejects.toMatchObject(refused)
  })
})

describe('a key', () => {
  test('of a service cannot mint the gateway’s token', async () => {
    for (const kid of ['booking', 'gateway', 'gateway-booking'])
      await expect(
        search.verify(await forged('booking', { iss: 'gateway', aud: 'search', sub: 'usr_1', isAdmin: true }, { kid }), 'search'),
      ).rejects.toMatchObject(refused)
  })

  test('of a service cannot mint another service’s token', async () => {
    await expect(search.verify(await forged('payment', { iss: 'booking', aud: 'search' }), 'search')).rejects.toMatchObject(refused)
  })

  test('without a name, or with the name of none, is refused', async () => {
    for (const kid of [undefined, 'bookings', ''])
      await expect(search.verify(await forged('booking', { iss: 'booking', aud: 'search' }, { kid }), 'search')).rejects.toMatchObject(
        refused,
      )
  })

  test('that replaces another is named after the same owner', async () => {
    const next = await createTestKeys('booking-2')
    const { INTERNAL_KEY, INTERNAL_JWKS } = next.environment('booking-2')
    const renewed = await createTokens('booking', INTERNAL_KEY, INTERNAL_JWKS)
    const { INTERNAL_KEY: own } = next.environment('search')
    const caller = await (await createTokens('search', own, INTERNAL_JWKS)).verify(await renewed.mint('search', testCaller()), 'search')
    expect(caller.actor).toBe('booking')
  })

  test('of another process stops the start', async () => {
    await expect(tokensOf('booking', 'gateway')).rejects.toThrow('INTERNAL_KEY: its kid must be "gateway"')
  })
})

describe('a service that calls another', () => {
  const received = async (): Promise<Caller> => booking.verify(await gateway.mint('booking', testCaller(visitor)), 'booking')

  test('for a visitor passes on who the gateway said it is', async () => {
    const caller = { ...(await received()), actor: 'booking', markupPercent: 5 }
    expect(await search.verify(await booking.mint('search', caller), 'search', 'test-request')).toEqual({
      ...testCaller(visitor),
      actor: 'booking',
      markupPercent: 5,
    })
  })

  test('cannot name a user or an administrator of its own', async () => {
    const invented: Caller = { ...testCaller(visitor), actor: 'booking' }
    const nobody = { userId: null, sessionId: null, visitorId: null, isAdmin: false, adminProofAt: null, ip: null }
    expect(await search.verify(await booking.mint('search', invented), 'search')).toMatchObject({ actor: 'booking', ...nobody })
    const claims = { iss: 'booking', aud: 'search', sub: 'usr_1', ...visitor, ip: '192.0.2.1' }
    expect(await search.verify(await forged('booking', claims), 'search')).toMatchObject({ actor: 'booking', ...nobody })
  })

  test('cannot show a token that the gateway gave to another, nor one of its own making', async () => {
    const given = await gateway.mint('payment', testCaller(visitor))
    const made = await forged('booking', { iss: 'gateway', aud: 'booking', sub: 'usr_1', isAdmin: true })
    for (const onBehalfOf of [given, made, 'nonsense'])
      await expect(search.verify(await forged('booking', { iss: 'booking', aud: 'search', onBehalfOf }), 'search')).rejects.toMatchObject(
        refused,
      )
  })

  test('cannot pass on what another service passed on to it', async () => {
    const once = await search.verify(await booking.mint('search', await received()), 'search')
    expect(once.gatewayToken).toBeUndefined()
    const brand = await tokensOf('brand')
    expect(await brand.verify(await search.mint('brand', once), 'brand')).toMatchObject({ actor: 'search', userId: null, isAdmin: false })
  })
})

describe('a token', () => {
  const other = { ...testCaller(visitor), requestId: 'another-request' }

  test('serves for the further calls of a caller, and for nobody else’s', async () => {
    const token = await gateway.mint('booking', testCaller(visitor))
    expect(await gateway.mint('booking', other)).toBe(token)
    const others: Partial<Caller>[] = [
      ...[{ userId: 'usr_2' }, { userId: null }, { sessionId: 'ses_2' }, { visitorId: null }, { isAdmin: false }, { adminProofAt: null }],
      ...[{ brand: 'atlas.example' }, { markupPercent: 24 }, { mode: 'live' as const }, { ip: '192.0.2.1' }],
    ]
    for (const change of others) expect(await gateway.mint('booking', testCaller({ ...visitor, ...change }))).not.toBe(token)
    expect(await gateway.mint('payment', testCaller(visitor))).not.toBe(token)
  })

  test('is minted anew after half its life, and believed to its end and no longer', async () => {
    const at = (seconds: number) =>
      replaceRuntime({ now: () => Date.now() + seconds * 1000, monotonic: () => performance.now() + seconds * 1000 })
    const caller = testCaller({ userId: 'usr_of_the_clock' })
    const token = await gateway.mint('booking', caller)
    await booking.verify(token, 'booking')
    const after = async (seconds: number) => {
      const restore = at(seconds)
      try {
        return [
          (await gateway.mint('booking', caller)) === token,
          await booking.verify(token, 'booking').then(
            () => 'believed',
            () => 'refused',
          ),
        ]
      } finally {
        restore()
      }
    }
    expect(await after(29)).toEqual([true, 'believed'])
    expect(await after(59)).toEqual([false, 'believed'])
    expect(await after(67)).toEqual([false, 'refused'])
  })

  test('that was verified for one service is still refused for another', async () => {
    const token = await gateway.mint('booking', testCaller({ userId: 'usr_of_two' }))
    await search.verify(token, 'booking')
    await expect(search.verify(token, 'search')).rejects.toMatchObject(refused)
  })

  test('comes with the id of its request, and with a new one where that is none', async () => {
    const token = await gateway.mint('booking', other)
    expect((await booking.verify(token, 'booking', 'visit-1')).requestId).toBe('visit-1')
    for (const odd of [undefined, '', 'a b', 'x'.repeat(65)])
      expect((await booking.verify(token, 'booking', odd)).requestId).toMatch(/^[\w-]{36}$/)
  })
})

test('keys of a test speak for the service that they are asked to', async () => {
  const headers = await keys.headers('search', { actor: 'booking', userId: 'usr_1' })
  expect(await search.verify(headers[TOKEN_HEADER], 'search')).toMatchObject({ actor: 'booking', userId: 'usr_1' })
})
