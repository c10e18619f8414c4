/** Splits `text` around the first place where `query` starts a word of it, so that those letters can be shown bold. */
export function matchedLetters(text: string, query: string): [before: string, match: string, after: string] {
  const wanted = fold(query.trim())
  const folded = fold(text)
  // Folding that changes the length would shift positions; such a text is shown plain.
  if (wanted === '' || folded.length !== text.length) return [text, '', '']
  const starts = [0, ...[...folded.matchAll(/[\s-]/g)].map((gap) => gap.index + 1)]
  const start = starts.find((index) => folded.startsWith(wanted, index)) ?? folded.indexOf(wanted)
  if (start < 0) return [text, '', '']
  return [text.slice(0, start), text.slice(start, start + wanted.length), text.slice(start + wanted.length)]
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
}
