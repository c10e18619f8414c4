/** The card rules, the same in the form and on the server. Nothing here keeps a number. */
import type { CardDetails } from '../http/card.ts'

export type { CardDetails }

export function digitsOnly(text: string): string {
  return text.replace(/\D/g, '')
}

/** The number as it is typed: digits in groups of four, at most 16 digits. */
export function groupCardNumber(text: string): string {
  return digitsOnly(text)
    .slice(0, 16)
    .replace(/(.{4})(?=.)/g, '$1 ')
}

export function passesLuhn(number: string): boolean {
  let sum = 0
  for (let i = 0; i < number.length; i++) {
    let digit = Number(number[number.length - 1 - i])
    if (i % 2 === 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2
    sum += digit
  }
  return number.length > 0 && sum % 10 === 0
}

/** The last moment of a card is the end of its month; `now` in the visitor's or server's clock. */
function cardHasExpired(expiryMonth: string, expiryYear: string, now: Date): boolean {
  const year = 2000 + Number(expiryYear)
  const month = Number(expiryMonth)
  return year < now.getFullYear() || (year === now.getFullYear() && month < now.getMonth() + 1)
}

type CardProblem = { field: 'number' | 'expiryMonth' | 'expiryYear' | 'cvv' | 'holderName'; title: string; message: string }

/** The first problem of a card in the order of the form, with the toast's title and text; null when there is none. */
export function cardProblem(card: CardDetails, now: Date): CardProblem | null {
  const number = card.number.replace(/[\s-]/g, '')
  if (!/^\d{15,16}$/.test(number)) return { field: 'number', title: 'Invalid Card Number', message: 'Please enter a valid card number' }
  if (!passesLuhn(number)) return { field: 'number', title: 'Invalid Card Number', message: 'The card number you entered is not valid' }
  const expiry = { title: 'Invalid Expiry Date', message: 'Please enter a valid expiration date' }
  if (!/^(0[1-9]|1[0-2])$/.test(card.expiryMonth)) return { field: 'expiryMonth', ...expiry }
  if (!/^\d{2}$/.test(card.expiryYear)) return { field: 'expiryYear', ...expiry }
  if (cardHasExpired(card.expiryMonth, card.expiryYear, now)) return { field: 'expiryMonth', ...expiry }
  if (!/^\d{3,4}$/.test(card.cvv)) return { field: 'cvv', title: 'Invalid CVV', message: 'Please enter a valid security code (CVV)' }
  if (card.holderName.trim().length < 3)
    return { field: 'holderName', title: 'Invalid Card Holder Name', message: 'Please enter the name as it appears on your card' }
  return null
}

/** Shown on the payment step in test mode only. */
export const TEST_CARD_NUMBER = '4242424242424242'
