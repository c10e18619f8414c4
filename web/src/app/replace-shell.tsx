import { type ReactNode, startTransition, useInsertionEffect, useLayoutEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { watchEarlyInput } from './early-input.ts'

/**
 * Renders the application out of sight, in slices that leave a slow phone free, and lets it take the place of the page that came with
 * the document when it is whole, once `isReady`. That page is replaced, not hydrated: brand, visitor and day may differ.
 */
export function replaceShell(shell: HTMLElement, application: ReactNode, isReady: Promise<void>): void {
  const page = shell.cloneNode(false) as HTMLElement
  const collect = watchEarlyInput(shell)
  const replace = () => {
    const repeat = collect()
    shell.replaceWith(page)
    return repeat && (() => repeat(page))
  }
  const root = createRoot(page)
  const show = () => root.render(<Replacement replace={replace}>{application}</Replacement>)
  void isReady.then(() => startTransition(show))
}

type ReplacementProps = { replace: () => (() => void) | null; children: ReactNode }

function Replacement({ replace, children }: ReplacementProps) {
  const pending = useRef<(() => void) | null>(null)
  const [repeat, setRepeat] = useState<{ input: () => void } | null>(null)
  // Before layout effects, which measure what they find in the document.
  useInsertionEffect(() => {
    pending.current = replace()
  }, [replace])
  // Two layout effects with a state between them: React runs all other effects first, and the fields listen when the input is repeated.
  // All in one task, so that whoever is typing goes on in the same field.
  useLayoutEffect(() => {
    if (pending.current) setRepeat({ input: pending.current })
  }, [])
  useLayoutEffect(() => repeat?.input(), [repeat])
  return children
}
