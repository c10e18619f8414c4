/** A form's rules from any schema that speaks Standard Schema (zod does): the contracts' schemas are the forms' schemas. */
import type { FieldError, FieldErrors, FieldValues, Resolver } from 'react-hook-form'

type Issue = { message: string; path?: ReadonlyArray<PropertyKey | { key: PropertyKey }> | undefined }
type Result<T> = { value: T; issues?: undefined } | { issues: readonly Issue[] }
export type StandardSchema<In, Out> = {
  '~standard': { validate: (value: unknown) => Result<Out> | Promise<Result<Out>>; types?: { input: In; output: Out } | undefined }
}

export function schemaResolver<In extends FieldValues, Out>(schema: StandardSchema<In, Out>): Resolver<In, unknown, Out> {
  return async (values) => {
    const result = await schema['~standard'].validate(values)
    if (!result.issues) return { values: result.value, errors: {} }
    return { values: {}, errors: errorsOf(result.issues) as FieldErrors<In> }
  }
}

/** The first issue of every path, nested as react-hook-form wants it: `passengers.0.firstName`. */
export function errorsOf(issues: readonly Issue[]): Record<string, unknown> {
  const errors: Record<string, unknown> = {}
  for (const { message, path } of issues) {
    const keys = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part))
    const last = keys.pop() ?? 'root'
    let node = errors
    for (const key of keys) {
      node[key] ??= {}
      node = node[key] as Record<string, unknown>
    }
    node[last] ??= { type: 'schema', message } satisfies FieldError
  }
  return errors
}
