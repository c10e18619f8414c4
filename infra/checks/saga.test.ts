import { expect, test } from 'vitest'
import { sagaText } from './saga-text.ts'
import { read } from './source-files.ts'

test('docs/saga.md draws the table of transitions that the service uses (write it with `make saga`)', () => {
  expect(read('docs/saga.md')).toBe(sagaText())
})
