import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const make = () => execFileSync(process.execPath, [new URL('./main.ts', import.meta.url).pathname, folder], { encoding: 'utf8' })
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const everything = () =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [
        join(entry.parentPath, entry.name).slice(folder.length + 1),
        readFileSync(join(entry.parentPath, entry.name), 'utf8'),
      ]),
  )

describe('the secrets of a compose system', () => {
  test('are made once and kept', () => {
    make()
    const first = everything()
    expect(make()).toContain('the secrets are there')
    expect(everything()).toEqual(first)
  })

  test('of an earlier version get what is new, and keep what they have', () => {
    make()
    const first = everything()
    for (const name of ['kept', 'redis', 'kafka', 'payment/hash-key', 'search/redis-url', 'booking/kafka-password'])
      rmSync(join(folder, name), { recursive: true })
    make()
    const second = everything()
    expect(Object.keys(second).sort()).toEqual(Object.keys(first).sort())
    for (const kept of ['mongo/root', 'booking/document-key', 'identity/internal-key', 'public/jwks.json'])
      expect(second[kept]).toBe(first[kept])
    expect(second['booking/kafka-password']).toBe(second['kept/kafka/booking'])
    expect(second['kafka/jaas.conf']).toContain(`user_booking="${second['kept/kafka/booking']}"`)
  })

  test('give each service its own password for each server, and nobody another one', () => {
    make()
    expect(read('search/redis-url')).toBe(`redis://search:${read('kept/redis/search')}@redis:6379`)
    for (const service of ['booking', 'payment', 'identity', 'brand']) {
      expect(read(`${service}/kafka-password`)).toBe(read(`kept/kafka/${service}`))
      const own = Object.entries(everything()).filter(([name]) => name.startsWith(`${service}/`))
      const others = ['admin', 'booking', 'payment', 'identity', 'brand'].filter((other) => other !== service)
      for (const other of others) for (const [name, text] of own) expect(text, name).not.toContain(read(`kept/kafka/${other}`))
    }
    const shown = Object.entries(everything()).filter(([name]) => name.startsWith('redis/'))
    for (const service of ['search', 'gateway'])
      for (const [name, text] of shown) expect(text, name).not.toContain(read(`kept/redis/${service}`))
    const published = JSON.parse(read('public/jwks.json')) as { keys: Record<string, unknown>[] }
    expect(published.keys.map((key) => [key.kid, 'd' in key])).toEqual(
      ['gateway', 'search', 'booking', 'payment', 'identity', 'brand'].map((name) => [name, false]),
    )
  })
})
