import { expect, test } from 'vitest'
import { mailName } from './mail-name.ts'

test.each(['Inès', 'Jean-Luc', "O'Neill", 'O’Neill', 'María del Carmen Ruiz', '李', 'नरेन्द्र', 'ย้ง', 'Nguyễn'])(
  '%s may stand in a mail',
  (name) => {
    expect(mailName(name)).toBe(name)
  },
)

test('spaces around and between words become one', () => {
  expect(mailName('  Anna \t Maria\n')).toBe('Anna Maria')
})

test.each([
  'evil.example',
  'http://evil.example',
  'www.evil.example/login',
  'a@b.example',
  'evil。example',
  'evil．example',
  'Anna, your account is blocked',
  'Your account was blocked today',
  'Call 0800123',
  'Anna!',
  'Anna <b>',
  'Anna\u202Egnp',
  'An\u200Bna',
  '\u3164',
  'x'.repeat(41),
  '- - -',
  "''''",
  '',
  ' ',
])('%j may not', (text) => {
  expect(mailName(text)).toBeNull()
})
