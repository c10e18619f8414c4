// Numbers of BSON's four kinds, compared exactly and added by the server's rules of promotion.
import { Decimal128, Double, Int32, Long } from 'bson'
import { badValue } from '../errors.ts'

export type NumberValue = number | bigint | Int32 | Double | Long | Decimal128

export const isNumberValue = (value: unknown): value is NumberValue =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  value instanceof Int32 ||
  value instanceof Double ||
  value instanceof Long ||
  value instanceof Decimal128

/** digits x 10^exponent, or one of the three values that are no such thing. */
type Exact = { digits: bigint; exponent: number } | 'NaN' | 'Infinity' | '-Infinity'

function exactOfDouble(value: number): Exact {
  if (Number.isNaN(value)) return 'NaN'
  if (value === Number.POSITIVE_INFINITY) return 'Infinity'
  if (value === Number.NEGATIVE_INFINITY) return '-Infinity'
  let mantissa = value
  let twos = 0
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2
    twos++
  }
  return { digits: BigInt(mantissa) * 5n ** BigInt(twos), exponent: -twos }
}

function exactOfText(text: string): Exact {
  if (text === 'NaN' || text === 'Infinity' || text === '-Infinity') return text
  const [number = '0', power = '0'] = text.toUpperCase().split('E')
  const [whole = '0', fraction = ''] = number.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length }
}

function exactOf(value: NumberValue): Exact {
  if (typeof value === 'number') return exactOfDouble(value)
  if (typeof value === 'bigint') return { digits: value, exponent: 0 }
  if (value instanceof Int32 || value instanceof Double) return exactOfDouble(value.valueOf())
  if (value instanceof Long) return { digits: value.toBigInt(), exponent: 0 }
  return exactOfText(value.toString())
}

const asDouble = (value: NumberValue): number | undefined => {
  if (typeof value === 'number') return value
  if (value instanceof Int32 || value instanceof Double) return value.valueOf()
  return undefined
}

const RANK = { NaN: 0, '-Infinity': 1, Infinity: 3 } as const
const rankOf = (value: Exact): number => (typeof value === 'string' ? RANK[value] : 2)

/** Negative, zero or positive; NaN equals itself and sorts before every other number. */
export function compareNumbers(left: NumberValue, right: NumberValue): number {
  const a = asDouble(left)
  const b = asDouble(right)
  if (a !== undefined && b !== undefined && !Number.isNaN(a) && !Number.isNaN(b)) return a < b ? -1 : a > b ? 1 : 0
  const x = exactOf(left)
  const y = exactOf(right)
  if (typeof x === 'string' || typeof y === 'string') return rankOf(x) - rankOf(y)
  const exponent = Math.min(x.exponent, y.exponent)
  const xs = x.digits * 10n ** BigInt(x.exponent - exponent)
  const ys = y.digits * 10n ** BigInt(y.exponent - exponent)
  return xs < ys ? -1 : xs > ys ? 1 : 0
}

/** The same text for equal numbers of any kind, different text for different ones. */
export function numberKey(value: NumberValue): string {
  const double = asDouble(value)
  if (double !== undefined && Number.isSafeInteger(double)) return String(double === 0 ? 0 : double)
  const exact = exactOf(value)
  if (typeof exact === 'string') return exact
  let { digits, exponent } = exact
  if (digits === 0n) return '0'
  while (digits % 10n === 0n) {
    digits /= 10n
    exponent++
  }
  if (exponent >= 0 && exponent < 20) {
    const whole = digits * 10n ** BigInt(exponent)
    if (whole <= BigInt(Number.MAX_SAFE_INTEGER) && whole >= BigInt(Number.MIN_SAFE_INTEGER)) return String(whole)
  }
  return `${digits}e${exponent}`
}

const DECIMAL_DIGITS = 34

/** Rounds half to even at 34 digits, as Decimal128 does. */
function toDecimal({ digits, exponent }: { digits: bigint; exponent: number }): Decimal128 {
  const negative = digits < 0n
  let size = negative ? -digits : digits
  let power = exponent
  const excess = size.toString().length - DECIMAL_DIGITS
  if (excess > 0) {
    const unit = 10n ** BigInt(excess)
    const rest = size % unit
    size /= unit
    if (rest * 2n > unit || (rest * 2n === unit && size % 2n === 1n)) size++
    power += excess
  }
  return Decimal128.fromString(`${negative ? '-' : ''}${size}E${power}`)
}

/** A double takes part in decimal arithmetic with its 15 significant digits. */
function decimalOperand(value: NumberValue): Exact {
  const double = value instanceof Double ? value.valueOf() : typeof value === 'number' && !Number.isInteger(value) ? value : undefined
  if (double !== undefined && Number.isFinite(double)) return exactOfText(double.toPrecision(15))
  return exactOf(value)
}

function decimalArithmetic(left: NumberValue, right: NumberValue, operation: 'add' | 'multiply'): Decimal128 {
  const x = decimalOperand(left)
  const y = decimalOperand(right)
  if (typeof x === 'string' || typeof y === 'string') {
    const a = Number(typeof x === 'string' ? x : x.digits)
    const b = Number(typeof y === 'string' ? y : y.digits)
    return Decimal128.fromString(String(operation === 'add' ? a + b : a * b))
  }
  if (operation === 'multiply') return toDecimal({ digits: x.digits * y.digits, exponent: x.exponent + y.exponent })
  const exponent = Math.min(x.exponent, y.exponent)
  return toDecimal({
    digits: x.digits * 10n ** BigInt(x.exponent - exponent) + y.digits * 10n ** BigInt(y.exponent - exponent),
    exponent,
  })
}

const isDoubleKind = (value: NumberValue): boolean =>
  value instanceof Double || (typeof value === 'number' && !(Number.isInteger(value) && Math.abs(value) <= 0x7fffffff))

const toNumber = (value: NumberValue): number =>
  typeof value === 'number' ? value : value instanceof Long ? value.toNumber() : Number(value.toString())

const INT32 = [-(2n ** 31n), 2n ** 31n - 1n] as const
const INT64 = [-(2n ** 63n), 2n ** 63n - 1n] as const
const isLongKind = (value: NumberValue): boolean => value instanceof Long || typeof value === 'bigint'

/**
 * `$inc`, `$mul`, `$sum`: decimal beats double beats 64-bit beats 32-bit; a 32-bit result that does not fit becomes 64-bit.
 * @throws BadValue when a 64-bit result does not fit.
 */
export function calculate(left: NumberValue, right: NumberValue, operation: 'add' | 'multiply'): NumberValue {
  if (left instanceof Decimal128 || right instanceof Decimal128) return decimalArithmetic(left, right, operation)
  if (isDoubleKind(left) || isDoubleKind(right)) {
    const [a, b] = [toNumber(left), toNumber(right)]
    return new Double(operation === 'add' ? a + b : a * b)
  }
  const [a, b] = [BigInt(left.toString()), BigInt(right.toString())]
  const result = operation === 'add' ? a + b : a * b
  if (!isLongKind(left) && !isLongKind(right) && result >= INT32[0] && result <= INT32[1]) return new Int32(Number(result))
  if (result < INT64[0] || result > INT64[1]) throw badValue(`integer overflow: the result ${result} does not fit into 64 bits`)
  return Long.fromBigInt(result)
}

/** The plain form of a calculated number: a JavaScript number wherever it is exact. */
export function plainNumber(value: NumberValue): unknown {
  if (value instanceof Int32 || value instanceof Double) return value.valueOf()
  if (value instanceof Long && Number.isSafeInteger(value.toNumber())) return value.toNumber()
  return value
}

/** A sum divided by a count: decimal for a decimal sum, a JavaScript number otherwise. */
export function average(sum: NumberValue, count: number): NumberValue {
  if (!(sum instanceof Decimal128)) return toNumber(sum) / count
  const exact = exactOf(sum)
  if (typeof exact === 'string') return sum
  const scale = DECIMAL_DIGITS + String(count).length
  return toDecimal({ digits: (exact.digits * 10n ** BigInt(scale)) / BigInt(count), exponent: exact.exponent - scale })
}
