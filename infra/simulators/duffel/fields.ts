/** Small readers of request parts that note what is wrong with them; every part that is not known is refused. */
import { badRequest, collectProblems, type Problems } from './errors.ts'

export type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws ApiError 400 when the body is not `{ data: {...} }`. */
export const readData = (body: unknown): Fields => {
  if (!isFields(body) || !('data' in body))
    throw badRequest('missing_data_param', 'Missing data parameter', "The data needs to be nested inside a 'data' param.")
  const { data } = body
  if (!isFields(data)) throw badRequest('malformed_data_param', 'Malformed data parameter', "The 'data' param must be an object.")
  return data
}

export const onlyKnown = (problems: Problems, fields: Fields, known: string[], pointer = ''): void => {
  for (const name of Object.keys(fields)) {
    if (!known.includes(name)) problems.add('validation_inclusion', `${pointer}/${name}`, `Field '${name}' is not a known parameter`)
  }
}

/** @throws ApiError 422 for a query parameter that the endpoint does not have. */
export const onlyKnownQuery = (query: Fields, known: string[]): void => {
  const problems = collectProblems()
  onlyKnown(problems, query, known)
  problems.refuse()
}

export const readObject = (problems: Problems, value: unknown, pointer: string): Fields | undefined => {
  if (isFields(value)) return value
  problems.add('validation_type', pointer, `Field '${pointer.split('/').at(-1)}' must be an object`)
  return undefined
}

/** A list that must be there, with at least `least` and at most `most` parts. */
export const readList = (problems: Problems, fields: Fields, name: string, [least, most]: [number, number]): unknown[] => {
  const value = fields[name]
  if (value === undefined || value === null) {
    problems.add('validation_required', `/${name}`, `Field '${name}' can't be blank`)
    return []
  }
  if (!Array.isArray(value)) {
    problems.add('validation_type', `/${name}`, `Field '${name}' must be a list`)
    return []
  }
  if (value.length === 0 && least > 0) problems.add('validation_required', `/${name}`, `Field '${name}' can't be blank`)
  else if (value.length < least || value.length > most)
    problems.add('validation_length', `/${name}`, `Field '${name}' should have ${least === most ? least : `${least} to ${most}`} item(s)`)
  return value
}

export const readText = (problems: Problems, fields: Fields, name: string, pointer: string): string | undefined => {
  const value = fields[name]
  if (value === undefined || value === null || value === '') {
    problems.add('validation_required', pointer, `Field '${name}' can't be blank`)
    return undefined
  }
  if (typeof value !== 'string') {
    problems.add('validation_type', pointer, `Field '${name}' must be a string`)
    return undefined
  }
  return value
}

/** Text pairs: at most 50, keys up to 40 characters, values up to 500. */
export const readMetadata = (problems: Problems, value: unknown): Record<string, string> => {
  if (value === undefined || value === null) return {}
  const fields = readObject(problems, value, '/metadata')
  if (!fields) return {}
  const pairs = Object.entries(fields)
  if (pairs.length > 50) problems.add('validation_length', '/metadata', "Field 'metadata' should have at most 50 item(s)")
  for (const [key, text] of pairs) {
    if (key.length > 40) problems.add('validation_length', `/metadata/${key}`, 'A key should have at most 40 characters')
    if (typeof text !== 'string') problems.add('validation_type', `/metadata/${key}`, 'A value must be a string')
    else if (text.length > 500) problems.add('validation_length', `/metadata/${key}`, 'A value should have at most 500 characters')
  }
  return fields as Record<string, string>
}
