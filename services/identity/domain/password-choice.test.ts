import { expect, test } from 'vitest'
import { isNameOfOwner } from './password-choice.ts'

const owner = { username: 'InesMoreau', email: 'ines.m@example.org' }

test.each(['InesMoreau', 'inesmoreau', 'INES.M@example.org', 'ines.m', ' Ines.M '])('"%s" is a name of the account', (password) => {
  expect(isNameOfOwner(password, owner)).toBe(true)
})

test.each(['InesMoreau7', 'example.org', 'moreau'])('"%s" is not', (password) => {
  expect(isNameOfOwner(password, owner)).toBe(false)
})
