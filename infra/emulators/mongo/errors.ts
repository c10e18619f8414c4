import { notImplemented } from '../not-implemented.ts'

/** Error codes of the real server that this one answers with. */
const CODE_NAMES: Record<number, string> = {
  1: 'InternalError',
  2: 'BadValue',
  9: 'FailedToParse',
  14: 'TypeMismatch',
  26: 'NamespaceNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  59: 'CommandNotFound',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
}

/** A refusal that goes to the client as `{ok: 0, code, codeName, errmsg, ...details}` or as one entry of `writeErrors`. */
export class CommandError extends Error {
  readonly code: number
  readonly details: Record<string, unknown>

  constructor(code: number, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.code = code
    this.details = details
  }

  reply(): Record<string, unknown> {
    return { ok: 0, errmsg: this.message, code: this.code, codeName: CODE_NAMES[this.code], ...this.details }
  }
}

export const badValue = (message: string): CommandError => new CommandError(2, message)

/** The real server could do it, or would refuse it in other words. */
export const refused = (what: string): CommandError => new CommandError(9, notImplemented(what))
export const unknownCommand = (name: string): CommandError => new CommandError(59, notImplemented(`the command ${name}`))
