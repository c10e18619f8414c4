/**
 * The secrets of a compose system, made once into a volume: internal keys, passwords of databases, cache and bus, keys for documents and
 * hashes. Each container sees the folder of its own, and none sees `kept`. What exists is kept, what a newer version needs is added. In production these come
 * from the platform's own store of secrets.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { busServices, kafkaUsers } from './kafka-users.ts'
import { cachingServices, redisUsers } from './redis-users.ts'

const [folder = '/secrets', mongoHost = 'mongo:27017', redisHost = 'redis:6379'] = process.argv.slice(2)
const databases = ['search', 'booking', 'payment', 'identity', 'brand']
let made = 0

/** The secret of that name; made when it is not there yet. */
function secret(name: string, make: () => string): string {
  const file = join(folder, name)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  write(name, make())
  return readFileSync(file, 'utf8')
}

/** Containers run as different users, and each mounts its own folder only: within it everything can be read. */
function write(name: string, text: string): void {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { mode: 0o444 })
  made++
}

/** What follows from other secrets. */
function derive(name: string, text: string): void {
  const file = join(folder, name)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  write(`${name}.new`, text)
  renameSync(join(folder, `${name}.new`), file)
}

const password = () => randomBytes(24).toString('base64url')
const key = () => randomBytes(32).toString('base64')
const passwords = <Name extends string>(place: string, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, secret(`${place}/${name}`, password)])) as Record<Name, string>

secret('mongo/key', () => randomBytes(96).toString('base64'))
secret('mongo/root', password)
for (const database of databases) {
  const own = secret(`mongo/${database}`, password)
  derive(
    `${database}/mongo-url`,
    `mongodb://${database}:${own}@${mongoHost}/?replicaSet=rs0&authSource=${database}&w=majority&journal=true`,
  )
}

const redis = passwords('kept/redis', ['admin', 'health', ...cachingServices])
derive('redis/users.acl', redisUsers(redis))
derive('redis/health', redis.health)
for (const service of cachingServices) derive(`${service}/redis-url`, `redis://${service}:${redis[service]}@${redisHost}`)

const kafka = passwords('kept/kafka', ['admin', ...busServices])
derive('kafka/jaas.conf', kafkaUsers(kafka))
derive('topics/kafka-password', kafka.admin)
for (const service of busServices) derive(`${service}/kafka-password`, kafka[service])

secret('booking/document-key', key)
secret('payment/hash-key', key)
derive(
  'simulators/webhook',
  secret('payment/webhook', () => `whsec_${randomBytes(24).toString('hex')}`),
)
derive(
  'simulators/notices',
  secret('booking/notices', () => `whsec_${randomBytes(24).toString('hex')}`),
)
secret('identity/admin', () => `Pa1-${randomBytes(12).toString('base64url')}`)

const publicKeys: JWK[] = []
for (const name of ['gateway', ...databases]) {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  const fresh = JSON.stringify({ ...(await exportJWK(privateKey)), kid: name })
  const { d: _, ...publicPart } = JSON.parse(secret(`${name}/internal-key`, () => fresh)) as JWK
  publicKeys.push({ ...publicPart, alg: 'EdDSA' })
}
derive('public/jwks.json', JSON.stringify({ keys: publicKeys }))
console.log(made === 0 ? 'the secrets are there' : `${made} secrets were made`)
