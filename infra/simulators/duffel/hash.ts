/** Stable randomness: everything the generator invents is a function of a text, so that the same search always finds the same flights. */
import { randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 53 well mixed bits of a text (two 32-bit multiplicative hashes side by side). */
export const hashOf = (text: string): number => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0)
}

/** A number in [0, 1) that the text fixes. */
export const fractionOf = (text: string): number => hashOf(text) / 9_007_199_254_740_992

/** A whole number from 0 to `count - 1` that the text fixes. */
export const pickOf = (text: string, count: number): number => Math.floor(fractionOf(text) * count)

export const base62 = (value: number, width: number): string => {
  let rest = value
  let text = ''
  for (let at = 0; at < width; at++) {
    text = alphabet[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** Fresh characters for ids that nothing has to derive again. */
export const randomText = (width: number): string => {
  let text = ''
  for (const byte of randomBytes(width * 2)) {
    if (byte < 248 && text.length < width) text += alphabet[byte % 62]
  }
  return text.length === width ? text : randomText(width)
}

export const nonceWidth = 9

/**
 * An id whose first part names the offer request (`nonce`) and whose second part is fixed by `what`: offers, slices, segments and
 * services of a request keep their ids although they are generated anew after a restart.
 */
export const derivedId = (prefix: string, nonce: string, what: string): string =>
  `${prefix}_0000${nonce}${base62(hashOf(`${nonce}/${prefix}/${what}`), 9)}`

/** The part of a derived id that names its offer request; undefined when the id does not have the shape. */
export const nonceOf = (id: string): string | undefined => /^[a-z]{3}_0000([0-9A-Za-z]{9})[0-9A-Za-z]{9}$/.exec(id)?.[1]
