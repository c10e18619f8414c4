/** The editor's fields and the brand that the server stores. */
import type { Brand } from '@passerelle/contracts/http/brand'
import type { BrandInput } from '@passerelle/contracts/http/brand-manager'
import type { FieldErrors, Resolver } from 'react-hook-form'
import { errorsOf } from '../../../lib/schema-resolver.ts'

/** Names of texts have dots, which the form would read as paths: they are rows of a list here. */
type TextRow = { name: string; text: string }
export type BrandFields = Omit<BrandInput, 'content'> & { content: Omit<BrandInput['content'], 'texts'>; texts: TextRow[] }

/** `known`: names that are offered even when the brand has no text for them. */
export function fieldsOf({ domain: _, content: { texts, ...content }, ...brand }: Brand, known: readonly string[]): BrandFields {
  const names = [...known, ...Object.keys(texts).filter((name) => !known.includes(name))]
  return { ...brand, content, texts: names.map((name) => ({ name, text: texts[name] ?? '' })) }
}

/** Texts that are empty are the built-in ones. */
export function inputOf({ texts, content, ...brand }: BrandFields): BrandInput {
  const written = texts.map(({ name, text }) => [name.trim(), text.trim()] as const).filter(([, text]) => text !== '')
  return { ...brand, content: { ...content, texts: Object.fromEntries(written) } }
}

/** Where the form shows what is wrong with a field of the input, e.g. `content.texts.refundTime` at `texts.3.text`. */
export function fieldAt(path: readonly string[], { texts }: BrandFields): string[] {
  const at = path[0] === 'brand' ? path.slice(1) : path
  if (at[0] !== 'content' || at[1] !== 'texts') return [...at]
  const row = texts.findIndex(({ name }) => name.trim() === at.slice(2).join('.'))
  return row < 0 ? ['textsRoot'] : ['texts', String(row), 'text']
}

/** The rules come with the first check. The server holds to the same ones, so without them it is the server that says what is wrong. */
export const brandResolver: Resolver<BrandFields> = async (values) => {
  const contract = await import('@passerelle/contracts/http/brand-manager').catch(() => null)
  const result = contract?.BrandInput.safeParse(inputOf(values)) ?? { success: true as const }
  if (result.success) return { values, errors: {} }
  const issues = result.error.issues.map(({ message, path }) => ({ message, path: fieldAt(path.map(String), values) }))
  return { values: {}, errors: errorsOf(issues) as FieldErrors<BrandFields> }
}

const TEXTS = /^texts/

/** The tab of the editor that has this field. */
export function tabOf(field: string): 'look' | 'texts' {
  return TEXTS.test(field) || field.startsWith('content') ? 'texts' : 'look'
}
