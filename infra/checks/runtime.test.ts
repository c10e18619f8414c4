/** The clock and random values come from one file; telemetry comes before every other module of a process. */
import { expect, test } from 'vitest'
import { isTest, read, sourceFiles } from './source-files.ts'

const RUNTIME = 'packages/kit/runtime.ts'

const forbidden: Record<string, RegExp> = {
  'Date.now': /\bDate\.now\b/,
  'new Date()': /\bnew Date\(\)/,
  timers: /(?<![.\w])(set|clear)(Timeout|Interval|Immediate)\b/,
  'node:timers': /['"]node:timers/,
  'AbortSignal.timeout': /\bAbortSignal\.timeout\b/,
  'Math.random': /\bMath\.random\b/,
  'performance.now': /\bperformance\.now\b/,
  'random values of node:crypto':
    /import[^'"]*\b(randomUUID|randomBytes|randomInt|getRandomValues)\b[^'"]*['"](node:)?crypto['"]|\bcrypto\.(random|getRandom)/,
}

const product = ['services', 'gateway', 'packages/kit']
  .flatMap((folder) => sourceFiles(folder))
  .filter((path) => !isTest(path) && path !== RUNTIME)

const usesOf = (text: string) => Object.keys(forbidden).filter((name) => forbidden[name]?.test(text))

test('services, gateway and kit take time and random values from the runtime alone', () => {
  const found = product.flatMap((path) => usesOf(read(path)).map((name) => `${path}: ${name}`))
  expect(found).toEqual([])
})

test('the runtime itself shows that the patterns find what they look for', () => {
  expect(usesOf(read(RUNTIME))).toEqual(['Date.now', 'timers', 'performance.now', 'random values of node:crypto'])
  const lines = [
    "import { createHash, randomUUID } from 'node:crypto'",
    'const at = new Date()',
    "import { setTimeout } from 'node:timers/promises'",
    'AbortSignal.timeout(5)',
    'Math.random()',
  ]
  for (const line of lines) expect(usesOf(line), line).not.toEqual([])
  expect(usesOf("import { createHash } from 'node:crypto'\nnew Date(nowMs())")).toEqual([])
})

test('every way to start a process loads telemetry first', () => {
  const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts
  expect(scripts['start:one']).toContain('--import ./packages/kit/telemetry.ts')
  expect(read('Dockerfile')).toContain('exec node --import ./packages/kit/telemetry.ts')
  expect(read('infra/local/process-group.ts')).toMatch(/'--import',\s+join\(release, 'packages\/kit\/telemetry.ts'\)/)
})
