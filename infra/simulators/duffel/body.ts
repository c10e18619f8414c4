/** Reads request bodies and queries by schema; what is wrong with them is refused all at once, in Duffel's codes. */
import { z } from 'zod'
import { ApiError, type ApiProblem, badRequest, problem } from './errors.ts'

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws ApiError 400 when the body is not `{ data: {...} }`, 422 with everything that does not fit the schema. */
export const readData = <S extends z.ZodType>(schema: S, body: unknown): z.output<S> => {
  if (!isObject(body) || !('data' in (body as object)))
    throw badRequest('missing_data_param', 'Missing data parameter', "The data needs to be nested inside a 'data' param.")
  const { data } = body as { data: unknown }
  if (!isObject(data)) throw badRequest('malformed_data_param', 'Malformed data parameter', "The 'data' param must be an object.")
  return read(schema, data)
}

export const read = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => {
  const result = schema.safeParse(value, { reportInput: true })
  if (!result.success) throw new ApiError(422, result.error.issues.flatMap(problemsOf))
  return result.data
}

export const noQuery = z.strictObject({})
export const text = z.string().min(1)

/** A text with a code of its own for what does not fit. */
export const textOf = (fits: (value: string) => boolean, code: string, message: string) =>
  z.string().check((context) => {
    if (context.value === '')
      context.issues.push({ code: 'custom', params: { code: 'validation_required' }, message, input: context.value })
    else if (!fits(context.value)) context.issues.push({ code: 'custom', params: { code }, message, input: context.value })
  })

const problemsOf = (issue: z.core.$ZodIssue): ApiProblem[] => {
  const pointer = `/${issue.path.join('/')}`
  const name = String(issue.path.at(-1) ?? '')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) =>
      problem('validation_inclusion', `${pointer === '/' ? '' : pointer}/${key}`, `Parameter '${key}' is not known, or not simulated`),
    )
  return [problem(codeOf(issue), pointer, `Field '${name}': ${issue.message}`)]
}

const codeOf = (issue: z.core.$ZodIssue): string => {
  const absent = issue.input === undefined || issue.input === null
  switch (issue.code) {
    case 'custom':
      return String(issue.params?.code ?? 'validation_inclusion')
    case 'invalid_type':
      return absent ? 'validation_required' : 'validation_type'
    case 'invalid_value':
      return absent ? 'validation_required' : 'validation_inclusion'
    case 'invalid_format':
      return 'validation_format'
    case 'too_small':
      return issue.minimum === 1 && issue.origin !== 'number' ? 'validation_required' : 'validation_length'
    default:
      return 'validation_length'
  }
}
