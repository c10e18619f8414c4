import { describe, expect, test } from 'vitest'
import { coveredIds, idsIn, idsOfTests, knownIds, namedIds } from './test-names.ts'

describe('ids in names of tests', () => {
  test('a range names every id in it, however it is written', () => {
    const four = ['RES-01', 'RES-02', 'RES-03', 'RES-04']
    for (const text of ['RES-01..RES-04', 'RES-01 to 04', 'RES-01 to RES-04', 'RES-01..04: sorts']) expect(idsIn(text)).toEqual(four)
    expect(idsIn('RES-01, RES-04: both')).toEqual(['RES-01', 'RES-04'])
    expect(idsIn('R-92, ASRCH-17: leaves the list')).toEqual(['R-92', 'ASRCH-17'])
  })

  test('rows of each count, comments do not', () => {
    const source = `
      // GEN-01 is elsewhere
      /** GEN-02 too */
      test.each([['GEN-03: one', 1], ["GEN-04: two", 2]])('%s', () => {})
      test(\`GEN-05: \${name}\`, () => {})`
    expect(idsOfTests(source)).toEqual(['GEN-03', 'GEN-04', 'GEN-05'])
  })
})

test('no line of behaviour that had a test has lost it (`npm run checklist -- --write` takes the list anew)', () => {
  const known = knownIds()
  expect([...known.values()].filter((kind) => kind === 'line')).toHaveLength(581)
  const named = namedIds(known)
  expect(coveredIds().filter((id) => !named.has(id))).toEqual([])
})
