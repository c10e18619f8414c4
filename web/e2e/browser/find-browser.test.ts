import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBrowser } from './find-browser.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'browsers-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function program(where: string, name: string, script: string): string {
  mkdirSync(join(folder, where), { recursive: true })
  const path = join(folder, where, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

test('the browser that is named is taken, and one that does not start is told', () => {
  const named = program('a', 'my-browser', 'echo Chromium 1.2.3')
  expect(findBrowser(named, '')).toMatchObject({ path: named, what: `Chromium 1.2.3, CHROMIUM_PATH: ${named}` })
  const broken = program('a', 'broken', 'exit 1')
  expect(() => findBrowser(broken, '')).toThrow(/CHROMIUM_PATH=.*broken does not start/)
  expect(() => findBrowser(join(folder, 'missing'), '')).toThrow(/does not start/)
})

test('of the programs on the path the first that starts is taken', () => {
  program('a', 'chromium-browser', 'echo "install it with snap" >&2; exit 1')
  const chrome = program('b', 'google-chrome', 'echo Google Chrome 9.8.7')
  const path = [join(folder, 'a'), join(folder, 'b')].join(delimiter)
  expect(findBrowser('', path)).toMatchObject({ path: chrome, environment: {} })
  expect(findBrowser('', path).what).toContain('Google Chrome 9.8.7, of this machine')
})
