import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { ConfigurationError, Flag, readConfiguration } from './configuration.ts'

const schema = z.object({ URL: z.url(), KEY: z.string().min(3), COUNT: z.coerce.number().default(2), ON: Flag })

test('values are read, empty ones count as absent', () =>
  expect(readConfiguration('x', schema, { URL: 'http://a', KEY: 'abc', COUNT: '', ON: 'true', OTHER: 'y' })).toEqual({
    URL: 'http://a',
    KEY: 'abc',
    COUNT: 2,
    ON: true,
  }))

test('every problem is reported at once', () => {
  try {
    readConfiguration('x', schema, { KEY: 'a', ON: 'perhaps' })
    expect.unreachable()
  } catch (error) {
    expect((error as ConfigurationError).problems.map((problem) => problem.split(':')[0])).toEqual(['URL', 'KEY', 'ON'])
  }
})

test('variables of other programs that end in _FILE are left alone', () =>
  expect(readConfiguration('x', schema, { URL: 'http://a', KEY: 'abc', SOME_TOOLS_CONFIG_FILE: '/nowhere' }).KEY).toBe('abc'))

test('a secret may come as a file, and a missing file is a problem', () => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'key')
  writeFileSync(file, 'from-file\n')
  expect(readConfiguration('x', schema, { URL: 'http://a', KEY_FILE: file }).KEY).toBe('from-file')
  expect(() => readConfiguration('x', schema, { URL: 'http://a', KEY_FILE: '/nowhere' })).toThrow(ConfigurationError)
})
