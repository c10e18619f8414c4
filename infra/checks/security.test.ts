/** docs/security.md names a test for every line of the standard that holds; nothing that opens anything is in the repository. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { read, root } from './source-files.ts'

type Line = { number: string; level: string; state: string; proofs: { file: string; title: string }[] }

/** The rows of the table, as `| 7.2.4 | 1 | met | what holds | `file`: part of a test's name<br>... |`. */
function linesOf(text: string): Line[] {
  return text.split('\n').flatMap((row) => {
    const [, number = '', level = '', state = '', , tests = ''] = row.split('|').map((cell) => cell.trim())
    if (!/^\d+\.\d+\.\d+$/.test(number)) return []
    const proofs = [...tests.matchAll(/`([^`]+)`: (.+?)(?:<br>|$)/g)].map(([, file = '', title = '']) => ({ file, title }))
    return [{ number, level, state, proofs }]
  })
}

describe('docs/security.md', () => {
  const lines = linesOf(read('docs/security.md'))

  test('every line of the standard is in the list, once and with its level', () => {
    const wanted = read('infra/checks/asvs-ids.txt').trim().split('\n')
    expect(lines.map(({ number, level }) => `${number} ${level}`).sort()).toEqual(wanted.toSorted())
  })

  test('a line is met, partly met, not met or about nothing that is here', () => {
    expect(lines.filter(({ state }) => !['met', 'partly', 'not met', 'none'].includes(state))).toEqual([])
  })

  test('what is met is shown by a test, and each that is named exists', () => {
    const unproven = lines.filter(({ state, proofs }) => (state === 'met' || state === 'partly') && proofs.length === 0)
    expect(unproven.map(({ number }) => number)).toEqual([])
    const missing = lines.flatMap(({ number, proofs }) =>
      proofs
        .filter(
          ({ file, title }) => !/\.(test|spec)\.tsx?$/.test(file) || !existsSync(join(root, file)) || !titlesOf(read(file)).includes(title),
        )
        .map(({ file, title }) => `${number}: ${file}: ${title}`),
    )
    expect(missing).toEqual([])
  })

  /** Everything in quotes in a test file; what stands in a comment is no test. */
  function titlesOf(source: string): string {
    const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
    return (code.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []).join('\n')
  }
})

test('the workflow of every change audits what runs in production', () => {
  expect(read('.github/workflows/checks.yml')).toMatch(/^ +- run: make audit$/m)
  expect(read('Makefile')).toMatch(/^\tnpm audit --omit=dev --audit-level=high$/m)
})

describe('secrets in the repository', () => {
  const secrets: Record<string, RegExp> = {
    'a private key': /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s*[A-Za-z0-9+/=]{20}/,
    'a private key as JSON': /"d"\s*:\s*"[A-Za-z0-9_-]{43}"/,
    'a key of the card provider': /\b[rs]k_(?:live|test)_[A-Za-z0-9]{20,}/,
    'a webhook secret': /\bwhsec_[A-Za-z0-9+/=]{24,}/,
    'a token of the airline supplier': /\bduffel_(?:live|test)_[A-Za-z0-9_-]{30,}/,
    'a token of GitHub': /\b(?:gh[opsru]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60,})/,
    'a token of npm': /\bnpm_[A-Za-z0-9]{36}\b/,
    'a key of a cloud': /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[A-Za-z0-9_-]{35}\b/,
    'a token of a chat': /\bxox[abprs]-[A-Za-z0-9-]{20,}/,
    'a signed token': /\beyJ[A-Za-z0-9_-]{20,}\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}/,
    'an address with a password': /\b(?:mongodb(?:\+srv)?|rediss?|amqps?|postgres|smtps?):\/\/[^\s:/@$'"`<{]*:[^\s@/$'"`<{*]{6,}@/,
  }
  const found = (text: string) => Object.keys(secrets).filter((name) => secrets[name]?.test(text))

  test('none is in a file that git keeps', () => {
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\0')
    const texts = files.filter((file) => existsSync(join(root, file)) && !/\.(png|webp|jpe?g|woff2?|ico)$/.test(file) && file !== '')
    expect(texts.length).toBeGreaterThan(1000)
    expect(texts.flatMap((file) => found(read(file)).map((name) => `${file}: ${name}`))).toEqual([])
  })

  test('none is in a file that is never to be committed', () => {
    const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
    expect(files.filter((file) => /(^|\/)(\.env|secrets\.json|id_rsa|.*\.(pem|p12|pfx|key))$/.test(file))).toEqual([])
  })

  test('the patterns find what they look for', () => {
    const chance = (length: number) => 'Ab1'.repeat(length).slice(0, length)
    const samples: Record<string, string> = {
      'a private key': `-----BEGIN ${'PRIVATE KEY'}-----\n${chance(64)}`,
      'a private key as JSON': `{"kty":"OKP","d":"${chance(43)}"}`,
      'a key of the card provider': `sk_live_${chance(24)}`,
      'a webhook secret': `whsec_${chance(32)}`,
      'a token of the airline supplier': `duffel_live_${chance(43)}`,
      'a token of GitHub': `ghp_${chance(36)}`,
      'a token of npm': `npm_${chance(36)}`,
      'a key of a cloud': `AKIA${'A1'.repeat(8)}`,
      'a token of a chat': `xoxb-${chance(24)}`,
      'a signed token': `eyJ${chance(30)}.eyJ${chance(30)}.${chance(43)}`,
      'an address with a password': `mongodb://booking:${chance(12)}@mongo:27017`,
    }
    expect(Object.keys(samples)).toEqual(Object.keys(secrets))
    for (const [name, sample] of Object.entries(samples)) expect(found(`const a = '${sample}'`), name).toEqual([name])
  })
})
