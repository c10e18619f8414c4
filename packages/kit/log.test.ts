import { expect, test } from 'vitest'
import { createLog, scrub } from './log.ts'

test('APAY-07: a card number, spaced or not, never reaches a log line', () => {
  expect(scrub('paid with 4242424242424242 and 4242 4242 4242 4242')).toBe('paid with [card] and [card]')
})

test('a long number that is no card stays readable', () => {
  expect(scrub('offset 1234567890123')).toBe('offset 1234567890123')
})

test('e-mail addresses and named secrets are removed', () => {
  expect(scrub('to ines@example.org {"password":"hunter2","cvv":"123"}')).toBe('to [email] {"password":"[secret]","cvv":"[secret]"}')
})

test('an error is logged by name, message and stack, without the fields that drivers add', () => {
  const lines: string[] = []
  const log = createLog('test', 'info', { write: (line: string) => void lines.push(line) })
  log.error({ err: Object.assign(new Error('broke for bob@example.org'), { document: { passport: 'X1234567' } }) }, 'failed')
  expect(lines[0]).toContain('broke for [email]')
  expect(lines[0]).not.toContain('X1234567')
})
