/** What a command is given, and reading its arguments. */
import type { Cursors } from '../cursors.ts'
import { badValue } from '../errors.ts'
import { checkFilter } from '../filter.ts'
import type { Catalog } from '../storage/catalog.ts'
import type { Collection } from '../storage/collection.ts'
import { type Doc, decode, isDoc } from '../values.ts'

export type Call = {
  /** The command itself is its first argument, with the name of the collection as its value. */
  name: string
  args: Doc
  db: string
  sequences: Map<string, Uint8Array[]>
  catalog: Catalog
  cursors: Cursors
}

/** `takes`: the arguments that it knows; any when it is absent. A reply is a document without `ok`, or bytes. */
export type Command = { takes?: readonly string[]; run(call: Call): Doc | Uint8Array }

/** @throws CommandError when the command names no collection. */
export function collectionName({ name, args }: Call): string {
  const collection = args[name]
  if (typeof collection !== 'string' || collection === '') throw badValue(`${name} needs the name of a collection`)
  return collection
}

export const findCollection = (call: Call): Collection | undefined => call.catalog.find(call.db, collectionName(call))

/** Every document when it is not there. @throws CommandError for a filter that this server does not have. */
export function filterArg(args: Doc, name: string): Doc {
  const filter = args[name] ?? {}
  checkFilter(filter)
  return filter
}

/** @throws CommandError when it is there and no document. */
export function docArg(args: Doc, name: string): Doc | undefined {
  const value = args[name]
  if (value !== undefined && !isDoc(value)) throw badValue(`${name} must be a document`)
  return value
}

/** @throws CommandError when it is there and no whole number from 0 on. */
export function countArg(args: Doc, name: string): number | undefined {
  const value = args[name]
  if (value !== undefined && (!Number.isSafeInteger(value) || Number(value) < 0))
    throw badValue(`${name} must be a number that is not negative`)
  return value as number | undefined
}

/** Documents that came beside the command, or in it. @throws CommandError */
export function listArg({ args, sequences }: Call, name: string): (Doc | Uint8Array)[] {
  const list = sequences.get(name) ?? args[name]
  if (!Array.isArray(list)) throw badValue(`${name} must be a list`)
  if (!list.every((one) => one instanceof Uint8Array || isDoc(one))) throw badValue(`${name} must hold documents`)
  return list
}

export const asDoc = (item: Doc | Uint8Array): Doc => (item instanceof Uint8Array ? decode(item) : item)
