/** For tests of services: keys, tokens and callers without a gateway. */
import { exportJWK, generateKeyPair } from 'jose'
import { type Caller, createTokens, systemCaller, TOKEN_HEADER, type Tokens } from './auth.ts'

export type TestKeys = {
  env: { INTERNAL_KEY: string; INTERNAL_JWKS: string }
  tokens: Tokens
  headers(audience: string, caller?: Partial<Caller>): Promise<Record<string, string>>
}

export async function createTestKeys(issuer = 'gateway'): Promise<TestKeys> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
  const kid = 'test'
  const env = {
    INTERNAL_KEY: JSON.stringify({ ...(await exportJWK(privateKey)), kid }),
    INTERNAL_JWKS: JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'EdDSA' }] }),
  }
  const tokens = await createTokens(issuer, env.INTERNAL_KEY, env.INTERNAL_JWKS)
  return {
    env,
    tokens,
    headers: async (audience, caller = {}) => ({ [TOKEN_HEADER]: await tokens.mint(audience, testCaller(caller)) }),
  }
}

/** A visitor without a session, in test mode, on the default brand with 23 % markup. */
export function testCaller(about: Partial<Caller> = {}): Caller {
  return {
    ...systemCaller('gateway', { brand: 'default', mode: 'test', markupPercent: 23, requestId: 'test-request' }),
    ip: '127.0.0.1',
    ...about,
  }
}
