/**
 * The secrets of a compose system, made once into a volume: internal keys, database passwords, the document key. Files that exist are
 * kept. In production these come from the platform's own store of secrets.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, type JWK } from 'jose'

const folder = process.argv[2] ?? '/secrets'
const host = process.argv[3] ?? 'mongo:27017'
const databases = ['search', 'booking', 'payment', 'identity', 'brand']

if (existsSync(join(folder, 'public/jwks.json'))) {
  console.log('the secrets are there')
  process.exit(0)
}
const keep = (name: string, text: string, mode = 0o444) => {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), text, { mode })
}
const password = () => randomBytes(24).toString('base64url')

keep('mongo/key', randomBytes(96).toString('base64'))
keep('mongo/root', password())
for (const database of databases) {
  const secret = password()
  keep(`mongo/${database}`, secret)
  keep(`${database}/mongo-url`, `mongodb://${database}:${secret}@${host}/?replicaSet=rs0&authSource=${database}&w=majority&journal=true`)
}
keep('booking/document-key', randomBytes(32).toString('base64'))
const webhook = `whsec_${randomBytes(24).toString('hex')}`
keep('payment/webhook', webhook)
keep('simulators/webhook', webhook)
keep('identity/admin', `Pa1-${randomBytes(12).toString('base64url')}`)

const publicKeys: JWK[] = []
for (const name of ['gateway', ...databases]) {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
  keep(`${name}/internal-key`, JSON.stringify({ ...(await exportJWK(privateKey)), kid: name }))
  publicKeys.push({ ...(await exportJWK(publicKey)), kid: name, alg: 'EdDSA' })
}
// Last: its presence says that all the others are there.
keep('public/jwks.json', JSON.stringify({ keys: publicKeys }))
console.log('the secrets were made')
