import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { chanceOf } from './chance.ts'
import { Events } from './events.ts'
import { drawFaults } from './faults.ts'
import { edited, mutants } from './mutants.ts'

test('the same seed draws the same faults, and another seed others', () => {
  const faults = (seed: number) => drawFaults(chanceOf(seed, 2))
  expect(faults(7)).toEqual(faults(7))
  expect(new Set([1, 2, 3, 4, 5].map((seed) => JSON.stringify(faults(seed)))).size).toBe(5)
})

test('what is due leaves in order of time, and in order of arrival within an instant', () => {
  const events = new Events()
  const chance = chanceOf(1)
  const due = Array.from({ length: 500 }, (_, order) => ({ at: chance.int(0, 40), order }))
  for (const { at } of due) events.add({ at, run: () => {}, owner: null, cancelled: false, unref: () => ({}) as never })
  const left = Array.from({ length: 500 }, () => events.next() as unknown as { at: number; order: number })
  const wanted = due.toSorted((a, b) => a.at - b.at || a.order - b.order)
  expect(left.map(({ at, order }) => ({ at, order }))).toEqual(wanted)
  expect(events.next()).toBeUndefined()
})

describe.each(mutants)('the mutant: $name', ({ edits }) => {
  test('changes text that the product has exactly once', () => {
    for (const edit of edits) {
      const source = readFileSync(new URL(`../../${edit.file}`, import.meta.url), 'utf8')
      expect(edited(source, edit)).not.toBe(source)
    }
  })
})
