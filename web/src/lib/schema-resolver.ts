/** A form's rules from any schema that speaks Standard Schema (zod does): the contracts' schemas are the forms' schemas. */
import { useEffect } from 'react'
import type { FieldError, FieldErrors, FieldValues, Resolver, ResolverResult } from 'react-hook-form'

type Issue = { message: string; path?: ReadonlyArray<PropertyKey | { key: PropertyKey }> | undefined }
type Result<T> = { value: T; issues?: undefined } | { issues: readonly Issue[] }
type StandardSchema<In, Out> = {
  '~standard': { validate: (value: unknown) => Result<Out> | Promise<Result<Out>>; types?: { input: In; output: Out } | undefined }
}

export type SchemaLoader<In, Out> = () => Promise<StandardSchema<In, Out>>

/** Long enough for the first view to be there; schemas come while somebody fills the form in. */
const LOAD_AFTER_MS = 1500
const NOT_LOADED = 'Your entries could not be checked. Please try again.'

export async function validate<In extends FieldValues, Out>(load: SchemaLoader<In, Out>, values: In): Promise<ResolverResult<In, Out>> {
  const schema = await load().catch(() => null)
  // The first field stands for a form that cannot be checked, as it always has a place for a message.
  const result = schema
    ? await schema['~standard'].validate(values)
    : { issues: [{ message: NOT_LOADED, path: Object.keys(values).slice(0, 1) }] }
  if (!result.issues) return { values: result.value, errors: {} }
  return { values: {}, errors: errorsOf(result.issues) as FieldErrors<In> }
}

/** A form's resolver; `load` imports its schema, and a submission waits for it. */
export function useSchemaResolver<In extends FieldValues, Out>(load: SchemaLoader<In, Out>): Resolver<In, unknown, Out> {
  useLoadLater(load)
  return (values) => validate(load, values)
}

/** Loads a part of a page before it is asked for; `load` has to stay the same. */
export function useLoadLater(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => load().catch(() => undefined), LOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [load])
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
