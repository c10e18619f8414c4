/**
 * Who is calling. The gateway, and every service that calls another, mints a token for one minute and one audience; a service
 * refuses anything else. Ed25519, algorithm and type fixed.
 */
import { createHash } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import { createLocalJWKSet, importJWK, type JSONWebKeySet, type JWK, jwtVerify, SignJWT } from 'jose'

export const TOKEN_HEADER = 'x-internal-token'
const TOKEN_TYPE = 'passerelle-internal+jwt'
const LIFETIME_SECONDS = 60

export type Caller = {
  /** gateway or a service's name. */
  actor: string
  userId: string | null
  /** SHA-256 of the session's token, hex; null without a session. */
  sessionId: string | null
  isAdmin: boolean
  /** ISO instant of an administrator's last password proof. */
  adminProofAt: string | null
  brand: string
  /** What this brand adds to a supplier's amount. */
  markupPercent: number
  mode: 'test' | 'live'
  requestId: string
  /** Of the visitor; only rate limits and login throttling use it. */
  ip: string | null
}

export type Tokens = {
  mint(audience: string, caller: Caller): Promise<string>
  /** Throws NOT_AUTHENTICATED on anything but a fresh token for `audience`. */
  verify(token: string | undefined, audience: string): Promise<Caller>
}

export async function createTokens(issuer: string, privateJwk: string, jwks: string): Promise<Tokens> {
  const jwk = JSON.parse(privateJwk) as JWK
  const key = await importJWK(jwk, 'EdDSA')
  const keys = createLocalJWKSet(JSON.parse(jwks) as JSONWebKeySet)
  return {
    mint(audience, { actor: _, requestId, userId, ...claims }) {
      return new SignJWT({ ...claims, rid: requestId, ...(userId && { sub: userId }) })
        .setProtectedHeader({ alg: 'EdDSA', typ: TOKEN_TYPE, ...(jwk.kid && { kid: jwk.kid }) })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(`${LIFETIME_SECONDS}s`)
        .sign(key)
    },
    async verify(token, audience) {
      if (!token) throw new AppError('NOT_AUTHENTICATED')
      try {
        const { payload } = await jwtVerify<Omit<Caller, 'actor' | 'requestId' | 'userId'> & { rid: string }>(token, keys, {
          audience,
          algorithms: ['EdDSA'],
          typ: TOKEN_TYPE,
          maxTokenAge: `${LIFETIME_SECONDS}s`,
          clockTolerance: 5,
        })
        return {
          actor: payload.iss ?? 'unknown',
          userId: payload.sub ?? null,
          sessionId: payload.sessionId ?? null,
          isAdmin: payload.isAdmin === true,
          adminProofAt: payload.adminProofAt ?? null,
          brand: payload.brand,
          markupPercent: payload.markupPercent,
          mode: payload.mode,
          requestId: payload.rid,
          ip: payload.ip ?? null,
        }
      } catch (cause) {
        throw new AppError('NOT_AUTHENTICATED', { cause })
      }
    },
  }
}

/** The caller of work that no visitor is waiting for. */
export function systemCaller(
  actor: string,
  about: { brand: string; mode: 'test' | 'live'; markupPercent?: number; requestId: string },
): Caller {
  return {
    actor,
    userId: null,
    sessionId: null,
    isAdmin: false,
    adminProofAt: null,
    brand: about.brand,
    markupPercent: about.markupPercent ?? 0,
    mode: about.mode,
    requestId: about.requestId,
    ip: null,
  }
}

/** A session is known by this hash of its cookie's value; the value itself is kept nowhere. Hex. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
