import { expect, test } from 'vitest'
import { openApiText } from './openapi-text.ts'
import { read } from './source-files.ts'

test('gateway/openapi.json says what the contracts say (write it with `make openapi`)', () => {
  expect(read('gateway/openapi.json')).toBe(openApiText())
})
