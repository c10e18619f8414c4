import { expect, test } from 'vitest'
import { guessesFor } from './common-passwords.ts'

test.each(['123456', 'password', 'P@ssw0rd', 'qwerty', 'drowssap', 'aaaaaa', 'abcdef', 'monkey1', 'PASSWORD'])(
  '"%s" is found at once',
  async (password) => {
    expect(await guessesFor(password)).toBeLessThan(10_000)
  },
)

test.each(['Password123!', 'Password1!'])('"%s", a common one with what is asked for hung on, is found soon', async (password) => {
  expect(await guessesFor(password)).toBeLessThan(100_000)
})

test.each(['Zx9#kq', 'quiet-harbour', 'Chosen-By-Me-12', 'Much-Longer-1234'])('"%s" takes long', async (password) => {
  expect(await guessesFor(password)).toBeGreaterThan(100_000)
})

test('the longest password is estimated as quickly as a short one: only its beginning is looked at', async () => {
  expect(await guessesFor(`${'p@$$w0rd'.repeat(6)}Zx9#kq`.repeat(4))).toBe(await guessesFor('p@$$w0rd'.repeat(6)))
})
