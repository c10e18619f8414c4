/** docs/walkthrough.md against the code: its files and functions exist, and its lists stay short. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { read, root } from './source-files.ts'

const sections = read('docs/walkthrough.md')
  .split(/^## /m)
  .slice(1)
  .map((text) => ({
    text,
    stops: [...text.matchAll(/^\| `([^`]+\.ts)`([^|]*)\|/gm)].map(([, file = '', names = '']) => ({
      file,
      functions: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    })),
  }))

test('a cached search has at most 7 stops, and a booking at most 14', () => {
  expect(sections.map(({ stops }) => stops.length > 0)).toEqual([true, true])
  const [search, booking] = sections.map(({ stops }) => new Set(stops.map(({ file }) => file)).size)
  expect(search).toBeLessThanOrEqual(7)
  expect(booking).toBeLessThanOrEqual(14)
})

test('every file exists', () => {
  const files = sections.flatMap(({ text }) => [...text.matchAll(/`([a-z][\w./-]*\/[\w.-]+\.ts)`/g)].map(([, file = '']) => file))
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('every stop has the functions that are named', () => {
  const missing = sections.flatMap(({ stops }) =>
    stops.flatMap(({ file, functions }) =>
      functions.filter((name) => !new RegExp(`(function|const|class) ${name}\\b`).test(read(file))).map((name) => `${file}: ${name}`),
    ),
  )
  expect(missing).toEqual([])
})
