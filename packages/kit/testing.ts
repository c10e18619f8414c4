/** For tests of services: keys, tokens and callers without a gateway. */
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { type Caller, createTokens, REQUEST_ID_HEADER, systemCaller, TOKEN_HEADER, type Tokens } from './auth.ts'

const processes = ['gateway', 'search', 'booking', 'payment', 'identity', 'brand']

export type TestKeys = {
  /** The keys as the process of that name gets them. */
  environment(name: string): { INTERNAL_KEY: string; INTERNAL_JWKS: string }
  /** The gateway's. */
  tokens: Tokens
  /** Of the gateway, or of the service that `caller.actor` names, which then calls on behalf of the visitor in `caller`. */
  headers(audience: string, caller?: Partial<Caller>): Promise<Record<string, string>>
}

/** `more`: names of processes that the product does not have. */
export async function createTestKeys(...more: string[]): Promise<TestKeys> {
  const pairs = new Map<string, JWK>()
  const publicKeys: JWK[] = []
  for (const kid of [...processes, ...more]) {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
    pairs.set(kid, { ...(await exportJWK(privateKey)), kid })
    publicKeys.push({ ...(await exportJWK(publicKey)), kid, alg: 'EdDSA' })
  }
  const environment = (name: string) => ({
    INTERNAL_KEY: JSON.stringify(pairs.get(name)),
    INTERNAL_JWKS: JSON.stringify({ keys: publicKeys }),
  })
  const tokensOf = (name: string) => {
    const { INTERNAL_KEY, INTERNAL_JWKS } = environment(name)
    return createTokens(name, INTERNAL_KEY, INTERNAL_JWKS)
  }
  const gateway = await tokensOf('gateway')
  return {
    environment,
    tokens: gateway,
    async headers(audience, about = {}) {
      const caller = testCaller(about)
      const request = { [REQUEST_ID_HEADER]: caller.requestId }
      if (caller.actor === 'gateway') return { [TOKEN_HEADER]: await gateway.mint(audience, caller), ...request }
      const gatewayToken = await gateway.mint(caller.actor, caller)
      return { [TOKEN_HEADER]: await (await tokensOf(caller.actor)).mint(audience, { ...caller, gatewayToken }), ...request }
    },
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
