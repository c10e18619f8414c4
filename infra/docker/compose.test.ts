import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const compose = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8')
const partOf = (service: string) => new RegExp(`^  ${service}:\\n((?: {4}.*\\n| *\\n)+)`, 'm').exec(compose)?.[1] ?? ''
/** As Compose puts in what the environment says. */
const from = (name: string, text: string) => `${name}: '$\{${text}}'`

test('live mode can be switched on when, and only when, all live keys are given', () => {
  expect(partOf('brand')).toContain(from('LIVE_FLIGHTS_CONFIGURED', 'DUFFEL_LIVE_TOKEN:+true'))
  expect(partOf('brand')).toContain(from('LIVE_CARDS_CONFIGURED', `STRIPE_LIVE_KEY:+$\{STRIPE_LIVE_PUBLISHABLE_KEY:+true}`))
  for (const service of ['search', 'booking']) expect(partOf(service)).toContain(from('DUFFEL_LIVE_TOKEN', 'DUFFEL_LIVE_TOKEN:-'))
  expect(partOf('payment')).toContain(from('STRIPE_LIVE_KEY', 'STRIPE_LIVE_KEY:-'))
})

test('the gateway knows how many proxies stand in front of it', () =>
  expect(partOf('gateway')).toContain(from('TRUSTED_HOPS', 'TRUSTED_HOPS:-0')))

test('a container sees the secrets of its own and the public ones, and no other', () => {
  for (const service of ['gateway', 'search', 'booking', 'payment', 'identity', 'brand', 'topics', 'redis', 'kafka', 'simulators']) {
    const seen = [...partOf(service).matchAll(/source: secrets,.*?subpath: (\w+)/g)].map(([, folder]) => folder)
    expect([service, seen.filter((folder) => folder !== 'public')]).toEqual([service, [service]])
  }
  expect(compose.match(/secrets:\/\w+/g)).toEqual(['secrets:/data'])
})

test('nobody reaches the cache or the bus without credentials', () => {
  expect(compose).not.toMatch(/REDIS_URL:|PLAINTEXT:\/\/|nopass/)
  for (const service of ['booking', 'payment', 'identity', 'brand']) expect(partOf(service)).toContain(`KAFKA_USERNAME: ${service},`)
})
