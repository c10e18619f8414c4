import { expect, test } from 'vitest'
import { z } from 'zod'
import { eventType, topicOf } from '../event.ts'
import { allEvents } from './all.ts'
import { allTopics } from './topics.ts'

/** Names of fields that would be personal or secret. */
const FORBIDDEN = /name|e-?mail|phone|passport|frequent|loyalty|document|birth|card|cvv|password|token|address|holder/i

function fields(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, anyOf, items } = schema as { properties?: Record<string, unknown>; anyOf?: unknown[]; items?: unknown }
  const own = Object.entries(properties ?? {}).flatMap(([name, inner]) => [`${path}${name}`, ...fields(inner, `${path}${name}.`)])
  return [...own, ...(anyOf ?? []).flatMap((one) => fields(one, path)), ...fields(items, path)]
}

test('no event has a field for names, addresses, documents, cards or passwords', () => {
  for (const definition of allEvents) {
    const found = fields(z.toJSONSchema(definition.schema, { unrepresentable: 'any' })).filter((field) => FORBIDDEN.test(field))
    expect(found, definition.name).toEqual([])
  }
})

test('the test above would notice such a field', () => {
  expect(
    fields(z.toJSONSchema(z.object({ about: z.object({ email: z.string() }).nullable() }))).filter((field) => FORBIDDEN.test(field)),
  ).toEqual(['about.email'])
})

test('names are aggregate.past-tense, types are unique, and each topic exists', () => {
  const types = allEvents.map(eventType)
  expect(new Set(types).size).toBe(types.length)
  for (const definition of allEvents) {
    expect(definition.name).toMatch(/^[a-z]+\.[a-z-]+(ed|ing)$/)
    expect(allTopics.map((topic) => topic.name)).toContain(topicOf(definition))
  }
})
