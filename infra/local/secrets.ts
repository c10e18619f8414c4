/** Keys and passwords of one data folder: made on the first start, kept for the next ones, never in the repository. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateFolder } from '@passerelle/servers/private-files'
import { exportJWK, generateKeyPair, type JWK } from 'jose'

export const processNames = ['gateway', 'search', 'booking', 'payment', 'identity', 'brand'] as const
export type ProcessName = (typeof processNames)[number]

export type Secrets = {
  /** Private key of each process, and everybody's public keys. */
  keys: Record<ProcessName, JWK>
  jwks: { keys: JWK[] }
  documentKey: string
  /** For keyed hashes of what could be guessed. */
  hashKey: string
  adminPassword: string
  webhookSecret: string
}

async function keyPair(kid: string): Promise<{ private: JWK; public: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
  return { private: { ...(await exportJWK(privateKey)), kid }, public: { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA' } }
}

async function makeSecrets(): Promise<Secrets> {
  const pairs = await Promise.all(processNames.map(async (name) => [name, await keyPair(name)] as const))
  return {
    keys: Object.fromEntries(pairs.map(([name, pair]) => [name, pair.private])) as Secrets['keys'],
    jwks: { keys: pairs.map(([, pair]) => pair.public) },
    documentKey: randomBytes(32).toString('base64'),
    hashKey: randomBytes(32).toString('base64'),
    adminPassword: `Pa1-${randomBytes(12).toString('base64url')}`,
    webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
  }
}

const needed: Record<keyof Secrets, true> = {
  keys: true,
  jwks: true,
  documentKey: true,
  hashKey: true,
  adminPassword: true,
  webhookSecret: true,
}

/** `isNew`: this folder had no secrets yet. One that an earlier version made gets what it lacks. */
export async function loadSecrets(dataDir: string): Promise<Secrets & { isNew: boolean }> {
  const file = join(dataDir, 'secrets.json')
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Secrets>) : null
  if (kept && Object.keys(needed).every((name) => name in kept)) return { ...(kept as Secrets), isNew: false }
  const secrets: Secrets = { ...(await makeSecrets()), ...kept }
  privateFolder(dataDir)
  writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600 })
  return { ...secrets, isNew: kept === null }
}
