// What every command handler gets, and how it reads its arguments.
import type { Variables } from '../aggregate/expression.ts'
import type { Cursors } from '../cursors.ts'
import { badValue, CommandError, notImplemented, typeMismatch } from '../errors.ts'
import type { Catalog } from '../storage/catalog.ts'
import { type Doc, decodeTyped, isArray, isDoc, isTruthy, toPlain } from '../values/bson.ts'
import { isNumberValue } from '../values/numbers.ts'
import { typeName } from '../values/text.ts'

export type Call = {
  /** The command's own name as sent: the first field. */
  name: string
  /** Typed arguments. */
  args: Doc
  db: string
  sequences: Map<string, Uint8Array[]>
  catalog: Catalog
  cursors: Cursors
  connectionId: number
}

/** The reply: a document without `ok`, or ready bytes. */
export type Handler = (call: Call) => Doc | Uint8Array

/** @throws InvalidNamespace when the command's first field is no collection name. */
export function collectionName({ name, args }: Call): string {
  const collection = args[name]
  if (typeof collection !== 'string') throw new CommandError(73, `collection name has invalid type ${typeName(collection)}`)
  return collection
}

export function docArg(args: Doc, name: string): Doc {
  const value = args[name]
  if (value === undefined || value === null) return {}
  if (!isDoc(value)) throw typeMismatch(`Expected field ${name} to be of type object, found ${typeName(value)}`)
  return value
}

export const plainArg = (args: Doc, name: string): Doc => toPlain(docArg(args, name)) as Doc

export function numberArg(args: Doc, name: string): number | undefined {
  const value = toPlain(args[name], false)
  if (value === undefined || value === null) return undefined
  if (!isNumberValue(value)) throw typeMismatch(`Field '${name}' should be numeric, but is of type ${typeName(value)}`)
  const number = Number(value)
  if (number < 0) throw new CommandError(51024, `BSON field '${name}' value must be >= 0, actual value '${number}'`)
  return Math.trunc(number)
}

export const flagArg = (args: Doc, name: string): boolean => isTruthy(args[name])

/** `let` of the command, as variables of its expressions. */
export const letArg = (args: Doc): Variables => toPlain(docArg(args, 'let'), false) as Variables

/** A list of documents given in the body or beside it; beside it they are undecoded. */
export function listArg({ name: command, args, sequences }: Call, name: string): (Doc | Uint8Array)[] {
  const list = sequences.get(name) ?? args[name]
  if (!isArray(list)) throw new CommandError(40414, `BSON field '${command}.${name}' is missing but a required field`)
  if (list.length === 0 && name !== 'indexes')
    throw new CommandError(16, 'Write batch sizes must be between 1 and 100000. Got 0 operations.')
  return list as (Doc | Uint8Array)[]
}

export const asTyped = (item: Doc | Uint8Array): Doc => (item instanceof Uint8Array ? decodeTyped(item) : item)

/** Strings are compared by code point here; anything else that a collation asks for would give other results. */
export function refuseCollation(args: Doc): void {
  const collation = args.collation
  if (collation === undefined) return
  if (!isDoc(collation)) throw badValue('collation must be an object')
  if (Object.keys(collation).length > 0 && collation.locale !== 'simple') throw notImplemented('collation')
}
