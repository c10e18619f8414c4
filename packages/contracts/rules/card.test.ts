import { expect, test } from 'vitest'
import { cardProblem, groupCardNumber, passesLuhn } from './card.ts'

const now = new Date('2026-11-21T12:00:00Z')
const good = { number: '4242 4242 4242 4242', expiryMonth: '12', expiryYear: '30', cvv: '123', holderName: 'Ines Moreau' }
const problem = (change: Partial<typeof good>) => cardProblem({ ...good, ...change }, now)

test('PAY-02: the number takes digits only, grouped by 4, at most 16', () => {
  expect(groupCardNumber('4242x4242-4242 4242 99')).toBe('4242 4242 4242 4242')
  expect(groupCardNumber('42424')).toBe('4242 4')
})

test('a good card has no problem, with 15 digits too', () => {
  expect(problem({})).toBeNull()
  expect(problem({ number: '378282246310005', cvv: '1234' })).toBeNull()
})

test('PAY-03, R-84: a number below 15 digits is refused', () =>
  expect(problem({ number: '4242424242' })).toMatchObject({ title: 'Invalid Card Number', message: 'Please enter a valid card number' }))

test('PAY-04, R-84: a number failing Luhn is refused', () => {
  expect(passesLuhn('4242424242424241')).toBe(false)
  expect(problem({ number: '4242424242424241' })).toMatchObject({
    title: 'Invalid Card Number',
    message: 'The card number you entered is not valid',
  })
})

test('PAY-05: a month outside 01-12 or a year not of 2 digits is refused', () => {
  for (const change of [{ expiryMonth: '13' }, { expiryMonth: '0' }, { expiryMonth: '1' }, { expiryYear: '2030' }, { expiryYear: 'x1' }])
    expect(problem(change)).toMatchObject({ title: 'Invalid Expiry Date', message: 'Please enter a valid expiration date' })
})

test('PAY-06, R-83: a past expiry is refused, the current month is not', () => {
  expect(problem({ expiryMonth: '10', expiryYear: '26' })).toMatchObject({ title: 'Invalid Expiry Date' })
  expect(problem({ expiryMonth: '11', expiryYear: '26' })).toBeNull()
})

test('PAY-07: a CVV not of 3-4 digits is refused', () => {
  for (const cvv of ['12', '12a', ''])
    expect(problem({ cvv })).toMatchObject({ title: 'Invalid CVV', message: 'Please enter a valid security code (CVV)' })
})

test('PAY-08: a holder name under 3 characters after trimming is refused', () =>
  expect(problem({ holderName: '  Al ' })).toMatchObject({
    title: 'Invalid Card Holder Name',
    message: 'Please enter the name as it appears on your card',
  }))
