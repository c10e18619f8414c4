/** The name on the right of a card number, from its first digits; null while they do not tell. */
export function cardBrand(number: string): string | null {
  const digits = number.replace(/\D/g, '')
  if (/^4/.test(digits)) return 'VISA'
  if (/^(5[1-5]|2(22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720))/.test(digits)) return 'Mastercard'
  if (/^3[47]/.test(digits)) return 'AMEX'
  if (/^(6011|65|64[4-9])/.test(digits)) return 'Discover'
  return null
}
