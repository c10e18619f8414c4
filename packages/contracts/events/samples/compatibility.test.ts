import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { breaks, schemaOf, variants } from './compatibility.ts'

const shape = {
  bookingId: z.string(),
  mode: z.enum(['test', 'live']),
  userId: z.string().nullable(),
  amountMinor: z.int().nonnegative(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  note: z.string().optional(),
}
const frozen = schemaOf(z.object(shape))
const sample = { bookingId: 'bkg_1', mode: 'test', userId: 'usr_1', amountMinor: 100, currency: 'EUR', note: 'n', seats: 2 }
const changed = (change: Record<string, z.ZodType>, without: string[] = []) => {
  const fields = Object.entries({ ...shape, ...change }).filter(([name]) => !without.includes(name))
  return breaks(frozen, schemaOf(z.object(Object.fromEntries(fields))), sample)
}

describe('what services of two releases can live with', () => {
  test('nothing changed', () => expect(changed({})).toEqual([]))
  test('an optional field is added', () => expect(changed({ seats: z.int().optional() })).toEqual([]))
  test('an optional field is removed', () => expect(changed({}, ['note'])).toEqual([]))
})

describe('what would break one of them', () => {
  const cases: [string, string[]][] = [
    ['a field is removed', changed({}, ['userId'])],
    ['a field is renamed', changed({ id: z.string() }, ['bookingId'])],
    ['a new field is required', changed({ seats: z.int() })],
    ['an optional field becomes required', changed({ note: z.string() })],
    ['a field becomes optional', changed({ currency: z.string().optional() })],
    ['a choice is added', changed({ mode: z.enum(['test', 'live', 'dry']) })],
    ['a choice is taken away', changed({ mode: z.enum(['test']) })],
    ['a field may become null', changed({ bookingId: z.string().nullable() })],
    ['a field may no longer be null', changed({ userId: z.string() })],
    ['a type changes', changed({ amountMinor: z.string() })],
    ['whole numbers become fractions', changed({ amountMinor: z.number().nonnegative() })],
    ['a bound is lowered', changed({ amountMinor: z.int() })],
    ['a bound is raised', changed({ amountMinor: z.int().positive() })],
    ['a text gets a length', changed({ bookingId: z.string().length(8) })],
    ['a text may be empty now', breaks(schemaOf(z.object({ a: z.string().min(1) })), schemaOf(z.object({ a: z.string() })), { a: 'a' })],
    ['a pattern no longer takes the sample', changed({ currency: z.string().regex(/^[a-z]{3}$/) })],
  ]
  test.each(cases)('%s', (_, found) => expect(found).not.toEqual([]))
})

test('a break says whose events who would refuse, and at which field', () => {
  expect(changed({ userId: z.string() })).toEqual([expect.stringMatching(/^new services would refuse the last release’s userId: /)])
  expect(changed({}, ['userId'])).toEqual([expect.stringMatching(/^services of the last release would refuse the new userId: /)])
})

test('variants reach into objects and lists', () => {
  const nested = schemaOf(
    z.object({ legs: z.array(z.object({ from: z.enum(['LHR', 'JFK']) })), about: z.object({ kind: z.literal('x') }).optional() }),
  )
  const made = variants(nested, { legs: [{ from: 'LHR' }], about: { kind: 'x' } }).map((one) => JSON.stringify(one))
  expect(made).toContain('{"legs":[],"about":{"kind":"x"}}')
  expect(made).toContain('{"legs":[{"from":"JFK"}],"about":{"kind":"x"}}')
  expect(made).toContain('{"legs":[{"from":"LHR"}]}')
})
