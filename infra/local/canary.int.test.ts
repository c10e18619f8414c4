/**
 * Secrets that go through the system and must not stay: marked ones are sent along whole journeys, good and bad, and then looked for
 * in every log line, document, event, cache entry, mail and file.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type WatchedSystem, watchedSystem } from './canary.fixture.ts'
import { canaries, FIRST_NAME, marks } from './canary-journeys.fixture.ts'
import { findSecrets, placesOfCode } from './canary-search.fixture.ts'

let system: WatchedSystem
/** Name of a place, such as "mongo booking.bookings", to all that is there. */
let stores: Map<string, string>
let told: ReturnType<typeof canaries>['told']
let found: Map<string, string[]>

beforeAll(async () => {
  system = await watchedSystem({ ORDER_SEND_WITHIN_MS: '1000', ORDER_LONGEST_MS: '4000' })
  const canary = canaries(system)
  for (const [name, take] of Object.entries(canary.journeys)) {
    await take()
    // In the middle of it all the process is killed, and another one finds what it has left.
    if (name === 'failed') await system.crash()
  }
  told = canary.told
  stores = await system.stores()
  const { card, ...others } = marks
  const secrets = [card.number, card.holderName, FIRST_NAME, ...Object.values(others)]
  found = findSecrets(stores, [...secrets, ...told.generated, ...told.sessionTokens, ...told.links, ...told.emails, ...told.references])
}, 240_000)
afterAll(async () => {
  await system.stop()
})

const notInDatabase = (place: string) => !/^(mongo|file mongo)/.test(place) && place !== 'mails'
const placesOf = (secret: string) => found.get(secret)

describe('after all these journeys', () => {
  test('EVT-03: what is looked through is really what the system has written and kept', () => {
    const text = (place: string) => stores.get(place) ?? ''
    expect(text('output').split('\n').length).toBeGreaterThan(50)
    expect(text('output')).toContain('"err":{')
    for (const service of ['search', 'booking', 'payment', 'identity', 'brand', 'gateway'])
      expect(text('output')).toContain(`"service":"${service}"`)
    for (const place of [
      'mongo booking.bookings',
      'mongo payment.payments',
      'mongo identity.users',
      'mongo identity.sessions',
      'mongo brand.brands',
    ])
      expect(text(place).length, place).toBeGreaterThan(100)
    for (const reference of told.references)
      expect(placesOf(reference)).toEqual(expect.arrayContaining(['mongo booking.bookings', 'kafka booking.events', 'mails']))
    for (const type of ['confirmed', 'cancelled', 'failed', 'pending'])
      expect(text('kafka booking.events')).toContain(`travel.booking.${type}.v1`)
    expect(text('kafka payment.events')).toContain('travel.payment.refunded.v1')
    expect(text('kafka identity.events')).toContain('travel.account.created.v1')
    expect(text('redis')).toContain('gateway:session:')
    expect(text('traces')).toContain('POST /api/bookings')
    expect(text('metrics')).toContain('http_server_request_duration')
    expect(told.sessionTokens.size).toBeGreaterThan(8)
    expect(told.generated.every((password) => password.length === 16)).toBe(true)
    expect([...told.statuses].sort()).toEqual(['cancelled', 'confirmed', 'pending'])
  })

  test.each([
    ['the card number', marks.card.number],
    ['a declined card number', marks.declined],
    ['the name on the card', marks.card.holderName],
    ['a passport number', marks.passport],
    ['a frequent flyer number', marks.frequentFlyer],
    ['a password at registration', marks.registered],
    ['a wrong password', marks.wrong],
    ['a changed password', marks.changed],
    ['a password chosen with a link', marks.chosen],
  ])('%s is nowhere', (_, secret) => {
    expect(placesOf(secret)).toEqual([])
  })

  test('the security code of the card is nowhere', () => {
    expect(placesOfCode(stores, marks.card.cvv)).toEqual([])
  })

  test('R-45: a made-up password was told in an answer and is nowhere else', () => {
    expect(told.generated).toHaveLength(2)
    for (const password of told.generated) expect(placesOf(password)).toEqual([])
  })

  test('of a session only the hash is kept', () => {
    for (const token of told.sessionTokens) expect(placesOf(token)).toEqual([])
  })

  test('of a link only the hash is kept; the link itself is in its mail alone', () => {
    expect(told.links).toHaveLength(1)
    for (const link of told.links) expect(placesOf(link)).toEqual(['mails'])
  })

  test('names and addresses are in the database and in mails, never in logs, events or the cache', () => {
    for (const email of told.emails) expect(placesOf(email)?.filter(notInDatabase)).toEqual([])
    expect(placesOf(FIRST_NAME)?.filter(notInDatabase)).toEqual([])
    expect(placesOf(FIRST_NAME)).toEqual(expect.arrayContaining(['mongo booking.bookings', 'mails']))
  })
})
