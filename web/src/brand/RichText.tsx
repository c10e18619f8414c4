import type { ReactNode } from 'react'
import { mail, telephone } from '../lib/paths.ts'
import { type Facts, parseRichText, type RichPart } from '../lib/rich-text.ts'
import { Link } from '../lib/router.ts'
import { useFacts } from './facts.ts'

/** One line of prose data with its links, and the brand's facts in their places. */
export function RichText({ children }: { children: string }) {
  return <>{shown(parseRichText(children), useFacts())}</>
}

function shown(parts: readonly RichPart[], facts: Facts): ReactNode {
  return parts.map((part, index) => {
    const key = `${index}`
    if (part.kind === 'text') return part.text
    if (part.kind === 'bold') return <strong key={key}>{shown(part.parts, facts)}</strong>
    if (part.kind === 'fact') return <Fact key={key} name={part.name} value={facts[part.name] ?? ''} />
    if (part.to.startsWith('/') || part.to.startsWith('#')) {
      return (
        <Link key={key} to={part.to}>
          {shown(part.parts, facts)}
        </Link>
      )
    }
    return (
      <a key={key} href={part.to} rel="noopener">
        {shown(part.parts, facts)}
      </a>
    )
  })
}

function Fact({ name, value }: { name: string; value: string }) {
  if (name === 'email') return <a href={mail(value)}>{value}</a>
  if (name === 'phone') return <a href={telephone(value)}>{value}</a>
  return value
}
