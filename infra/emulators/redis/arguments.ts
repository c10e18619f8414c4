/** Reading the arguments of commands as Redis does, with its own words for what is wrong. */
import { RedisError } from './resp.ts'

export const text = (argument: Buffer): string => argument.toString('latin1')
export const word = (argument: Buffer | undefined): string => (argument ? argument.toString('latin1').toUpperCase() : '')

export const syntaxError = () => new RedisError('ERR syntax error')
export const wrongType = () => new RedisError('WRONGTYPE Operation against a key holding the wrong kind of value')
const notAnInteger = 'ERR value is not an integer or out of range'

const INT64_MAX = 2n ** 63n - 1n
const INT64_MIN = -(2n ** 63n)
export const isInt64 = (value: bigint) => value >= INT64_MIN && value <= INT64_MAX

/** Strict signed 64-bit decimal: no blanks, no plus sign, no leading zeros. */
export const int64 = (argument: Buffer | undefined, complaint = notAnInteger): bigint => {
  const digits = argument ? text(argument) : ''
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(digits) || !isInt64(BigInt(digits))) throw new RedisError(complaint)
  return BigInt(digits)
}

/** A 64-bit integer where a JavaScript number is exact enough: counts, indexes, times. */
export const integer = (argument: Buffer | undefined, complaint?: string): number => Number(int64(argument, complaint))

export const positive = (argument: Buffer | undefined): number => {
  const complaint = 'ERR value is out of range, must be positive'
  const value = integer(argument, complaint)
  if (value < 0) throw new RedisError(complaint)
  return value
}

/** A score or increment: decimal, exponent, `inf`, `-inf`; never NaN. */
export const float = (argument: Buffer | undefined, complaint = 'ERR value is not a valid float'): number => {
  const written = argument ? text(argument) : ''
  const infinite = /^([+-]?)inf(?:inity)?$/i.exec(written)
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(written)) throw new RedisError(complaint)
  return Number(written)
}

export const formatFloat = (value: number): string => {
  if (value === Infinity) return 'inf'
  if (value === -Infinity) return '-inf'
  return Object.is(value, -0) ? '-0' : String(value)
}

const PLACES = 17

/** Exact decimal addition to 17 places, which is what INCRBYFLOAT promises and binary floats cannot give. */
export const addDecimals = (left: Buffer | undefined, right: Buffer, complaint: string): string => {
  const sum = scaled(left ?? Buffer.from('0'), complaint) + scaled(right, 'ERR value is not a valid float')
  const digits = (sum < 0n ? -sum : sum).toString().padStart(PLACES + 1, '0')
  const fraction = digits.slice(-PLACES).replace(/0+$/, '')
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${fraction ? `.${fraction}` : ''}`
}

const scaled = (argument: Buffer, complaint: string): bigint => {
  const value = float(argument, complaint)
  if (!Number.isFinite(value)) throw new RedisError('ERR increment would produce NaN or Infinity')
  const parts = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text(argument))
  if (!parts) throw new RedisError(complaint)
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  const shift = PLACES - fraction.length + Number(exponent)
  const digits = BigInt(whole + fraction)
  const magnitude = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
  return sign === '-' ? -magnitude : magnitude
}

/** Turns `start stop` (negative from the end, both inclusive) into a half-open range within `length`. */
export const range = (start: number, stop: number, length: number): [from: number, to: number] => {
  const from = Math.max(0, start < 0 ? start + length : start)
  const to = Math.min(length, (stop < 0 ? stop + length : stop) + 1)
  return from >= to ? [0, 0] : [from, to]
}

/** Redis glob: `*`, `?`, `[a-z]`, `[^x]`, `\` escapes. */
export const matchesPattern = (pattern: string, subject: string): boolean => globExpression(pattern).test(subject)

const expressions = new Map<string, RegExp>()

const globExpression = (pattern: string): RegExp => {
  const known = expressions.get(pattern)
  if (known) return known
  let source = ''
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string
    if (char === '*') source += '[^]*'
    else if (char === '?') source += '[^]'
    else if (char === '\\' && at + 1 < pattern.length) source += literal(pattern[++at] as string)
    else if (char === '[') {
      const end = pattern.indexOf(']', at + 1)
      const body = pattern.slice(at + 1, end < 0 ? undefined : end)
      const negated = body.startsWith('^')
      const inside = (negated ? body.slice(1) : body).replaceAll(/[\\\]^]/g, '\\$&')
      source += inside === '' ? (negated ? '[^]' : '(?!)') : `[${negated ? '^' : ''}${inside}]`
      at = end < 0 ? pattern.length : end
    } else source += literal(char)
  }
  const expression = new RegExp(`^${source}$`)
  if (expressions.size > 500) expressions.clear()
  expressions.set(pattern, expression)
  return expression
}

const literal = (char: string) => char.replace(/[.*+?^${}()|[\]\\/]/, '\\$&')
