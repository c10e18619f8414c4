/** Golden samples and frozen schemas: what has once been published stays readable. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventType } from '../event.ts'
import { allEvents } from './all.ts'
import { breaks, type JsonSchema, schemaOf } from './samples/compatibility.ts'

const folder = join(import.meta.dirname, 'samples')
const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))

const FROZEN = 'schemas.json'
const frozen = read(FROZEN) as Record<string, JsonSchema>
const samples = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== FROZEN)
const types = allEvents.map(eventType).sort()

test('every event has a sample and every sample an event', () => {
  expect(samples.map((name) => name.slice(0, -'.json'.length)).sort()).toEqual(types)
})

test('every event is frozen (node infra/kafka/freeze-events.ts) and every frozen event is still published', () => {
  expect(Object.keys(frozen).sort()).toEqual(types)
})

describe.each(allEvents.map((definition) => ({ type: eventType(definition), definition })))('$type', ({ type, definition }) => {
  test('its sample is read unchanged and has a key', () => {
    const sample = read(`${type}.json`)
    const data = definition.schema.parse(sample)
    expect(data).toEqual(sample)
    expect(definition.key(data)).toMatch(/^[A-Za-z0-9_.-]+$/)
  })

  test('services of the last release and of this one read each other’s', () => {
    expect(breaks(frozen[type] ?? {}, schemaOf(definition.schema), read(`${type}.json`))).toEqual([])
  })
})
