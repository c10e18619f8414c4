import type { BrandMarkup } from '@passerelle/contracts/http/admin'
import { MarkupPercent } from '@passerelle/contracts/http/brand'

/** What was typed, by brand key. */
export type Typed = Readonly<Record<string, string>>

type MarkupChange = { brandKey: string; name: string; from: string; to: string; value: number | null }

/** Empty: as the default brand; a comma is a decimal point. */
export function readPercent(text: string): { value: number | null } | { error: string } {
  const trimmed = text.trim().replace(',', '.')
  if (trimmed === '') return { value: null }
  const parsed = MarkupPercent.safeParse(/^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : Number.NaN)
  return parsed.success ? { value: parsed.data } : { error: /^-/.test(trimmed) ? 'A markup is at least 0 %' : firstMessage(parsed.error) }
}

const firstMessage = (error: { issues: { message: string }[] }) => error.issues[0]?.message ?? 'A markup is a number'

/** The changes to save, and what is wrong with the others, by brand key. */
export function changesOf(markups: readonly BrandMarkup[], typed: Typed): { changes: MarkupChange[]; errors: Record<string, string> } {
  const changes: MarkupChange[] = []
  const errors: Record<string, string> = {}
  for (const { brandKey, name, markupPercent } of markups) {
    const text = typed[brandKey]
    if (text === undefined) continue
    const read = readPercent(text)
    if ('error' in read) errors[brandKey] = read.error
    else if (read.value !== markupPercent) {
      changes.push({ brandKey, name, from: percentText(markupPercent), to: percentText(read.value), value: read.value })
    }
  }
  return { changes, errors }
}

const percentText = (percent: number | null) => (percent === null ? 'default' : `${percent}%`)
