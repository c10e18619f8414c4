/** What the server had against a form: the message on top, and the fields it belongs to. */
import { ApiError, messageOf } from './api-client.ts'

export type Refusal = { message: string; fields: Record<string, string> }

/** @param fieldOf the field that an error code is about. */
export function refusalOf(error: unknown, fallback: string, fieldOf: Partial<Record<string, string>> = {}): Refusal {
  const message = messageOf(error, fallback)
  if (!(error instanceof ApiError)) return { message, fields: {} }
  const named = error.code === null ? undefined : fieldOf[error.code]
  const issues = (error.body?.issues ?? []).map(({ path, message: text }) => [path, text] as const)
  return { message, fields: Object.fromEntries(named ? [[named, message]] : issues) }
}
