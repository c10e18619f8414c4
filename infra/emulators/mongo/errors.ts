/** Error codes of the real server that this one answers with: number to name. */
const CODE_NAMES: Record<number, string> = {
  1: 'InternalError',
  2: 'BadValue',
  9: 'FailedToParse',
  14: 'TypeMismatch',
  16: 'InvalidLength',
  20: 'IllegalOperation',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  52: 'DollarPrefixedFieldName',
  53: 'InvalidIdField',
  54: 'NotSingleValueField',
  56: 'EmptyFieldName',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  168: 'InvalidPipelineOperator',
  171: 'CannotIndexParallelArrays',
  197: 'InvalidIndexSpecificationOption',
  238: 'NotImplemented',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
}

/** A refusal that goes to the client as `{ok: 0, code, codeName, errmsg, ...details}` or as one entry of `writeErrors`. */
export class CommandError extends Error {
  readonly code: number
  readonly details: Record<string, unknown>

  constructor(code: number, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.name = 'CommandError'
    this.code = code
    this.details = details
  }

  get codeName(): string {
    return CODE_NAMES[this.code] ?? `Location${this.code}`
  }
}

export const badValue = (message: string): CommandError => new CommandError(2, message)
export const failedToParse = (message: string): CommandError => new CommandError(9, message)
export const typeMismatch = (message: string): CommandError => new CommandError(14, message)
/** The real server could do it; this one says so instead of doing something else. */
export const notImplemented = (what: string): CommandError =>
  new CommandError(238, `${what} is not supported by the development server: use a real MongoDB (MONGO_URL)`)
