/**
 * Prose as data: `**bold**`, `[words](/path)` and `{name}` for a fact of the brand. Facts are put in after the text was parsed, so that
 * nothing a brand is called can become a link or markup.
 */

export type Facts = Readonly<Record<string, string>>

export type RichPart =
  | { kind: 'text'; text: string }
  | { kind: 'bold'; parts: RichPart[] }
  | { kind: 'link'; to: string; parts: RichPart[] }
  | { kind: 'fact'; name: string }

const MARK = /\*\*(.+?)\*\*|\[([^\]]+)\]\(([^)\s]+)\)|\{(\w+)\}/g

export function parseRichText(source: string): RichPart[] {
  const parts: RichPart[] = []
  let at = 0
  for (const match of source.matchAll(MARK)) {
    const [whole, bold, words, to, fact] = match
    if (match.index > at) parts.push({ kind: 'text', text: source.slice(at, match.index) })
    if (bold !== undefined) parts.push({ kind: 'bold', parts: parseRichText(bold) })
    else if (words !== undefined) parts.push({ kind: 'link', to: to ?? '', parts: parseRichText(words) })
    else parts.push({ kind: 'fact', name: fact ?? '' })
    at = match.index + whole.length
  }
  if (at < source.length) parts.push({ kind: 'text', text: source.slice(at) })
  return parts
}

/** What can be read of it, for searches. */
export function plainText(source: string, facts: Facts): string {
  const read = (parts: readonly RichPart[]): string =>
    parts.map((part) => (part.kind === 'text' ? part.text : part.kind === 'fact' ? (facts[part.name] ?? '') : read(part.parts))).join('')
  return read(parseRichText(source))
}
