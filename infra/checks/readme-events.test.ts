/** The tables of events in README.md and in the services' pages against the code, in both directions. */
import { describe, expect, test } from 'vitest'
import { consumedIn, contractEvents, namedIn, pointOf, publishedIn, sources } from './events-in-code.ts'
import { read } from './source-files.ts'

const services = ['search', 'booking', 'payment', 'identity', 'brand']
const rowOf = (service: string) =>
  read('README.md')
    .split('\n')
    .find((line) => line.startsWith(`| [${service}](`))
    ?.split('|') ?? []

test('every event of the contracts is published by its owner', () => {
  const owned = services.map((service) => publishedIn(sources(`services/${service}`)))
  const expected = services.map((service) => [...contractEvents.values()].filter(({ owner }) => owner === service).map(({ name }) => name))
  expect(owned).toEqual(expected.map((names) => names.sort()))
})

describe.each(services)('%s', (service) => {
  const page = read(`services/${service}/README.md`)
  const published = publishedIn(sources(`services/${service}`))
  const consumed = consumedIn(sources(`services/${service}`))
  const ofOthers = consumed.filter((name) => !published.includes(name))
  const ofItsOwn = consumed.filter((name) => published.includes(name))

  test('README.md says what it publishes', () => {
    expect(namedIn(rowOf(service)[3] ?? '')).toEqual(published)
  })

  test('README.md says what it consumes', () => {
    const cell = rowOf(service)[4] ?? ''
    expect(namedIn(cell)).toEqual(ofOthers)
    expect(/its own/.test(cell), 'consumes events of its own').toBe(ofItsOwn.length > 0)
  })

  test('its own page says both', () => {
    if (published.length + consumed.length === 0) return expect(pointOf(page, 'Publishes, consumes** nothing')).not.toBe('')
    expect(namedIn(pointOf(page, 'Publishes'))).toEqual(published)
    const point = pointOf(page, 'Consumes')
    const named = /its own events/.test(point) ? [...namedIn(point), ...published] : namedIn(point)
    expect(named.sort()).toEqual(consumed)
  })
})

test('the diagram joins the services that publish or consume to Kafka, and no other', () => {
  const [, joined = ''] = /^\s*([\w &]+) <-\. events \.-> kafka/m.exec(read('README.md')) ?? []
  const usesEvents = (service: string) =>
    publishedIn(sources(`services/${service}`)).length + consumedIn(sources(`services/${service}`)).length > 0
  expect(joined.split(' & ').sort()).toEqual(services.filter(usesEvents).sort())
})

describe('reading code and pages', () => {
  const from = "import { bookingConfirmed, bookingFailed } from '@passerelle/contracts/events/booking'\n"
  const code = (text: string) => [{ path: 'x.ts', text }]

  test('an event is published wherever its constant is used as a value, through whatever function', () => {
    for (const use of [
      'leased.event(bookingConfirmed, { id })',
      'const e = { definition: bookingConfirmed }',
      'createOutboxEvent(\n  bookingConfirmed,',
    ])
      expect(publishedIn(code(from + use))).toEqual(['booking.confirmed'])
    for (const use of [
      'on(bookingConfirmed, work)',
      'let e: typeof bookingConfirmed',
      '// bookingConfirmed',
      'return { bookingConfirmed: 1 }',
    ])
      expect(publishedIn(code(from + use))).toEqual([])
    expect(publishedIn(code('const bookingConfirmed = 1\nuse(bookingConfirmed)'))).toEqual([])
  })

  test('an event is consumed where `on` listens to it', () => {
    expect(consumedIn(code(`${from}on(\n  bookingFailed, work)`))).toEqual(['booking.failed'])
    expect(consumedIn(code(`${from}leased.event(bookingFailed, {})`))).toEqual([])
  })

  test('a short name on a page belongs to the owner before it', () => {
    expect(namedIn('`booking.failed` `.confirmed`, `account.created`')).toEqual(['account.created', 'booking.confirmed', 'booking.failed'])
  })
})
