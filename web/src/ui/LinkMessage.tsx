import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

type Props = { title: string; actions?: ReactNode; children?: ReactNode }

/** What a page says that the link of a mail opens and that does one thing. */
export function LinkMessage({ title, actions, children }: Props) {
  return (
    <div className="wrap">
      <EmptyState level={1} role="status" title={title} actions={actions}>
        {children}
      </EmptyState>
    </div>
  )
}

/** The link has lost its token on the way. */
export function IncompleteLink() {
  return <LinkMessage title="This link is not complete">Open it again from our e-mail, or copy it whole into the address bar.</LinkMessage>
}

/** `children` says why it failed; the same may work now. */
export function FailedLink({ title, onRetry, children }: { title: string; onRetry: () => void; children: ReactNode }) {
  const again = (
    <Button variant="solid" onClick={onRetry}>
      Try Again
    </Button>
  )
  return (
    <LinkMessage title={title} actions={again}>
      {children}
    </LinkMessage>
  )
}
