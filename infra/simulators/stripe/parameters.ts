/** Checks parameters against what an endpoint takes: unknown, missing and malformed ones are refused as Stripe refuses them. */
import { invalidParameter, StripeApiError } from './error.ts'
import type { Form, FormValue } from './form.ts'

type Base = { required?: true }
export type Field = Base &
  (
    | { type: 'text'; max?: number; emptyAllowed?: true }
    | { type: 'integer' }
    | { type: 'boolean' }
    | { type: 'choice'; of: readonly string[] }
    | { type: 'metadata' }
    | { type: 'list' }
    | { type: 'range' }
    | { type: 'object'; fields: Spec }
  )
export type Spec = { readonly [name: string]: Field }

export type Range = { gt?: number; gte?: number; lt?: number; lte?: number }
/** null: given empty, which means remove all. */
export type MetadataChange = Record<string, string> | null

type ValueOf<F extends Field> = F extends { type: 'integer' }
  ? number
  : F extends { type: 'boolean' }
    ? boolean
    : F extends { type: 'choice'; of: readonly (infer C)[] }
      ? C
      : F extends { type: 'metadata' }
        ? MetadataChange
        : F extends { type: 'list' }
          ? string[]
          : F extends { type: 'range' }
            ? Range
            : F extends { type: 'object'; fields: infer S extends Spec }
              ? Parameters<S>
              : string
export type Parameters<S extends Spec> = {
  -readonly [K in keyof S as S[K] extends { required: true } ? K : never]: ValueOf<S[K]>
} & { -readonly [K in keyof S as S[K] extends { required: true } ? never : K]?: ValueOf<S[K]> }

export const readParameters = <const S extends Spec>(form: Form, spec: S): Parameters<S> => {
  refuseRawCards(form)
  return readObject(form, spec, '') as Parameters<S>
}

const nameIn = (prefix: string, name: string) => (prefix === '' ? name : `${prefix}[${name}]`)

const readObject = (form: Form, spec: Spec, prefix: string): Record<string, unknown> => {
  const unknown = Object.keys(form).filter((name) => !Object.hasOwn(spec, name))
  if (unknown.length > 0) {
    const names = unknown.map((name) => nameIn(prefix, name))
    throw invalidParameter(
      `Received unknown parameter${names.length > 1 ? 's' : ''}: ${names.join(', ')}`,
      names[0] as string,
      'parameter_unknown',
    )
  }
  const read: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(spec)) {
    const value = form[name]
    const full = nameIn(prefix, name)
    if (value !== undefined) read[name] = readValue(value, field, full)
    else if (field.required) throw invalidParameter(`Missing required param: ${full}.`, full, 'parameter_missing')
  }
  return read
}

const readValue = (value: FormValue, field: Field, name: string): unknown => {
  if (field.type === 'metadata') return readMetadata(value, name)
  if (field.type === 'list') return readList(value, name)
  if (field.type === 'range' && typeof value !== 'string') return readRange(value, name)
  if (field.type === 'object') {
    if (typeof value === 'string' || Array.isArray(value)) throw invalidParameter('Invalid object', name)
    return readObject(value, field.fields, name)
  }
  if (typeof value !== 'string') throw invalidParameter(`Invalid string: ${JSON.stringify(value)}`, name)
  if (value === '' && !(field.type === 'text' && field.emptyAllowed)) {
    throw invalidParameter(
      `You passed an empty string for '${name}'. We assume empty values are an attempt to unset a parameter; however '${name}' cannot be unset. You should remove '${name}' from your request or supply a non-empty value.`,
      name,
      'parameter_invalid_empty',
    )
  }
  if (field.type === 'integer') return readInteger(value, name)
  if (field.type === 'range') return { gte: readInteger(value, name), lte: readInteger(value, name) }
  if (field.type === 'boolean') {
    if (value !== 'true' && value !== 'false') throw invalidParameter(`Invalid boolean: ${value}`, name)
    return value === 'true'
  }
  if (field.type === 'choice') {
    if (!field.of.includes(value)) throw invalidParameter(`Invalid ${name}: must be one of ${choices(field.of)}`, name)
    return value
  }
  if (field.max !== undefined && value.length > field.max)
    throw invalidParameter(
      `Invalid string: ${value.slice(0, 20)}…; must be at most ${field.max} characters`,
      name,
      'parameter_invalid_string',
    )
  return value
}

const choices = (of: readonly string[]) => (of.length < 2 ? of.join('') : `${of.slice(0, -1).join(', ')} or ${of.at(-1)}`)

const readInteger = (value: string, name: string): number => {
  if (!/^-?\d{1,15}$/.test(value)) throw invalidParameter(`Invalid integer: ${value}`, name, 'parameter_invalid_integer')
  return Number(value)
}

const readRange = (value: FormValue, name: string): Range => {
  if (typeof value === 'string' || Array.isArray(value)) throw invalidParameter(`Invalid integer: ${JSON.stringify(value)}`, name)
  const integer = { type: 'integer' } as const
  return readObject(value, { gt: integer, gte: integer, lt: integer, lte: integer }, name) as Range
}

const readList = (value: FormValue, name: string): string[] => {
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) throw invalidParameter('Invalid array', name)
  return value as string[]
}

const readMetadata = (value: FormValue, name: string): MetadataChange => {
  if (value === '') return null
  if (typeof value === 'string') throw invalidParameter('Invalid object', name)
  const entries = Object.entries(value)
  if (entries.length > 50) throw invalidParameter('Metadata can have up to 50 keys.', name)
  for (const [key, item] of entries) {
    const full = `${name}[${key}]`
    if (typeof item !== 'string') throw invalidParameter('Metadata values must be strings, but you passed in a nested value.', full)
    if (key.length > 40)
      throw invalidParameter(`Metadata keys can have up to 40 characters, but you passed in a key that is ${key.length} characters.`, full)
    if (item.length > 500)
      throw invalidParameter(
        `Metadata values can have up to 500 characters, but you passed in a value that is ${item.length} characters. Invalid value: ${item.slice(0, 50)}…`,
        full,
      )
  }
  return Object.fromEntries(entries) as Record<string, string>
}

/** A card number, wherever it stands, is refused before anything else is looked at, and never repeated in the answer. */
const refuseRawCards = (form: Form): void => {
  const cards = [form.card, asForm(form.payment_method_data)?.card, form.source, asForm(form.payment_method_options)?.card]
  if (!cards.some((card) => asForm(card) && ['number', 'cvc', 'exp_month', 'exp_year'].some((part) => asForm(card)?.[part] !== undefined)))
    return
  throw new StripeApiError(
    402,
    {
      type: 'invalid_request_error',
      message:
        'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://stripe.com/docs/testing. To enable testing raw card data APIs, see https://support.stripe.com/questions/enabling-access-to-raw-card-data-apis.',
    },
    true,
  )
}

const asForm = (value: FormValue | undefined): Form | undefined => (typeof value === 'object' && !Array.isArray(value) ? value : undefined)
