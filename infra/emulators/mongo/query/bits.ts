import { Binary } from 'bson'
import { badValue } from '../errors.ts'
import { isArray } from '../values/bson.ts'
import { isNumberValue } from '../values/numbers.ts'

function fromBytes(bytes: Uint8Array): bigint {
  let bits = 0n
  for (let i = bytes.length - 1; i >= 0; i--) bits = (bits << 8n) | BigInt(bytes[i]!)
  return bits
}

function maskOf(operand: unknown): bigint {
  if (isArray(operand)) return operand.reduce<bigint>((mask, position) => mask | (1n << BigInt(Number(position))), 0n)
  if (operand instanceof Binary) return fromBytes(operand.value())
  if (isNumberValue(operand) && Number.isInteger(Number(operand)) && Number(operand) >= 0) return BigInt(operand.toString())
  throw badValue('a bit mask must be a number, a list of positions or binary data')
}

/** `$bitsAllSet` and its three relatives. */
export function bitTest(name: string, operand: unknown): (value: unknown) => boolean {
  const mask = maskOf(operand)
  return (value) => {
    let bits: bigint
    if (value instanceof Binary) bits = fromBytes(value.value())
    else if (isNumberValue(value) && Number.isInteger(Number(value))) bits = BigInt.asUintN(64, BigInt(value.toString()))
    else return false
    const set = bits & mask
    if (name === '$bitsAllSet') return set === mask
    if (name === '$bitsAllClear') return set === 0n
    if (name === '$bitsAnySet') return set !== 0n
    return set !== mask
  }
}
