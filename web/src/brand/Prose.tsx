import { useOwnText } from './facts.ts'
import { RichText } from './RichText.tsx'

/** Paragraphs of rich text, or the brand's own plain ones of this name. */
export function Prose({ name, children }: { name: string; children: readonly string[] }) {
  const own = useOwnText(name)
  if (own) return own.map((paragraph) => <p key={paragraph}>{paragraph}</p>)
  return children.map((paragraph) => (
    <p key={paragraph}>
      <RichText>{paragraph}</RichText>
    </p>
  ))
}
