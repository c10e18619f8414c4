/**
 * Who is calling. The gateway, and every service that calls another, mints a token for one minute and one audience; a service
 * refuses anything else. A token says who calls, not what is asked: it serves for further calls of the same caller for half its life. Ed25519, algorithm and type fixed, and a key mints for its owner alone. Only the gateway says who a visitor
 * is: a service that calls another for a visitor includes the gateway's token in its own.
 */
import { hash, hkdfSync } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import { createLocalJWKSet, importJWK, type JSONWebKeySet, type JWK, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { ConfigurationError } from './configuration.ts'
import { cacheClock, now, nowMs, randomId } from './runtime.ts'

export const TOKEN_HEADER = 'x-internal-token'
/** Beside the token: another one for every request. */
export const REQUEST_ID_HEADER = 'x-request-id'
const TOKEN_TYPE = 'passerelle-internal+jwt'
const LIFETIME_SECONDS = 60
/** A service may call another for a visitor until it has answered the gateway: longer than any route's timeout. */
const ON_BEHALF_SECONDS = 300
const GATEWAY = 'gateway'
const CLOCK_TOLERANCE_SECONDS = 5
const REUSED_MS = (LIFETIME_SECONDS * 1000) / 2
/** Tokens that are remembered, minted and verified ones each; they have about 700 characters. */
const MOST_TOKENS = 5000

export type Caller = {
  /** gateway or a service's name. */
  actor: string
  userId: string | null
  /** SHA-256 of the session's token, hex; null without a session. */
  sessionId: string | null
  /** Shared by consecutive sessions of one browser: it survives a sign-in and ends with a sign-out. Owns authorisations and guest bookings. */
  visitorId: string | null
  /** Administrator of the whole system. */
  isAdmin: boolean
  /** Brands whose administrator the user is without being everybody's: a process of an older release knows them not, and takes the user for none. */
  staffOf: readonly string[]
  /** ISO instant of an administrator's last password proof. */
  adminProofAt: string | null
  brand: string
  /** The brand's markup on a supplier's amount. */
  markupPercent: number
  mode: 'test' | 'live'
  requestId: string
  /** The visitor's; only rate limits and login throttling use it. */
  ip: string | null
  /** The gateway's token, included where this service calls another for the same visitor. */
  gatewayToken?: string
}

export type Tokens = {
  /** A service's token has no claims of its own about the visitor: they come from `caller.gatewayToken`. */
  mint(audience: string, caller: Caller): Promise<string>
  /**
   * Throws NOT_AUTHENTICATED on anything but a fresh token for `audience`, signed with the key of the issuer that it names.
   * @param requestId what the caller calls this request
   */
  verify(token: string | undefined, audience: string, requestId?: string): Promise<Caller>
}

/** Claims about the visitor; accepted from the gateway alone. */
type VisitorClaims = Pick<Caller, 'sessionId' | 'visitorId' | 'isAdmin' | 'staffOf' | 'adminProofAt' | 'ip'>
type Claims = Partial<VisitorClaims> & Pick<Caller, 'brand' | 'markupPercent' | 'mode'> & { onBehalfOf?: string }

/** Keys are named after their owner: `booking`, or `booking-2` during a key rotation. */
function isKeyOf(owner: string | undefined, kid: string | undefined): boolean {
  return owner !== undefined && (kid === owner || kid?.startsWith(`${owner}-`) === true)
}

/** @throws ConfigurationError when the private key is another process's. */
export async function createTokens(issuer: string, privateJwk: string, jwks: string): Promise<Tokens> {
  const jwk = JSON.parse(privateJwk) as JWK
  const kid = jwk.kid ?? ''
  if (!isKeyOf(issuer, kid)) throw new ConfigurationError(issuer, [`INTERNAL_KEY: its kid must be "${issuer}" or begin with "${issuer}-"`])
  const key = await importJWK(jwk, 'EdDSA')
  const keys = createLocalJWKSet(JSON.parse(jwks) as JSONWebKeySet)

  const read = async (token: string, options: JWTVerifyOptions) => {
    const { payload, protectedHeader } = await jwtVerify<Claims>(token, keys, {
      algorithms: ['EdDSA'],
      typ: TOKEN_TYPE,
      maxTokenAge: `${LIFETIME_SECONDS}s`,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: now(),
      ...options,
    })
    if (!isKeyOf(payload.iss, protectedHeader.kid)) throw new Error('a token that was not signed with its issuer’s key')
    return payload
  }

  const sign = (audience: string, claims: object): Promise<string> =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'EdDSA', typ: TOKEN_TYPE, kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now())
      .setExpirationTime(new Date(nowMs() + LIFETIME_SECONDS * 1000))
      .sign(key)
  const minted = new LRUCache<string, Promise<string>>({ max: MOST_TOKENS, ttl: REUSED_MS, ...cacheClock })
  const verified = new LRUCache<string, Verified>({ max: MOST_TOKENS })

  const check = async (token: string, audience: string): Promise<Verified> => {
    const { iss: actor = '', exp = 0, brand, markupPercent, mode, ...claims } = await read(token, { audience })
    const isGateway = actor === GATEWAY
    // The inner token was issued to that service alone.
    const inner = claims.onBehalfOf && { issuer: GATEWAY, audience: actor, clockTolerance: ON_BEHALF_SECONDS }
    const visitor = isGateway ? claims : inner ? await read(claims.onBehalfOf as string, inner) : {}
    const caller = {
      actor,
      userId: visitor.sub ?? null,
      sessionId: visitor.sessionId ?? null,
      visitorId: visitor.visitorId ?? null,
      isAdmin: visitor.isAdmin === true,
      staffOf: visitor.staffOf ?? [],
      adminProofAt: visitor.adminProofAt ?? null,
      brand,
      markupPercent,
      mode,
      ip: visitor.ip ?? null,
      ...(isGateway && { gatewayToken: token }),
    }
    return { audience, until: (exp + CLOCK_TOLERANCE_SECONDS) * 1000, caller }
  }

  return {
    mint(audience, { userId, brand, markupPercent, mode, sessionId, visitorId, isAdmin, staffOf, adminProofAt, ip, gatewayToken }) {
      const visitor: VisitorClaims = { sessionId, visitorId, isAdmin, staffOf, adminProofAt, ip }
      const who = issuer === GATEWAY ? { ...visitor, ...(userId && { sub: userId }) } : gatewayToken && { onBehalfOf: gatewayToken }
      const claims = { brand, markupPercent, mode, ...who }
      const same = `${audience} ${JSON.stringify(claims)}`
      const known = minted.get(same)
      if (known) return known
      const token = sign(audience, claims)
      minted.set(same, token)
      return token
    },
    async verify(token, audience, requestId = '') {
      if (!token) throw new AppError('NOT_AUTHENTICATED')
      const known = verified.get(token)
      const id = REQUEST_ID.test(requestId) ? requestId : randomId()
      if (known && known.audience === audience && known.until > nowMs()) return { ...known.caller, requestId: id }
      try {
        const fresh = await check(token, audience)
        verified.set(token, fresh)
        return { ...fresh.caller, requestId: id }
      } catch (cause) {
        throw new AppError('NOT_AUTHENTICATED', { cause })
      }
    },
  }
}

/** What a token said, for as long as it is valid. */
type Verified = { audience: string; until: number; caller: Omit<Caller, 'requestId'> }

const REQUEST_ID = /^[\w-]{1,64}$/

/** The caller of background work. */
export function systemCaller(
  actor: string,
  about: { brand: string; mode: 'test' | 'live'; markupPercent?: number; requestId: string },
): Caller {
  return {
    actor,
    userId: null,
    sessionId: null,
    visitorId: null,
    isAdmin: false,
    staffOf: [],
    adminProofAt: null,
    brand: about.brand,
    markupPercent: about.markupPercent ?? 0,
    mode: about.mode,
    requestId: about.requestId,
    ip: null,
  }
}

/** A secret derived from this process's private key: the same in every replica, and a different one for each purpose. */
export function secretFrom(privateJwk: string, purpose: string): Buffer {
  const { d = '' } = JSON.parse(privateJwk) as JWK
  return Buffer.from(hkdfSync('sha256', Buffer.from(d, 'base64url'), '', `passerelle ${purpose}`, 32))
}

/** The id of a session: the SHA-256 of its cookie's value, hex. The value itself is not stored. */
export const hashToken = (token: string) => hash('sha256', token)
